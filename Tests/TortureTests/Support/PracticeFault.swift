import Foundation
import ProgramHarness
import Testing

/// A write into a practice journal that is tortured.
///
/// The first ones come out of the queue, so that the same entry can come again; the others are commands, whose records have
/// another id each time.
enum PracticeFault: String, CaseIterable, CustomTestStringConvertible {
    case task, video, score, note, mechanics, resume, library, browse, slots, edit, delete, gamenote,
        settings,
        canonicalise
    case createGroup = "group.create"
    case selectGroup = "group.select"
    case prioritizeGroup = "group.priority"
    case archiveGroups = "group.archive"
    case deleteGroup = "group.delete"
    case leagueImport = "league_import"
    case scoreCommand = "practice score"
    case noteCommand = "practice note"
    case resumeCommand = "practice resume"
    case editCommand = "practice edit"
    case deleteCommand = "practice delete"
    case groupCommand = "practice groups"
    case undoCommand = "practice undo"
    case mergeCommand = "practice merge"
    case longLogCommand = "practice note, and a log that is shortened"

    var testDescription: String { rawValue }

    /// The payload of the queue's entry; nil for a command.
    var payload: String? {
        switch self {
        case .task: #"{"game":"G1","task":"rulesheet","progress":40}"#
        case .video:
            #"{"game":"G1","action":"tutorialWatch","kind":"percent","value":"60%","progress":60,"note":"x"}"#
        case .score: #"{"game":"comet-racer","score":12345678,"context":"league"}"#
        case .note: #"{"game":"G1","category":"shots","note":"more nudging"}"#
        case .mechanics: #"{"game":"G1","skill":"Post Pass","competency":3}"#
        case .resume: #"{"game":"G1","rulesheet":0.4,"video":"Tutorial 1"}"#
        case .library: #"{"game":"G1","kind":"browseGame"}"#
        case .browse: #"{"game":"G2"}"#
        case .slots: #"{"practice-quick-game-study":"G2","practice-last-viewed-game-id":"G1"}"#
        case .edit: #"{"row":"\#(PracticeScene.row)","patch":{"score":7,"scoreContext":"league"}}"#
        case .delete: #"{"row":"\#(PracticeScene.row)"}"#
        case .gamenote: #"{"game":"G1","note":"left ramp"}"#
        case .settings: #"{"practiceSettings":{"playerName":"Ada"}}"#
        case .canonicalise: "{}"
        case .createGroup: #"{"name":"Two","games":["G1","G2"]}"#
        case .selectGroup, .prioritizeGroup, .deleteGroup: #"{"group":"\#(PracticeScene.group)"}"#
        case .leagueImport: #"{"player":"Ada Quill","zone":"UTC"}"#
        case .archiveGroups: #"{"groups":["\#(PracticeScene.group)"]}"#
        case .scoreCommand, .noteCommand, .resumeCommand, .editCommand, .deleteCommand, .groupCommand,
            .undoCommand, .mergeCommand, .longLogCommand:
            nil
        }
    }

    /// Its command line.
    var arguments: [String] {
        switch self {
        case .scoreCommand: ["practice", "score", "comet", "12345678"]
        case .noteCommand, .longLogCommand: ["practice", "note", "G1", "more nudging"]
        case .resumeCommand: ["practice", "resume", "G1", "--rulesheet", "0.4"]
        case .editCommand: ["practice", "edit", PracticeScene.row, "score=7"]
        case .deleteCommand: ["practice", "delete", PracticeScene.row]
        case .groupCommand: ["practice", "groups", "--create", "Two", "--game", "G1"]
        case .undoCommand: ["practice", "undo"]
        case .mergeCommand: ["practice", "merge", PracticeScene.device, "--device", "phone", "--write-back"]
        default: ["queue", "flush"]
        }
    }

    /// What a person, or the next run, does after it: everything that waits is written, an undo is made if it was not, and a
    /// device's document is merged again.
    func carryOn(in scene: PracticeScene) throws {
        let outcome = try scene.scratch.trace("queue", "flush")
        #expect(outcome.status == 0, "\(outcome)")
        guard self == .undoCommand || self == .mergeCommand else { return }
        let again = try scene.scratch.trace(arguments)
        #expect(again.status == 0 || again.errors.contains("nothing to undo"), "\(again)")
    }
}

/// A practice journal whose document is spelled as no program spells it, and a queue in which one write waits.
struct PracticeScene {
    let scratch: Scratch
    let fault: PracticeFault
    /// The files of the journal before the write, and after it.
    let before: [String]
    let after: [String]

    static let row = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
    static let group = "3f2504e0-4f89-41d3-9a0c-0305e82c33aa"
    static let entry = number(40)
    /// The document of a device.
    static let device = "sessions/phone.json"
    private static let files = ["practice-state.json", "activity.json"]

    /// The files of which every byte is compared. The slots that another write sets along with its own are one of two things, too, but
    /// do not go with what it is about.
    private static func compared(_ fault: PracticeFault) -> [String] {
        fault == .slots ? files + ["slots.json"] : files
    }

