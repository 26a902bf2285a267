import Foundation
import Testing

@Suite(.serialized)
struct DaemonTests {
    private let active = "2026-02-11-loop-practice"

    /// What `trace sessions` and `trace markers list` answer for the whole copy.
    private func answers(_ copy: SampleCopy) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: copy.directory.appending(path: "sessions").path
        ).sorted()
        return try [Binaries.trace(["sessions", "--json"], in: copy.directory)]
            + names.map {
                try Binaries.trace(["markers", "list", copy.session($0).path, "--json"], in: copy.directory)
            }
    }

    private func append(_ line: String, to url: URL) throws {
        let file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
        try file.write(contentsOf: Data((line + "\n").utf8))
        try file.close()
    }

    private func marker(_ id: String, at offset: Int) -> String {
        #"{"id":"\#(id)","offset_ms":\#(offset),"created_at":"2026-02-11T19:02:30.000Z","source":"user"}"#
    }

    @Test func `a marker and a line of another program are in the index without a question being asked`()
        throws
    {
        let copy = try SampleCopy()
        let daemon = try DaemonProcess(in: copy.directory)
        let marker = try Binaries.trace(["mark", "--offset", "120000"], in: copy.directory)
        let id = String(marker.dropFirst("marker: ".count).dropLast())
        try append(
            self.marker("01KH70ZZZZZZZZZZZZZZZZZZZZ", at: 150_000),
            to: copy.session(active).appending(path: "markers.jsonl"))
        try soon("the daemon has read both") { daemon.log.components(separatedBy: "indexed").count >= 3 }
        let answer = try Binaries.trace(
            ["-v", "markers", "list", "--offset-min", "2:00", "--offset-max", "2:30"], in: copy.directory)
        #expect(answer == "\(id)\t120000\n01KH70ZZZZZZZZZZZZZZZZZZZZ\t150000\n")
    }

    @Test func `the same lines are found with the daemon stopped`() throws {
        let copy = try SampleCopy()
        try append(
            marker("01KH70ZZZZZZZZZZZZZZZZZZZZ", at: 150_000),
            to: copy.session(active).appending(path: "markers.jsonl"))
        let answer = try Binaries.trace(
            ["markers", "list", "--offset-min", "2:30", "--offset-max", "2:30"], in: copy.directory)
        #expect(answer == "01KH70ZZZZZZZZZZZZZZZZZZZZ\t150000\n")
    }

    @Test func `a session that appears in one move is indexed, and drains what waited for it`() throws {
        let copy = try SampleCopy()
        let aside = copy.directory.appending(path: "aside")
        try FileManager.default.moveItem(at: copy.session(active), to: aside)
        let daemon = try DaemonProcess(in: copy.directory)
        try copy.deliver("01KH6Z4Q0GMQ3Y360VA07Q20M9.json", to: daemon.queue)
        try copy.deliver("01KH6Z79RYNRTV7HECT4EZEFYS.json", to: daemon.queue)
        try copy.deliver("01KH6Z79RYNRTV7HECT4EZEFYS.m4a", to: daemon.queue)
        #expect(try Binaries.trace(["queue", "list"], in: copy.directory).split(separator: "\n").count == 2)
        try FileManager.default.moveItem(at: aside, to: copy.session(active))
        try soon("the queue is empty") {
            try Binaries.trace(["queue", "list"], in: copy.directory).isEmpty
        }
        let path = copy.session(active)
        #expect(
            try String(contentsOf: path.appending(path: "markers.jsonl"), encoding: .utf8).contains(
                "01KH6Z4Q0GMQ3Y360VA07Q20M9"))
        let audio = "01KH6Z79RYNRTV7HECT4EZEFYS.m4a"
        #expect(
            try Data(contentsOf: path.appending(path: "media/\(audio)"))
                == Data(contentsOf: SampleCopy.sample.appending(path: "queue/\(audio)")))
        #expect(try Binaries.trace(["validate", path.path], in: copy.directory) == "ok: \(path.path)\n")
    }

    @Test
    func `a session.json that was torn when something was marked is brought up to date once it is whole`()
        throws
    {
        let copy = try SampleCopy()
        let daemon = try DaemonProcess(in: copy.directory)
        let header = copy.session(active).appending(path: "session.json")
        let whole = try Data(contentsOf: header)
        try Data("{".utf8).write(to: header)
        let marker = try Binaries.trace(
            ["mark", copy.session(active).path, "--offset", "5", "-q"], in: copy.directory)
        #expect(marker.hasPrefix("marker: "))
        let notes = copy.directory.appending(path: "state/headers")
        try #require(try FileManager.default.contentsOfDirectory(atPath: notes.path).count == 1)
        try whole.write(to: header)
        try soon("session.json is up to date") {
            try FileManager.default.contentsOfDirectory(atPath: notes.path).isEmpty
        }
        #expect(try Data(contentsOf: header) != whole)
        _ = daemon
    }

    @Test func `audio that comes after its entry is awaited`() throws {
        let copy = try SampleCopy()
        let daemon = try DaemonProcess(in: copy.directory)
        try copy.deliver("01KH6Z79RYNRTV7HECT4EZEFYS.json", to: daemon.queue)
        let listed = try Binaries.trace(["queue", "list"], in: copy.directory)
        #expect(listed.hasPrefix("01KH6Z79RYNRTV7HECT4EZEFYS\tvoice_note\t"))
        try copy.deliver("01KH6Z79RYNRTV7HECT4EZEFYS.m4a", to: daemon.queue)
        try soon("the queue is empty") {
            try Binaries.trace(["queue", "list"], in: copy.directory).isEmpty
        }
    }

    @Test func `a record that an older copy of its file takes away is told, and comes back when asked for`()
        throws
    {
        let copy = try SampleCopy()
        let markers = copy.session(active).appending(path: "markers.jsonl")
        let older = try Data(contentsOf: markers)
        let daemon = try DaemonProcess(in: copy.directory)
        let id = "01KH6Z4Q0GMQ3Y360VA07Q20M9"
        try copy.deliver("\(id).json", to: daemon.queue)
        try soon("the entry is applied") { daemon.log.contains("result=applied") }
        let applied = try Data(contentsOf: markers)
        let synced = copy.directory.appending(path: "synced")
        try older.write(to: synced)
        #expect(rename(synced.path, markers.path) == 0)
        try soon("the daemon tells it") {
            daemon.log.contains("entry=\(id)") && daemon.log.contains("result=record-vanished")
        }
        #expect(try Data(contentsOf: markers) == older)
        let retried = try Binaries.trace(["queue", "retry", id], in: copy.directory)
        #expect(retried == "applied\t\(id)\tmarker in \(active)\n")
        #expect(try Data(contentsOf: markers) == applied)
    }

    @Test func `a mark that a program writes over, which sought to the end before, is reported and put back`()
        throws
    {
        let copy = try SampleCopy()
        let session = copy.session(active).path
        let markers = copy.session(active).appending(path: "markers.jsonl")
        let daemon = try DaemonProcess(in: copy.directory)
        let end = try Data(contentsOf: markers).count
        let said = try Binaries.trace(
            ["mark", session, "--offset", "5000", "--label", "Mine"], in: copy.directory)
        let id = String(said.dropFirst("marker: ".count).prefix(26))
        let phone = try FileHandle(forWritingTo: markers)
        try phone.seek(toOffset: UInt64(end))
        let line = marker("01KH70ZZZZZZZZZZZZZZZZZZZZ", at: 150_000).dropLast()
        let note = String(repeating: "x", count: 200)
        try phone.write(contentsOf: Data((line + #","note":"\#(note)"}"# + "\n").utf8))
        try phone.close()
        try soon("the daemon reports it: \(daemon.log)") {
            daemon.log.contains("id=\(id)") && daemon.log.contains("result=record-overwritten")
        }
        #expect(!daemon.log.contains("Mine"))
        let restored = try Binaries.trace(["restore"], in: copy.directory)
        #expect(restored.hasPrefix("restored: marker 0:05 \"Mine\" in "), "\(restored)")
        #expect(try String(contentsOf: markers, encoding: .utf8).contains(id))
    }

    @Test
    func
        `a mark that was written over while no daemon ran is reported by the next, though its file only grew`()
        throws
    {
        let copy = try SampleCopy()
        let session = copy.session(active).path
        let markers = copy.session(active).appending(path: "markers.jsonl")
        let settings = ["TRACE_SETTLE_TIME": "100ms"]
        let first = try DaemonProcess(in: copy.directory, environment: settings)
        _ = try answers(copy)
        #expect(first.terminate().status == 0)
        let end = try Data(contentsOf: markers).count
        let said = try Binaries.trace(
            ["mark", session, "--offset", "5000", "--label", "Mine"], in: copy.directory)
        let id = String(said.dropFirst("marker: ".count).prefix(26))
        let line = marker("01KH70ZZZZZZZZZZZZZZZZZZZZ", at: 150_000).dropLast()
        let note = String(repeating: "x", count: 200)
        let phone = try FileHandle(forWritingTo: markers)
        try phone.seek(toOffset: UInt64(end))
        try phone.write(contentsOf: Data((line + #","note":"\#(note)"}"# + "\n").utf8))
        try phone.close()
        // At rest when the daemon looks for the first time.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: markers.path)
        let second = try DaemonProcess(in: copy.directory, environment: settings)
        try soon("the daemon reports it: \(second.log)") {
            second.log.contains("id=\(id)") && second.log.contains("result=record-overwritten")
        }
        #expect(second.terminate().status == 0)
    }

    @Test func `killed and started again, the index is right and no file is read anew`() throws {
        let copy = try SampleCopy()
        let first = try DaemonProcess(in: copy.directory)
        let before = try answers(copy)
        first.kill()
        try append(
            marker("01KH70ZZZZZZZZZZZZZZZZZZZZ", at: 150_000),
            to: copy.session(active).appending(path: "markers.jsonl"))
        let second = try DaemonProcess(in: copy.directory)
        #expect(
            second.log.components(separatedBy: "indexed").count == 2,
            "only the session that changed is read: \(second.log)")
        #expect(second.log.contains("records=1"))
        let after = try answers(copy)
        #expect(after[1] == before[1])
        #expect(after[3] != before[3])
    }

    @Test func `an index that was deleted comes back the same`() throws {
        let copy = try SampleCopy()
        let first = try DaemonProcess(in: copy.directory)
        let before = try answers(copy)
        #expect(first.terminate().status == 0)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(at: first.state.appending(path: "index.sqlite\(suffix)"))
        }
        let second = try DaemonProcess(in: copy.directory)
        #expect(second.log.components(separatedBy: "indexed").count == 4)
        #expect(try answers(copy) == before)
    }

    /// How long that takes is a bar of the benchmarks; here, what it still does is counted.
    @Test func `asked to stop, it does next to nothing any more`() throws {
        let copy = try SampleCopy()
        let daemon = try DaemonProcess(in: copy.directory)
        let (status, work) = daemon.terminate()
        #expect(status == 0)
        #expect(work < .seconds(1))
    }

    @Test func `a second daemon on the same state directory refuses to start`() throws {
        let copy = try SampleCopy()
        let first = try DaemonProcess(in: copy.directory)
        let second = try DaemonProcess(in: copy.directory, awaitReady: false)
        #expect(second.waitForExit() == 75)
        #expect(second.log.hasPrefix("error: "))
        #expect(second.log.contains("another traced (process "))
        #expect(first.isRunning)
    }

    @Test func `a root that is not there yet is awaited`() throws {
        let copy = try SampleCopy()
        let sessions = copy.directory.appending(path: "sessions")
        let aside = copy.directory.appending(path: "aside")
        try FileManager.default.moveItem(at: sessions, to: aside)
        let daemon = try DaemonProcess(in: copy.directory)
        #expect(daemon.log.contains("root is offline"))
        try FileManager.default.moveItem(at: aside, to: sessions)
        try soon("its sessions are indexed") { daemon.log.components(separatedBy: "indexed").count == 4 }
    }

    @Test func `no word that a person wrote stands in the log`() throws {
        let copy = try SampleCopy()
        let daemon = try DaemonProcess(in: copy.directory, arguments: ["--log-level", "trace"])
        _ = try Binaries.trace(
            ["mark", "--offset", "120000", "--label", "Xylophon", "--note", "Zwölftonreihe"],
            in: copy.directory)
        try soon("the daemon has read it") { daemon.log.components(separatedBy: "indexed").count >= 5 }
        #expect(!daemon.log.contains("Xylophon"))
        #expect(!daemon.log.contains("Zwölftonreihe"))
        #expect(!daemon.log.contains("Café"))
    }

    @Test func `the service manager is told when it is ready and when it stops`() throws {
        let copy = try SampleCopy()
        let listener = try NotifyListener(in: copy.directory)
        let daemon = try DaemonProcess(in: copy.directory, environment: ["NOTIFY_SOCKET": listener.path])
        // Nothing but the wish for more time comes before.
        var message = try listener.next()
        while message.hasPrefix("EXTEND_TIMEOUT_USEC=") { message = try listener.next() }
        #expect(message == "READY=1\nSTATUS=watching 3 journals")
        #expect(daemon.terminate().status == 0)
        #expect(try listener.next() == "STOPPING=1\nSTATUS=stopping")
    }
}
