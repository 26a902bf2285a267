import FileHarness
import Foundation
import PracticeJournal
import RecordFormat
import SystemPackage
import Testing
import TraceFiles
import TraceStore

/// What a journal writes because a day is over.
struct DueWriteTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private static let lastDay = 1_773_500_400_000  // 2026-03-14T15:00:00Z, the day before the scene's now

    private func scene(_ members: String) throws -> JournalScene {
        try JournalScene(
            in: scratch.path,
            document:
                #"{"customGroups":[{"id":"3F2504E0-4F89-41D3-9A0C-0305E82C3301","name":"Spring","isActive":true,\#(members)}]}"#
        )
    }

    private func due(_ scene: JournalScene, in zone: ZoneRules = .utc) throws -> Int {
        var drain = Drain(scene.queue, now: { Scene.now }, locate: scene.locate)
        drain.formats = JournalScene.formats
        return try drain.queueDue(in: [scene.journal], zone: zone)
    }

    @Test
    func `a group whose last day is over is archived once, and stays open where somebody opens it again`()
        throws
    {
        let scene = try scene(#""isPriority":true,"endDate":\#(Self.lastDay)"#)
        #expect(try due(scene) == 1)
        // It waits, and is not queued again.
        #expect(try due(scene) == 0)
        #expect(try scene.drain().map { $0.split(separator: " ").last } == ["applied"])
        let group = try #require(try scene.read().groups.first)
        #expect(group.isArchived && !group.isActive && !group.isPriority)
        #expect(try due(scene) == 0)
        let opened = try scene.text().replacing(#""isArchived":true"#, with: #""isArchived":false"#)
        try scene.journal.appending("practice-state.json").write(opened)
        try OpenDirectory.make(scene.queue.done)
        for name in try FileManager.default.contentsOfDirectory(atPath: scene.queue.done.string) {
            try FileManager.default.removeItem(atPath: "\(scene.queue.done)/\(name)")
        }
        #expect(try due(scene) == 0)
        // Another last day is another end.
        try scene.journal.appending("practice-state.json").write(
            opened.replacing("\(Self.lastDay)", with: "\(Self.lastDay - 86_400_000)"))
        #expect(try due(scene) == 1)
    }

    @Test(arguments: [
        (#""endDate":\#(Scene.now.milliseconds)"#, "UTC", 0), (#""endDate":\#(Self.lastDay)"#, "UTC", 1),
        // Half an hour after midnight in UTC, which is the day before there.
        (#""endDate":1773534600000"#, "UTC", 0), (#""endDate":1773534600000"#, "Pacific/Pago_Pago", 1),
        (#""isArchived":false"#, "UTC", 0),
        (#""isArchived":true,"endDate":\#(Self.lastDay)"#, "UTC", 0), (#""endDate":1e300"#, "UTC", 0),
        (#""endDate":\#(Self.lastDay),"endDate":"soon""#, "UTC", 0),
    ])
    func `a group ends with its last day where the journal is`(
        _ members: String, _ zone: String, _ count: Int
    ) throws {
        #expect(try due(try scene(members), in: Scene.zone(zone)) == count)
    }

    @Test(arguments: ["{", #"{"schemaVersion":5,"customGroups":[]}"#, #"{"groups":[]}"#, ""])
    func `nothing is due in a document that is not written into`(_ document: String) throws {
        let scene = try JournalScene(in: scratch.path, document: document)
        #expect(try due(scene) == 0)
        let header = try scene.text("practice.json").replacing(#""format":1"#, with: #""format":2"#)
        try scene.journal.appending("practice.json").write(header)
        try scene.journal.appending("practice-state.json").write(
            #"{"customGroups":[{"id":"3F2504E0-4F89-41D3-9A0C-0305E82C3301","endDate":\#(Self.lastDay)}]}"#)
        #expect(try due(scene) == 0)
        try FileManager.default.removeItem(atPath: scene.journal.appending("practice-state.json").string)
        #expect(try due(scene) == 0)
    }

    // MARK: - The league

    private static let header = "season,banknumber,player,machine,rawscore,points,eventdate\n"

    private func leagueScene(_ document: String) throws -> JournalScene {
        let scene = try JournalScene(in: scratch.path, document: document)
        try OpenDirectory.make(scene.journal.appending("league"))
        try scene.journal.appending("league/LPL_Stats.csv").write(
            Self.header + "4,1,Ada Quill,Comet Racer,5,1,2026-02-02\n")
        return scene
    }

    @Test func `league scores come by themselves only where a person has switched that on`() throws {
        let scene = try leagueScene(
            #"{"leagueSettings":{"playerName":"Ada Quill","csvAutoFillEnabled":true}}"#)
        #expect(try due(scene) == 0)
        let slots = scene.journal.appending("slots.json")
        try slots.write(#"{"league-auto-fill":"off"}"#)
        #expect(try due(scene) == 0)
        try slots.write(#"{"league-auto-fill":"on"}"#)
        #expect(try due(scene) == 1)
        #expect(try due(scene) == 0)
        #expect(try scene.drain().map { $0.split(separator: " ").last } == ["applied"])
        #expect(try scene.read().scoreEntries.map(\.score) == [5])
        // There is nothing that the journal lacks.
        #expect(try due(scene) == 0)
        // What is taken back stays so, until there is another table.
        try scene.journal.appending("practice-state.json").write(
            #"{"leagueSettings":{"playerName":"Ada Quill","csvAutoFillEnabled":true}}"#)
        #expect(try due(scene) == 0)
    }

    @Test(arguments: [
        "{}", #"{"leagueSettings":{"playerName":"Nobody"}}"#,
        #"{"leagueSettings":{"playerName":"Bo Marsh"}}"#,
    ])
    func `no scores are due of a player who is not in the table, or is redacted`(document: String) throws {
        let scene = try leagueScene(document)
        try scene.journal.appending("slots.json").write(#"{"league-auto-fill":"on"}"#)
        try scene.journal.appending("league/LPL_Stats.csv").write(
            Self.header + "4,1,Bo Marsh,Comet Racer,5,1,2026-02-02\n")
        try scene.journal.appending("league/redacted_players.csv").write("name\nBo Marsh\n")
        #expect(try due(scene) == 0)
    }
}