    private static let document = """
        {
          "schemaVersion": 4, "future" : {"kept":1e2},
          "scoreEntries": [
            {"id": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "gameID": "G1", "score": 1.50, "context": "practice", "timestamp": 1772300000000.25, "mood": "fine"}
          ],
          "noteEntries": [],
          "journalEntries": [
            {"id": "\(row)", "gameID": "G1", "action": "scoreLogged", "score": 1.50, "scoreContext": "practice", "timestamp": 1772300000000.25},
            {"id": "3F2504E0-4F89-41D3-9A0C-0305E82C3302", "gameID": "deep-reef", "action": "gameBrowse", "timestamp": 1772300100000}
          ],
          "customGroups": [ {"id": "\(group)", "name": "One", "gameIDs": ["G1"], "createdAt": 1772300000000},
            {"id": "3F2504E0-4F89-41D3-9A0C-0305E82C33AB", "name": "Other", "gameIDs": ["G2"], "isPriority": true, "createdAt": 1772300000000} ],
          "practiceSettings": {"selectedGroupID": "3F2504E0-4F89-41D3-9A0C-0305E82C33AB"}
        }

        """
    private static let library = """
        {"version":3,"libraries":[],"items":[
        {"library_entry_id":"v1--comet-racer","practice_identity":"G1","slug":"comet-racer","game":"Comet Racer"},
        {"library_entry_id":"v1--deep-reef","practice_identity":"G2","slug":"deep-reef","game":"Deep Reef"}]}

        """
    private static let scores = """
        season,banknumber,player,machine,rawscore,points,eventdate
        4,1,Ada Quill,Comet Racer,"15,000,000",12,2026-02-02
        4,1,Ada Quill,Deep Reef,5500000,15,2026-02-09

        """
    private static let log = """
        [ {"id":"3F2504E0-4F89-41D3-9A0C-0305E82C33FF","gameSlug":"G2","gameName":"Deep","kind":"rulesheet","timestampMs":1772300000000} ]

        """

    init(for fault: PracticeFault) throws {
        let scratch = try Scratch()
        self.scratch = scratch
        self.fault = fault
        try scratch.makeDirectory("sessions/pins/library")
        let header =
            #"{"journal":"practice","format":1,"id":"\#(number(900))","created_at":"2026-01-01T00:00:00.000Z"}"#
        try scratch.write(header + "\n", to: "sessions/pins/practice.json")
        try scratch.write(Self.document, to: "sessions/pins/practice-state.json")
        try scratch.write(Self.library, to: "sessions/pins/library/pinball_library_v3.json")
        try scratch.write(Self.log, to: "sessions/pins/activity.json")
        try scratch.makeDirectory("state")
        try Self.prepare(fault, scratch)
        for name in ["sessions", "state"] {
            try scratch.makeDirectory("template")
            try FileManager.default.copyItem(
                atPath: "\(scratch.path)/\(name)", toPath: "\(scratch.path)/template/\(name)")
        }
        before = try Self.contents(of: scratch, fault)
        let outcome = try scratch.trace(fault.arguments)
        #expect(outcome.status == 0, "\(outcome)")
        after = try Self.contents(of: scratch, fault)
        #expect(before != after, "\(fault) changes something")
        try restore()
    }

