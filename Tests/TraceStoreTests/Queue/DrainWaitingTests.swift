import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceText

@testable import TraceStore

/// What stays in the spool, and what brings it on.
struct DrainWaitingTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    var session: SampleSession { scene.session }

    /// Drains, and expects one entry to wait for that reason with nothing written anywhere.
    func expectWaiting(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = try tree(of: scratch.path)
        let outcome = try #require(try scene.drain().first, sourceLocation: sourceLocation)
        #expect(outcome.result.name == "waiting", sourceLocation: sourceLocation)
        #expect(outcome.result.reason == reason, sourceLocation: sourceLocation)
        #expect(outcome.result.isPending, sourceLocation: sourceLocation)
        #expect(try tree(of: scratch.path) == before, sourceLocation: sourceLocation)
    }

    // MARK: - Sessions

    @Test func `an entry waits for its session, and a session that appears gets it`() throws {
        try scene.deliver(QueueScene.marker(10, session: number(7)), 10)
        try expectWaiting("its session \(number(7)) was not found")
        let header = SampleSession.header.replacing(SampleSession.id.description, with: number(7).description)
        let other = try SampleSession(at: scratch("more").appending("late"), header: header)
        #expect(try scene.results() == ["10 applied"])
        #expect(try other("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
        #expect(try session("markers.jsonl").text() == "")
    }

    @Test func `while copies of a session's directory lie about, nothing is guessed`() throws {
        let copy = try SampleSession(at: scratch("more").appending("set (copy)"))
        try scene.deliver(QueueScene.marker(10), 10)
        try expectWaiting("several directories hold session \(number(1))")
        try #require(unlink(copy("session.json").string) == 0)
        #expect(try scene.results() == ["10 applied"])
        #expect(try copy("markers.jsonl").text() == "")
    }

    @Test(arguments: ["", "{\"id\":", "[]", "{}"])
    func `a session whose header is broken is not here`(header: String) throws {
        try session("session.json").write(header)
        try scene.deliver(QueueScene.marker(10), 10)
        try expectWaiting("its session \(number(1)) was not found")
        try session("session.json").write(SampleSession.header)
        #expect(try scene.results() == ["10 applied"])
    }

    @Test func `a directory that holds another session by now gets nothing`() throws {
        let header = SampleSession.header.replacing(SampleSession.id.description, with: number(7).description)
        try session("session.json").write(header)
        try scene.deliver(QueueScene.marker(10), 10)
        let before = try tree(of: session.path)
        let stale = Drain(scene.queue, now: { morning }) { _ in [session.path] }
        #expect(
            try stale.run().map(QueueScene.summary) == ["10 waiting: its session \(number(1)) was not found"])
        #expect(try tree(of: session.path) == before)
    }

    @Test func `a directory that is no session by now gets nothing, and the others go on`() throws {
        try scene.deliver(QueueScene.marker(10, session: number(7)), 10)
        try scene.deliver(QueueScene.marker(11), 11)
        let plain = scratch("plain")
        try OpenDirectory.make(plain)
        let stale = Drain(scene.queue, now: { morning }) { $0 == number(7) ? [plain] : [session.path] }
        #expect(
            try stale.run().map(QueueScene.summary) == [
                """
                10 failed: \(plain.string): there is no session.json [not-found]
                  hint: give a session directory
                """, "11 applied",
            ])
        #expect(try tree(of: plain) == [:])
        #expect(try scene.names(scene.local) == ["\(number(10)).json"])
    }

    // MARK: - Entries in transit

    @Test func `an entry that is half-written waits until it is whole`() throws {
        for part in ["", "{\"id\":\"01J", String(QueueScene.marker(10).dropLast(3)), "\u{0}\u{0}\u{0}"] {
            try scene.deliver(part, 10)
            let outcome = try #require(try scene.drain().first)
            #expect(outcome.result.name == "waiting")
            #expect(outcome.result.reason?.hasPrefix("the entry is incomplete: byte ") == true)
            #expect(outcome.entry == nil)
        }
        try scene.deliver("", 10)
        #expect(try scene.results() == ["10 waiting: the entry is incomplete: byte 0: expected an object"])
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
    }

    // MARK: - Audio

    @Test func `a voice note waits for its audio, missing or half there, in any order of arrival`() throws {
        let name = "\(number(11)).m4a"
        let audio = scene.local.appending(name)
        try scene.deliver(QueueScene.note(11), 11)
        try expectWaiting("its audio '\(name)' is missing")
        try audio.write("sou")
        let outcome = try #require(try scene.drain().first)
        #expect(outcome.result.reason == "its audio '\(name)' is incomplete")
        #expect(try tree(of: session.path)["voice_notes.jsonl"] == nil)
        #expect(try scene.names(session("media")) == [])
        // All its bytes are announced by its size, but not yet filled in.
        try audio.write("sou\u{0}\u{0}")
        try expectWaiting("its audio '\(name)' is incomplete")
        #expect(try session("session.json").text() == SampleSession.header)

        try audio.write(QueueScene.sound)
        #expect(try scene.results() == ["11 applied"])
        #expect(try session("media").appending(name).text() == QueueScene.sound)
        #expect(try session("voice_notes.jsonl").text() == QueueScene.noteLine(11) + "\n")
        #expect(try session("session.json").text() == QueueScene.header(voiceNotes: true))
        #expect(try scene.names(scene.queue.done) == ["\(number(11)).json", name])
        #expect(try scene.names(scene.local) == [])
    }

    @Test func `audio that came before its entry lies still`() throws {
        try OpenDirectory.make(scene.local)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        #expect(try scene.results() == [])
        #expect(try scene.names(scene.local) == ["\(number(11)).m4a"])
    }

    @Test(arguments: ["01j00000000000000000000011.m4a", "01J00000000000000000000011.M4A"])
    func `audio whose name was case-folded is found, and filed as the record says`(name: String) throws {
        try scene.deliver(QueueScene.note(11), 11)
        try scene.local.appending(name).write(QueueScene.sound)
        #expect(try scene.results() == ["11 applied"])
        #expect(try scene.names(session("media")) == ["\(number(11)).m4a"])
        #expect(try scene.names(scene.queue.done) == ["\(number(11)).json", name].sorted())
    }

    @Test func `one spool has the audio, the other not: the note stands once`() throws {
        for spool in [scene.local, scene.phone] { try scene.deliver(QueueScene.note(11), 11, to: spool) }
        try scene.phone.appending("\(number(11)).m4a").write(QueueScene.sound)
        #expect(
            try scene.results().sorted() == [
                "11 applied", "11 waiting: its audio '\(number(11)).m4a' is missing",
            ])
        #expect(try scene.results() == ["11 already-applied"])
        #expect(try session("voice_notes.jsonl").text() == QueueScene.noteLine(11) + "\n")
        #expect(try scene.names(scene.local) + scene.names(scene.phone) == [])
        #expect(try scene.names(scene.queue.done) == ["\(number(11)).json", "\(number(11)).m4a"])
    }

    @Test func `audio that a killed run placed already is taken for its own`() throws {
        try session("media").appending("\(number(11)).m4a").write(QueueScene.sound)
        try scene.deliver(QueueScene.note(11), 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        #expect(try scene.results() == ["11 applied"])
    }

    @Test func `a place in media that has other contents is not overwritten`() throws {
        let place = session("media").appending("\(number(11)).m4a")
        try place.write("other")
        try scene.deliver(QueueScene.note(11), 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        #expect(
            try scene.results() == [
                """
                11 failed: \(place.string): already exists, with different contents [already-exists]
                  hint: move the existing file away, or give the new one another name
                """
            ])
        #expect(try place.text() == "other")
        try #require(unlink(place.string) == 0)
        #expect(try scene.results() == ["11 applied"])
    }

    @Test func `a media directory that is a link is for the user to mend, and the entry stays`() throws {
        try OpenDirectory.make(scratch("big disk"))
        try #require(rmdir(session("media").string) == 0)
        try session("media").link(to: "../big disk")
        try scene.deliver(QueueScene.note(11), 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        #expect(
            try scene.results() == [
                """
                11 failed: \(session("media").string): cannot open the directory: Too many levels of symbolic links \
                [leaves-session]
                  hint: replace the symbolic link with its target
                """
            ])
        #expect(try scene.names(scratch("big disk")) == [])
        #expect(try scene.names(scene.local).count == 2)
    }

    // MARK: - What fails

    @Test func `a ledger that can't be written is tried again, and the record stands once`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        let outcomes = try scene.drain(failPoint: { step, path throws(Errno) in
            if step == .write, path.lastComponent == "applied.jsonl" { throw .noSpace }
        })
        #expect(
            outcomes.map(QueueScene.summary) == [
                """
                10 failed: \(scene.queue.state.appending("applied.jsonl").string): cannot write: \
                No space left on device [disk-full]
                  hint: free some space on this file system, then try again
                """
            ])
        #expect(outcomes[0].result.isPending)
        #expect(try scene.names(scene.local) == ["\(number(10)).json"])
        #expect(try scene.results() == ["10 already-applied"])
        #expect(try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
        #expect(try scene.ledger() == [10])
    }

    @Test func `a ledger that can't be read stops the drain before anything is written`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try OpenDirectory.make(scene.queue.state.appending("applied.jsonl"))
        let before = try tree(of: scratch.path)
        expectError(
            .notRegularFile,
            """
            \(scene.queue.state.appending("applied.jsonl").string): is a directory, not a regular file [not-regular-file]
              hint: put a regular file in its place
            """
        ) { try scene.drain() }
        #expect(try tree(of: scratch.path) == before)
    }

    @Test func `audio or an entry that is a link waits for the file itself`() throws {
        try scene.root.appending("secret").write(QueueScene.sound)
        try scene.deliver(QueueScene.note(11), 11)
        try scene.local.appending("\(number(11)).m4a").link(to: "../../secret")
        try scene.root.appending("entry").write(QueueScene.marker(10))
        try scene.local.appending("\(number(10)).json").link(to: "../../entry")
        #expect(
            try scene.results() == [
                "10 waiting: the entry is a link; put the file itself in its place",
                """
                11 waiting: its audio '\(number(11)).m4a' is not a regular file; put the file itself in its place
                """,
            ])
        #expect(!session("media").appending("\(number(11)).m4a").exists)
        #expect(try session("markers.jsonl").text() == "")
    }

    @Test func `a header that can't be updated keeps the entry until it can`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        let outcomes = try scene.drain(failPoint: { step, path throws(Errno) in
            if step == .rename, path.lastComponent == "session.json" { throw .ioError }
        })
        #expect(
            outcomes.map(QueueScene.summary) == [
                """
                10 failed: \(session("session.json").string): the records were written, but session.json could not be updated: \
                cannot rename the new file to: Input/output error [io]
                  hint: check the disk (dmesg, smartctl) before writing to it again
                """
            ])
        #expect(try scene.ledger() == [])
        #expect(try scene.results() == ["10 already-applied"])
        #expect(try session("session.json").text() == QueueScene.header())
        #expect(try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
    }

    @Test func `a spool that can't be listed is reported, and the others are drained`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try #require(rmdir(scene.phone.string) == 0)
        try scene.phone.link(to: "phone")
        var reports: [String] = []
        #expect(
            try scene.drain(report: { reports.append($0.description) }).map(QueueScene.summary) == [
                "10 applied"
            ])
        #expect(
            reports == [
                """
                \(scene.phone.string): cannot open the directory: Too many levels of symbolic links [leaves-session]
                  hint: replace the symbolic link with its target
                """
            ])
    }

    @Test func `something that is no file under an entry's name is reported and stays`() throws {
        try OpenDirectory.make(scene.local.appending("\(number(10)).json"))
        try scene.deliver(QueueScene.marker(11), 11)
        let results = try scene.results()
        #expect(results.count == 2)
        #expect(results[0].hasPrefix("10 failed: "))
        #expect(results[1] == "11 applied")
        #expect(try scene.names(scene.local) == ["\(number(10)).json"])
    }
}
