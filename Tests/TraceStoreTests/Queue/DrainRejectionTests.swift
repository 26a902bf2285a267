import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceStore

/// What goes to `failed/`, and why.
struct DrainRejectionTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    var session: SampleSession { scene.session }

    /// Drains, and expects one entry in `failed/` with its reason, and an untouched session.
    func expectFailed(
        _ id: Int, _ result: String, _ reason: String, _ files: [String], spool: String = "state/queue",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try tree(of: session.path)
        #expect(try scene.results() == ["\(id) \(result): \(reason)"], sourceLocation: sourceLocation)
        #expect(try tree(of: session.path) == before, sourceLocation: sourceLocation)
        #expect(
            try scene.names(scene.queue.failed) == (files + ["\(number(id)).reason"]).sorted(),
            sourceLocation: sourceLocation)
        #expect(
            try tree(of: scratch.path)["state/failed/\(number(id)).reason"] == """
                {"result":"\(result)","reason":"\(reason)","spool":"ROOT/\(spool)","at":"2026-02-05T08:00:00.000Z"}

                """, sourceLocation: sourceLocation)
        #expect(try scene.names(scene.local) + scene.names(scene.phone) == [], sourceLocation: sourceLocation)
    }

    @Test func `another record under an id that stands is a conflict`() throws {
        try session("markers.jsonl").write(QueueScene.markerLine(10, note: "mine") + "\n")
        try scene.deliver(QueueScene.marker(10, note: "theirs"), 10)
        try expectFailed(10, "conflict", "another marker in the session has this id", ["\(number(10)).json"])
        #expect(try scene.ledger() == [])
    }

    @Test func `another entry under an id that was applied is a conflict, whatever stands there now`() throws
    {
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
        for text in [QueueScene.markerLine(10) + "\n", QueueScene.markerLine(10, note: "edited") + "\n", ""] {
            try session("markers.jsonl").write(text)
            try scene.deliver(QueueScene.marker(10, note: "theirs"), 10)
            try expectFailed(
                10, "conflict", "another entry with this id was applied before", ["\(number(10)).json"])
        }
    }

    @Test func `an applied entry that comes back for another session is a conflict`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
        let header = SampleSession.header.replacing(SampleSession.id.description, with: number(7).description)
        let other = try SampleSession(at: scratch("more").appending("b"), header: header)
        try scene.deliver(QueueScene.marker(10, session: number(7)), 10)
        try expectFailed(
            10, "conflict", "another entry with this id was applied before", ["\(number(10)).json"])
        #expect(try other("markers.jsonl").text() == "")
    }

    @Test func `two entries of one id in two spools: the first stands, the other is a conflict`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.deliver(QueueScene.marker(10, note: "theirs"), 10, to: scene.phone)
        #expect(
            try scene.results() == ["10 applied", "10 conflict: another marker in the session has this id"])
        #expect(try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
        #expect(try scene.queue.done.appending("\(number(10)).json").text() == QueueScene.marker(10))
        #expect(
            try scene.queue.failed.appending("\(number(10)).json").text()
                == QueueScene.marker(10, note: "theirs"))
    }

    @Test func `an id is one record's, whatever its kind`() throws {
        try session("voice_notes.jsonl").write(QueueScene.noteLine(10) + "\n")
        try scene.deliver(QueueScene.marker(10), 10)
        try expectFailed(
            10, "conflict", "another voice note in the session has this id", ["\(number(10)).json"])
        try scene.deliver(QueueScene.marker(12), 12)
        try scene.deliver(QueueScene.action(12), 12, to: scene.phone)
        #expect(
            try scene.results() == ["12 applied", "12 conflict: another marker in the session has this id"])
    }

    @Test func `a voice note's audio goes with it`() throws {
        try session("voice_notes.jsonl").write(QueueScene.noteLine(11, path: "media/other.m4a") + "\n")
        try scene.deliver(QueueScene.note(11, audio: "memo 5.m4a"), 11, to: scene.phone)
        try scene.phone.appending("memo 5.m4a").write(QueueScene.sound)
        try expectFailed(
            11, "conflict", "another voice note in the session has this id",
            ["\(number(11)).json", "memo 5.m4a"],
            spool: "phone")
    }

    @Test(arguments: [
        "media/../out.m4a", "media/a/../b.m4a", "media/./n.m4a", "media/", "media/session.json",
        "media/a/Session.JSON",
        "media/\(String(repeating: "x", count: 256))",
    ])
    func `a voice note whose audio no session can have there is refused before the audio comes`(
        path: String
    ) throws {
        let entry = QueueScene.note(11, path: path, audio: "memo.m4a")
        // Sent over the network, to a session that is there and to one that is not.
        for session in [number(1), number(7)] {
            let sent = entry.replacing(
                "\"session_id\":\"\(number(1))\"", with: "\"session_id\":\"\(session)\"")
            #expect(try scene.send(sent, 11).result.name == "rejected")
        }
        #expect(try scene.names(scene.local) == [])
        // By a device's spool.
        try scene.deliver(entry, 11)
        #expect(try scene.results().first?.hasPrefix("11 rejected: media path '") == true)
    }

    @Test(arguments: ["media/n/", "media/n/."])
    func `audio for a path that only a directory can have is rejected`(path: String) throws {
        try scene.deliver(QueueScene.note(11, path: path, audio: "memo.m4a"), 11)
        try scene.local.appending("memo.m4a").write(QueueScene.sound)
        let before = try tree(of: session.path)
        #expect(
            try scene.results() == ["11 rejected: media path '\(path)' ends with a slash"])
        #expect(try tree(of: session.path) == before)
    }

    @Test func `an object that is no entry is rejected, and the audio of its name goes with it`() throws {
        try scene.deliver(QueueScene.note(11).replacing("\"size\":5", with: "\"size\":-5"), 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        try scene.local.appending("\(number(12)).m4a").write(QueueScene.sound)
        let reason = "attachment is malformed"
        #expect(try scene.results() == ["11 rejected: \(reason)"])
        #expect(
            try scene.names(scene.queue.failed)
                == [11, 11, 11].map { "\(number($0))" }.enumerated().map {
                    $1 + [".json", ".m4a", ".reason"][$0]
                })
        #expect(try scene.names(scene.local) == ["\(number(12)).m4a"])
    }

    @Test(arguments: [
        (
            QueueScene.marker(10).replacing("highlight", with: "High"),
            "payload: the key 'tags' contains 'High', which is not a valid tag [tag-malformed]"
        ),
        (QueueScene.entry(10, "marker", QueueScene.markerLine(11)), "the payload has another id"),
        (QueueScene.entry(10, "marker", "{}"), "payload: id is missing [key-missing]"),
        (
            QueueScene.entry(10, "song", "{}"),
            "kind 'song' is malformed"
        ),
        (
            QueueScene.marker(11),
            "the entry has the id \(number(11)), and its file's name \(number(10))"
        ),
        ("{}", "id is missing"),
    ])
    func `what is no entry is rejected even while its session is away`(entry: String, reason: String) throws {
        try #require(rename(session("session.json").string, session("away").string) == 0)
        try scene.deliver(entry, 10)
        try expectFailed(10, "rejected", reason, ["\(number(10)).json"])
    }

    @Test(arguments: [
        ("media/../out.m4a", "'media/../out.m4a' does not have the form media/NAME"),
        ("media/./a/../b", "'media/./a/../b' does not have the form media/NAME"),
        ("media//../../etc/passwd", "'media/../../etc/passwd' does not have the form media/NAME"),
        ("media/", "'media/' ends with a slash"),
        ("media/n/.", "'media/n/.' ends with a slash"),
    ])
    func `a media path that would leave the session, or names a directory, is rejected`(
        path: String, reason: String
    ) throws {
        try scene.deliver(QueueScene.note(11, path: path), 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        try expectFailed(
            11, "rejected", "media path \(reason)", ["\(number(11)).json", "\(number(11)).m4a"])
    }

    @Test func `a rejected entry that is delivered ten times lies there once, another of its id beside it`()
        throws
    {
        try session("markers.jsonl").write(QueueScene.markerLine(10, note: "mine") + "\n")
        for _ in 0..<10 {
            try scene.deliver(QueueScene.marker(10, note: "theirs"), 10)
            try expectFailed(
                10, "conflict", "another marker in the session has this id", ["\(number(10)).json"])
        }
        try scene.deliver(QueueScene.marker(10, note: "others"), 10)
        try expectFailed(
            10, "conflict", "another marker in the session has this id",
            ["\(number(10)).2.json", "\(number(10)).json"])
        #expect(
            try scene.queue.failed.appending("\(number(10)).2.json").text()
                == QueueScene.marker(10, note: "others"))
    }

    @Test func `a bad entry doesn't hold up the good ones`() throws {
        try scene.deliver("{}", 10)
        try scene.deliver(QueueScene.marker(11), 11)
        try scene.deliver("", 12)
        try scene.deliver(QueueScene.note(13), 13)
        try scene.deliver(QueueScene.marker(14), 14)
        #expect(
            try scene.results().map { $0.prefix(while: { $0 != ":" }) } == [
                "10 rejected", "11 applied", "12 waiting", "13 waiting", "14 applied",
            ])
    }
}