    private static func prepare(_ fault: PracticeFault, _ scratch: Scratch) throws {
        if fault == .leagueImport {
            try scratch.makeDirectory("sessions/pins/league")
            try scratch.write(Self.scores, to: "sessions/pins/league/LPL_Stats.csv")
        }
        if fault == .slots {
            try scratch.write(
                #"{ "kept": 1e2, "practice-quick-game-study": "G1" }"#, to: "sessions/pins/slots.json")
        }
        if fault.payload != nil {
            try put(fault, scratch)
        } else if fault == .longLogCommand {
            try lengthenLog(scratch)
        } else if fault == .undoCommand {
            let outcome = try scratch.trace("practice", "score", "comet", "5")
            #expect(outcome.status == 0, "\(outcome)")
        } else if fault == .mergeCommand {
            // The device has the document, changes a score, adds one and removes a row, while the journal gets another.
            try scratch.write(Self.document, to: device)
            let first = try scratch.trace(fault.arguments)
            #expect(first.status == 0, "\(first)")
            let score =
                #"{"id":"3F2504E0-4F89-41D3-9A0C-0305E82C3303","gameID":"G2","score":9,"timestamp":1772300200000}"#
            let changed = Self.document.replacing(
                #""score": 1.50, "context""#, with: #""score": 2, "context""#
            )
            .replacing(#""mood": "fine"}"#, with: #""mood": "fine"}, "# + score)
            .replacing(#/,\n *{"id": "[^"]*", "gameID": "deep-reef"[^\n]*/#, with: "")
            try scratch.write(changed, to: device)
            let meanwhile = try scratch.trace("practice", "score", "comet", "5")
            #expect(meanwhile.status == 0, "\(meanwhile)")
        }
    }

    /// Puts a note of a game into the log that was taken away again, so that the next write shortens the log.
    private static func lengthenLog(_ scratch: Scratch) throws {
        let outcome = try scratch.trace("practice", "score", "comet", "5")
        #expect(outcome.status == 0, "\(outcome)")
        let log = try scratch.text("sessions/pins/sync.jsonl", filled: false)
        let note = String(repeating: "left ramp ", count: 30_000)
        let lines = [(41, #""set":{"G1":"\#(note)"}"#), (42, #""unset":["G1"]"#)].map { id, change in
            """
            {"write":"\(number(id))","kind":"practice.gamenote","stamp":[1,\(id),"trace"],"before":"","after":"",\
            "changes":[{"object":"gameSummaryNotes",\(change)}]}

            """
        }
        try scratch.write(lines.joined() + log, to: "sessions/pins/sync.jsonl")
    }

    private static func put(_ fault: PracticeFault, _ scratch: Scratch) throws {
        try scratch.makeDirectory("state/queue")
        let entry = """
            {"id":"\(Self.entry)","kind":"practice.\(fault.rawValue)","journal_id":"\(number(900))",\
            "created_at":"2026-03-01T21:20:00.000Z","payload":\(fault.payload ?? "{}")}

            """
        try scratch.write(entry, to: "state/queue/\(Self.entry).json")
    }

    /// Makes everything anew, as it was at first.
    func restore() throws {
        for name in ["sessions", "state", "run"] where scratch.exists(name) { try scratch.remove(name) }
        for name in ["sessions", "state"] {
            try FileManager.default.copyItem(
                atPath: "\(scratch.path)/template/\(name)", toPath: "\(scratch.path)/\(name)")
        }
    }

    // MARK: - What must hold

    /// Document and log, every byte of them; only what is another each time a command is given has a placeholder.
    private static func contents(of scratch: Scratch, _ fault: PracticeFault) throws -> [String] {
        try compared(fault).map { name in
            try scratch.text("sessions/pins/\(name)", filled: false)
                // Ids of ours are UUIDs of version 8.
                .replacing(#/[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[0-9A-F]{4}-[0-9A-F]{12}/#, with: "<id>")
                .replacing(#/\d{13}/#) { match in
                    let age = Date().timeIntervalSince1970 * 1000 - (Double(match.output) ?? 0)
                    return abs(age) < 3_600_000 ? "<now>" : match.output
                }
        }
    }

    /// Checks that each file has its old bytes or its new ones, and that a write that waited is still there, or done.
    ///
    /// - Returns: Whether it is done.
    @discardableResult
    func checkWhole(_ what: String) throws -> Bool {
        let now = try Self.contents(of: scratch, fault)
        #expect(now == before || now == after, "\(what)\n\(now.joined())")
        if fault.payload != nil, now == before {
            #expect(scratch.exists("state/queue/\(Self.entry).json"), "\(what)")
        }
        return now == after
    }

    /// Takes the work up again: the write is there once in the end, if it was said to be done or waits, and no byte of others has changed.
    ///
    /// - Parameter isSaid: Whether the command had said that it was done.
    func checkEnd(_ what: String, isSaid: Bool) throws {
        try fault.carryOn(in: self)
        let mustBeDone = isSaid || fault.payload != nil || [.undoCommand, .mergeCommand].contains(fault)
        let isDone = try checkWhole("\(what), carried on")
        if mustBeDone { #expect(isDone, "\(what), carried on") }
        if fault == .mergeCommand {
            #expect(
                try scratch.text(Self.device, filled: false)
                    == scratch.text("sessions/pins/practice-state.json", filled: false), "\(what)")
        }
        if fault.payload == nil {
            // The next write removes what a cut has left of a new file.
            let outcome = try scratch.trace("practice", "read", "G2", "10%")
            #expect(outcome.status == 0, "\(what)\n\(outcome)")
        }
        if fault == .longLogCommand {
            // The write after it has shortened it, if that one did not.
            let log = try scratch.text("sessions/pins/sync.jsonl", filled: false)
            #expect(log.hasPrefix("{\"shortened\"") && log.utf8.count < 64 << 10, "\(what)")
        }
        let names = try Set(scratch.names(in: "sessions/pins"))
        let known: Set = ["practice.json", "library", "league", "sync.jsonl", "replicas", "slots.json"]
        #expect(names.subtracting(known.union(Self.files)) == [], "\(what)")
        let validated = try scratch.trace("validate", "sessions/pins")
        #expect(validated.status == 0, "\(what)\n\(validated)")
        guard fault.payload != nil else { return }
        // The same entry once more: it is known, and changes nothing.
        try Self.put(fault, scratch)
        try fault.carryOn(in: self)
        #expect(try checkWhole("\(what), once more"), "\(what), once more")
        #expect(try scratch.names(in: "state/queue").filter { $0.hasSuffix(".json") } == [], "\(what)")
        #expect(!scratch.exists("state/failed/\(Self.entry).json"), "\(what)")
        guard fault != .library, fault != .slots else { return }
        let log = try scratch.text("sessions/pins/sync.jsonl", filled: false)
        // A torn line is none.
        let lines = log.split(separator: "\n").filter { $0.hasPrefix("{\"write\":\"\(Self.entry)\"") }
            .count { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) != nil }
        #expect(lines == 1, "\(what): \(lines) lines\n\(log)")
    }
}
