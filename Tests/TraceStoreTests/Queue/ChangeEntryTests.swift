import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

/// Entries that change what is in a session.
struct ChangeEntryTests {
    let scratch: ScratchDirectory
    let editing: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        editing = try EditingScene(in: scratch.path)
    }

    private var scene: QueueScene { editing.scene }
    private var markers: String { get throws { try editing.markers.text() } }

    /// An entry about a record, or about the session if that is zero.
    private static func change(
        _ id: Int, _ kind: String, of record: Int = 0, _ members: String = "", _ more: String = ""
    ) -> String {
        let subject = record > 0 ? #""record_id":"\#(number(record))""# : ""
        let payload = [subject, members].filter { !$0.isEmpty }.joined(separator: ",")
        return QueueScene.entry(id, kind, "{\(payload)}", more)
    }

    private func deliver(_ id: Int, _ kind: String, of record: Int = 0, _ members: String = "") throws {
        try scene.deliver(Self.change(id, kind, of: record, members), id)
    }

    /// What a `.reason` says was changed meanwhile.
    private func conflicts(_ id: Int) throws -> String {
        let text = try scene.queue.failed.appending("\(number(id)).reason").text()
        return String(text.firstMatch(of: #/"conflicts":(\[.*?\]),"spool"/#)?.1 ?? "")
    }

    // MARK: - Members

    @Test func `members get other values where they are as they were seen, and every other byte stays`()
        throws
    {
        try deliver(
            40, "marker.edit", of: 10,
            #""set":{"label":"b","tags":["x"],"note":"n"},"was":{"label":"a","tags":["highlight"]}"#)
        #expect(try scene.results() == ["40 applied"])
        let line = EditingScene.odd.replacing(#""label":"a""#, with: #""label":"b""#)
            .replacing(#"["highlight"] }"#, with: #"["x"] ,"note":"n"}"#)
        let written = try #require(try markers.split(whereSeparator: \.isNewline).last)
        #expect(JSONText.isEquivalent(Array(written.utf8), Array(line.utf8)), "\(written)")
        #expect(written.hasPrefix(#"{"offset_ms" : 1.0e4,"id""#))
        #expect(try scene.ledger() == [40])
        // Delivered once more, it changes nothing.
        let before = try editing.files()
        try deliver(
            40, "marker.edit", of: 10,
            #""set":{"label":"b","tags":["x"],"note":"n"},"was":{"label":"a","tags":["highlight"]}"#)
        #expect(try scene.results() == ["40 already-applied"])
        #expect(try editing.files() == before)
    }

    @Test func `what is there already is done, and what is otherwise is told with both values`() throws {
        try deliver(
            40, "marker.edit", of: 10,
            #""set":{"label":"mine","note":"new","offset_ms":10000},"was":{"label":"old","offset_ms":5}"#)
        #expect(try scene.results() == ["40 changed-meanwhile: changed meanwhile: label"])
        #expect(try conflicts(40) == #"[{"member":"label","was":"old","now":"a","set":"mine"}]"#)
        // The others are set one by one.
        let last = try #require(try markers.split(whereSeparator: \.isNewline).last)
        #expect(last.contains(#""note":"new""#) && last.contains(#""label":"a""#))
        #expect(try scene.ledger() == [])
        let items = try QueueInspection(scene.queue, locate: scene.locate).items()
        #expect(items.first?.state.name == "changed-meanwhile")
        #expect(items.first?.state.conflicts.map(\.name) == ["label"])
        // A person has changed it to what was seen, and tries again.
        var edit = RecordEdit()
        edit.values = [("label", JSONText("old"))]
        try editing.edit(10, edit)
        let drain = Drain(scene.queue, now: { morning }, locate: scene.locate)
        #expect(try drain.retry(EntryName(number(40))).result.name == "applied")
        #expect(
            try #require(try markers.split(whereSeparator: \.isNewline).last).contains(#""label":"mine""#))
    }

    @Test(arguments: [
        #""set":{"label":7}"#, #""set":{}"#, #""was":{"label":"a"}"#, #""set":{"offset_ms":null}"#,
        #""set":{"id":"01J00000000000000000000099"}"#, #""set":{"label":"b"},"other":1"#, #""set":[1]"#,
        #""set":{"tags":["No tag"]}"#, #""set":{"label":"b"},"at":"yesterday""#,
        #""set":{"label":"b"},"session_id":"01J00000000000000000000099""#,
    ]) func `what no marker can have is refused`(members: String) throws {
        let before = try editing.files()
        try deliver(40, "marker.edit", of: 10, members)
        #expect(try scene.results().first?.hasPrefix("40 rejected: payload: ") == true)
        #expect(try editing.files() == before)
        let entry = try SpoolEntry(
            parsing: Array(Self.change(40, "marker.edit", of: 10, members).utf8), named: number(40))
        #expect(throws: FormatError.self) { try JournalRegistry([SessionFormat()]).check(entry) }
    }

    @Test func `the title of a session is a member like others`() throws {
        try deliver(40, "session.edit", of: 0, #""set":{"title":"Early set"},"was":{"title":"Late set"}"#)
        try deliver(41, "session.edit", of: 0, #""set":{"title":"Third set"},"was":{"title":"Late set"}"#)
        #expect(
            try scene.results() == ["40 applied", "41 changed-meanwhile: changed meanwhile: title"])
        #expect(
            try conflicts(41)
                == #"[{"member":"title","was":"Late set","now":"Early set","set":"Third set"}]"#)
        let header = try editing.session("session.json").text()
        #expect(header.contains(#""title": "Early set""#) && header.contains(#""x_mood": 1.50e1"#))
    }

    // MARK: - Records

    @Test func `a marker goes with what refers to it, unless it has become another`() throws {
        try deliver(40, "marker.remove", of: 10, #""was":{"label":"x","offset_ms":10000}"#)
        #expect(try scene.results() == ["40 changed-meanwhile: changed meanwhile: label"])
        try deliver(41, "marker.remove", of: 10, #""was":{"label":"a","offset_ms":10000}"#)
        #expect(try scene.results() == ["41 applied"])
        #expect(try !markers.contains("\(number(10))"))
        #expect(
            try #require(try editing.notes.text().split(whereSeparator: \.isNewline).last).contains(
                "marker_id") == false)
        // It does not come back, and what comes for it is told.
        try scene.deliver(QueueScene.marker(10), 10)
        try deliver(42, "marker.edit", of: 10, #""set":{"label":"b"},"was":{"label":"a"}"#)
        try deliver(43, "marker.remove", of: 10)
        #expect(
            try scene.results().map { $0.prefix { $0 != ":" } } == [
                "10 removed", "42 changed-meanwhile", "43 applied",
            ])
        #expect(try conflicts(42) == #"[{"member":"label","was":"a","now":null,"set":"b"}]"#)
    }

    @Test func `a removal that comes before its marker holds`() throws {
        try deliver(43, "marker.remove", of: 30)
        #expect(try scene.results() == ["43 applied"])
        try scene.deliver(QueueScene.marker(30), 30)
        #expect(try scene.results().first?.hasPrefix("30 removed") == true)
    }

    @Test func `a voice note goes with its audio, and comes back`() throws {
        try editing.markers.write(
            EditingScene.odd.replacing(#""x":[1]"#, with: #""voice_note_id":"\#(number(11))""#) + "\n")
        let before = try editing.files()
        try deliver(40, "voice_note.remove", of: 11, #""was":{"offset_ms":1}"#)
        editing.noteQueued([40])
        #expect(try scene.results() == ["40 applied"])
        #expect(try editing.notes.text() == "")
        #expect(!editing.session("media").appending("a.m4a").exists)
        #expect(try !#require(try markers.split(whereSeparator: \.isNewline).last).contains("voice_note_id"))
        #expect(try !editing.undo().isEmpty)
        #expect(try editing.files() == before)
        #expect(try !editing.redo().isEmpty)
        #expect(try editing.notes.text() == "")
        #expect(!editing.session("media").appending("a.m4a").exists)
    }

    @Test func `audio that another voice note has stays`() throws {
        try editing.notes.write(
            EditingScene.note + "\n"
                + EditingScene.note.replacing("\(number(11))", with: "\(number(13))") + "\n")
        try deliver(40, "voice_note.remove", of: 11)
        #expect(try scene.results() == ["40 applied"])
        #expect(editing.session("media").appending("a.m4a").exists)
    }

    @Test func `the text of a voice note is set`() throws {
        try deliver(40, "voice_note.edit", of: 11, #""set":{"transcript_text":"slower"}"#)
        #expect(try scene.results() == ["40 applied"])
        #expect(
            try #require(try editing.notes.text().split(whereSeparator: \.isNewline).last).contains("slower"))
    }

    @Test func `what is about a record that waits waits for it, and all go in the order of their ids`() throws
    {
        try scene.deliver(QueueScene.note(20), 20)
        try deliver(21, "voice_note.edit", of: 20, #""set":{"offset_ms":1},"was":{"offset_ms":20000}"#)
        try scene.deliver(QueueScene.marker(30), 30)
        try deliver(31, "marker.edit", of: 30, #""set":{"label":"one"}"#)
        try deliver(32, "marker.edit", of: 30, #""set":{"label":"two"},"was":{"label":"one"}"#)
        try deliver(33, "marker.remove", of: 30, #""was":{"label":"two","offset_ms":30000}"#)
        try scene.deliver(QueueScene.marker(34), 34)
        #expect(
            try scene.results().map { $0.prefix { $0 != ":" } } == [
                "20 waiting", "21 waiting", "30 applied", "31 applied", "32 applied", "33 applied",
                "34 applied",
            ])
        try scene.local.appending("\(number(20)).m4a").write(QueueScene.sound)
        #expect(try scene.results() == ["20 applied", "21 applied"])
    }

    // MARK: - The clock

    private static func at(_ minute: Int) -> String { #""at":"2026-02-04T20:\#(minute):00.000Z""# }

    private func timeline() throws -> [String] {
        try editing.session("timeline.jsonl").text().split(separator: "\n").map { line in
            let kind = line.firstMatch(of: #/"kind":"(\w+)"/#)?.1 ?? ""
            let offset = line.firstMatch(of: #/"offset_ms":(\d+)/#)?.1 ?? ""
            return "\(kind) \(offset)"
        }
    }

    @Test func `a pause, its end and the end of the session are at the moments when they were pressed`()
        throws
    {
        try editing.markers.write("")
        try editing.notes.write("")
        try deliver(40, "session.pause", of: 0, Self.at(10))
        try deliver(41, "session.pause", of: 0, Self.at(11))
        try deliver(42, "session.resume", of: 0, Self.at(20))
        try deliver(43, "session.resume", of: 0, Self.at(21))
        try deliver(44, "session.pause", of: 0, Self.at(30))
        try deliver(45, "session.close", of: 0, Self.at(40))
        #expect(try scene.results() == (40...45).map { "\($0) applied" })
        #expect(
            try timeline() == [
                "session_start 0", "media_end 600000", "media_start 600000", "media_end 1200000",
                "media_start 1200000", "session_end 1200000",
            ])
        let session = try editing.session.session
        #expect(session.status == .closed && session.duration?.milliseconds == 1_200_000)
        #expect(session.endTime == Timestamp("2026-02-04T20:40:00.000Z"))
        try deliver(46, "session.close", of: 0, Self.at(40))
        try deliver(47, "session.close", of: 0, Self.at(50))
        try deliver(48, "session.pause", of: 0, Self.at(50))
        #expect(
            try scene.results() == [
                "46 applied", "47 changed-meanwhile: changed meanwhile: end_time",
                "48 changed-meanwhile: changed meanwhile: status",
            ])
    }

    @Test(arguments: ["pause", "resume", "close"])
    func `what another device has gone on after is told`(verb: String) throws {
        let before = try editing.files()
        if verb == "resume" { try deliver(40, "session.pause", of: 0, Self.at(55)) }
        // The markers are of 20:54:41.
        try deliver(41, "session.\(verb)", of: 0, Self.at(50))
        #expect(
            try scene.results().last == "41 changed-meanwhile: changed meanwhile: at")
        let later = verb == "resume" ? "20:55:00.000" : "20:54:41.780"
        #expect(
            try conflicts(41)
                == #"[{"member":"at","was":null,"now":"2026-02-04T\#(later)Z","set":"2026-02-04T20:50:00.000Z"}]"#
        )
        if verb != "resume" { #expect(try editing.files() == before) }
    }

    @Test func `what the same device has marked before it pressed is no reason to ask`() throws {
        let ann = Deliverer(token: number(70), person: "ann")
        try editing.markers.write("")
        try editing.notes.write("")
        try scene.send(QueueScene.marker(30), 30, deliveredBy: ann)
        let ending = Self.change(41, "session.close", of: 0, Self.at(50))
        var delivery = scene.delivery()
        delivery.rights = { _ in .own }
        #expect(
            try scene.send(ending, 41, deliveredBy: Deliverer(token: number(71), person: "ben"), by: delivery)
                .result.name == "changed-meanwhile")
        let again = Self.change(42, "session.close", of: 0, Self.at(50))
        #expect(try scene.send(again, 42, deliveredBy: ann, by: delivery).result.name == "applied")
    }

    // MARK: - Sessions that begin

    private func starting(_ count: Counter = Counter()) -> Drain {
        var drain = Drain(scene.queue, now: { morning }, locate: scene.locate)
        let root = scratch.path
        drain.begin = { entry, change in
            guard case .start(let title) = change.action else { return nil }
            let path = root.appending("more").appending("\(entry.journalID)")
            try OpenDirectory.make(path.containingDirectory)
            try SessionWriter.create(
                at: path, id: entry.journalID, title: title, start: change.moment, created: entry.createdAt)
            count.add()
            return path
        }
        return drain
    }

    @Test func `a session begins, gets what was made in it, and is begun once`() throws {
        let id = number(50)
        let start = QueueScene.entry(51, "session.start", #"{"title":"Monday"}"#, session: id)
        try scene.deliver(start, 51)
        try scene.deliver(QueueScene.marker(52, session: id), 52)
        try scene.deliver(QueueScene.entry(53, "session.pause", "{}", session: id), 53)
        editing.noteQueued([51])
        let count = Counter()
        func results() throws -> [String] {
            try starting(count).run(report: { Issue.record($0) }).map(QueueScene.summary)
        }
        #expect(try results() == ["51 applied", "52 applied", "53 applied"])
        let path = scratch("more").appending("\(id)")
        let header = try path.appending("session.json").text()
        #expect(header.contains(#""title": "Monday""#))
        #expect(header.contains(#""start_time": "2026-02-04T20:54:41.780Z""#))
        #expect(try path.appending("markers.jsonl").text().contains("\(number(52))"))
        // It was deleted: the same entry makes no other.
        try #require(rename(path.string, scratch("away").string) == 0)
        try scene.deliver(start, 51)
        #expect(try results() == ["51 already-applied"])
        #expect(count.value == 1)
    }

    @Test func `where sessions can't be made, a start waits, and what comes behind it`() throws {
        try scene.deliver(QueueScene.entry(51, "session.start", "{}", session: number(50)), 51)
        try scene.deliver(QueueScene.marker(52, session: number(50)), 52)
        let reason = "waiting: its session \(number(50)) was not found"
        #expect(try scene.results() == ["51 \(reason)", "52 \(reason)"])
    }

    // MARK: - Taking back

    /// The session's files, whatever the order of their lines: what was removed comes back behind the others.
    private func lines() throws -> [String: [Substring]] {
        try editing.files().mapValues { $0.split(whereSeparator: \.isNewline).sorted() }
    }

    @Test(arguments: [
        ("marker.edit", 10, #""set":{"label":"b","note":"n"},"was":{"label":"a"}"#),
        ("marker.remove", 10, #""was":{"label":"a"}"#),
        ("voice_note.edit", 11, #""set":{"transcript_text":"slower"}"#),
        ("session.pause", 0, ""), ("session.close", 0, ""),
        ("session.edit", 0, #""set":{"title":"Early set"},"was":{"title":"Late set"}"#),
    ]) func `an undo takes back what an entry has changed, and a redo does it again`(
        kind: String, record: Int, members: String
    ) throws {
        let before = try lines()
        try deliver(40, kind, of: record, members)
        editing.noteQueued([40])
        #expect(try !editing.undo(isDryRun: true).isEmpty, "one that waits is taken out of the queue")
        #expect(try scene.results() == ["40 applied"])
        let after = try lines()
        #expect(after != before)
        #expect(try !editing.undo().isEmpty)
        #expect(try lines() == before)
        try deliver(40, kind, of: record, members)
        #expect(try scene.results() == ["40 already-applied"])
        #expect(try lines() == before)
        #expect(try !editing.redo().isEmpty)
        #expect(try lines() == after)
    }

    @Test func `what was changed since is not taken back`() throws {
        try deliver(40, "marker.edit", of: 10, #""set":{"label":"b"},"was":{"label":"a"}"#)
        editing.noteQueued([40])
        #expect(try scene.results() == ["40 applied"])
        var edit = RecordEdit()
        edit.values = [("label", JSONText("c"))]
        _ = try SessionWriter(editing.session.path).editMarker(number(10)) { _ in edit }
        #expect(code(of: StoreError.self) { try editing.undo() } == .unsafeToUndo)
        #expect(try #require(try markers.split(whereSeparator: \.isNewline).last).contains(#""label":"c""#))
    }

    @Test func `the undo of an entry of which a part was refused takes back the other part`() throws {
        let before = try editing.files()
        try deliver(40, "marker.edit", of: 10, #""set":{"label":"b","note":"n"},"was":{"label":"x"}"#)
        editing.noteQueued([40])
        #expect(try scene.results() == ["40 changed-meanwhile: changed meanwhile: label"])
        #expect(try editing.files() != before)
        #expect(try editing.undo().count == 2)
        #expect(try editing.files() == before)
        #expect(try scene.names(scene.queue.dropped) == ["\(number(40)).json"])
    }

    // MARK: - Rights

    @Test func `who may mark changes what their person has sent, and an administrator everything`() throws {
        let (ann, ben) = (
            Deliverer(token: number(70), person: "ann"), Deliverer(token: number(71), person: "ben")
        )
        try scene.send(QueueScene.marker(30), 30, deliveredBy: ann)
        var delivery = scene.delivery()
        delivery.rights = { $0 == ann || $0 == ben ? .own : .all }
        func send(_ id: Int, _ record: Int, _ deliverer: Deliverer) throws -> String {
            let entry = Self.change(
                id, "marker.edit", of: record, #""set":{"note":"\#(id)"},"was":{"note":""}"#)
            return try scene.send(entry, id, deliveredBy: deliverer, by: delivery).result.name
        }
        #expect(try send(40, 30, ben) == "rejected")
        #expect(try send(41, 10, ann) == "rejected")
        #expect(try send(42, 30, ann) == "applied")
        #expect(try send(43, 10, Deliverer(token: number(72))) == "applied")
    }

    @Test func `who has brought an entry must still be permitted when it is written`() throws {
        let by = #","delivered_by":{"token":"\#(number(70))","person":"ann"}"#
        try scene.send(QueueScene.marker(30), 30, deliveredBy: Deliverer(token: number(70), person: "ann"))
        func entry(_ id: Int) -> String {
            Self.change(id, "marker.edit", of: 30, #""set":{"label":"\#(id)"}"#, by)
        }
        try scene.deliver(entry(40), 40)
        #expect(try scene.results() == ["40 rejected: the token that brought it may no longer write"])
        try scene.deliver(entry(41), 41)
        var drain = Drain(scene.queue, now: { morning }, locate: scene.locate)
        drain.rights = { _ in .own }
        #expect(try drain.run().map(\.result.name) == ["applied"])
        // A device's spool is its owner's, whatever its entries say.
        try scene.deliver(
            Self.change(42, "marker.edit", of: 10, #""set":{"note":"n"}"#, by), 42, to: scene.phone)
        #expect(try scene.results() == ["42 applied"])
    }

    // MARK: - Kills

    private static func makeScene(in root: FilePath) throws -> EditingScene {
        let editing = try EditingScene(in: root)
        let changes: [(Int, String, Int, String)] = [
            (40, "marker.edit", 10, #""set":{"label":"b"},"was":{"label":"a"}"#),
            (41, "marker.edit", 10, #""set":{"label":"c","note":"n"},"was":{"label":"a"}"#),
            (42, "voice_note.remove", 11, ""), (43, "marker.remove", 12, ""),
            (44, "session.edit", 0, #""set":{"title":"Early set"},"was":{"title":"Late set"}"#),
            (45, "session.pause", 0, ""), (46, "session.close", 0, #""at":"2026-02-04T21:00:00.000Z""#),
        ]
        for (id, kind, record, members) in changes {
            try editing.scene.deliver(change(id, kind, of: record, members), id)
        }
        try editing.scene.deliver(QueueScene.marker(47), 47)
        return editing
    }

    private static func undisturbed() throws -> (state: [String: String], steps: [WriteStep]) {
        let scratch = try ScratchDirectory()
        let editing = try makeScene(in: scratch.path)
        let steps = Steps()
        let outcomes = try editing.scene.drain(failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
        #expect(
            outcomes.map(\.result.name) == [
                "applied", "changed-meanwhile", "applied", "applied", "applied", "applied", "applied",
                "applied",
            ])
        return (try tree(of: scratch.path), steps.all)
    }

    /// The ledger is a set, and says once more what a run was killed behind.
    private static func compared(_ state: [String: String]) -> [String: String] {
        var state = state
        state["state/applied.jsonl"] = state["state/applied.jsonl"].map {
            Set($0.split(separator: "\n").filter { $0.hasPrefix("{") }).sorted().joined(separator: "\n")
        }
        return state
    }

    @Test func `killed before any step, and drained once more, it ends as undisturbed`() async throws {
        let expected = try Self.undisturbed()
        for fatal in Torture.steps(expected.steps.count, sample: 6) {
            let scratch = try ScratchDirectory()
            let editing = try Self.makeScene(in: scratch.path)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                _ = try QueueScene(at: FilePath(path)).drain(failPoint: { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                })
            }
            try editing.scene.drain()
            try editing.scene.drain()
            let state = Self.compared(try tree(of: scratch.path))
            #expect(state == Self.compared(expected.state), "killed before step \(fatal)")
        }
    }

    @Test func `a failure of any step, and another drain, leave the same files`() throws {
        let expected = try Self.undisturbed()
        for fatal in Torture.steps(expected.steps.count, sample: 12) {
            let scratch = try ScratchDirectory()
            let editing = try Self.makeScene(in: scratch.path)
            let steps = Steps()
            _ = try? editing.scene.drain(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { throw .ioError }
            })
            try editing.scene.drain()
            let state = Self.compared(try tree(of: scratch.path))
            #expect(
                state == Self.compared(expected.state),
                "failed at step \(fatal), \(expected.steps[fatal - 1])")
        }
    }

    @Test func `an edit that came behind a kill is not overwritten by the entry that was cut short`() throws {
        try deliver(40, "marker.edit", of: 10, #""set":{"label":"b"},"was":{"label":"a"}"#)
        // The line is there; the ledger does not know it.
        _ = try? scene.drain(failPoint: { step, path throws(Errno) in
            if step == .write, path.lastComponent == "applied.jsonl" { throw .ioError }
        })
        var edit = RecordEdit()
        edit.values = [("label", JSONText("a"))]
        try editing.edit(10, edit)
        #expect(try scene.results() == ["40 applied"])
        #expect(try #require(try markers.split(whereSeparator: \.isNewline).last).contains(#""label":"a""#))
    }
}

/// Counts from whichever thread.
private final class Counter: @unchecked Sendable {
    private(set) var value = 0
    func add() { value += 1 }
}
