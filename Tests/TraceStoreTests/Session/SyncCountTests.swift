import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceExchange
import TraceFiles
import TraceFormat

@testable import TraceStore

/// The counters are the process's, and other tests write too: so each of these runs in a process of its own.
private func syncs(_ body: () throws -> Void) rethrows -> Int {
    let before = WriteCounts.now.syncs
    try body()
    return WriteCounts.now.syncs - before
}

/// How often each operation makes something durable; docs/durability.md says what each time. A sync that is missing shows
/// in nothing else but a power cut.
struct SyncCountTests {
    @Test func `a line is synced, and with the first one the name`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            let lock = try DirectoryLock(scratch.path)
            let line = Array("one".utf8)
            #expect(try syncs { _ = try lock.appendLine(line, to: "a.jsonl") { _ in true } } == 2)
            #expect(try syncs { _ = try lock.appendLine(line, to: "a.jsonl") { _ in true } } == 1)
        }
    }

    @Test func `a new file is synced, then its name`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            let directory = try OpenDirectory(scratch.path)
            #expect(try syncs { _ = try directory.replaceFile("a", with: [1], expecting: nil) } == 2)
            #expect(try syncs { try directory.writeFile("b", isReplacing: false) { try $0([1]) } } == 2)
            #expect(try syncs { try directory.writeFile("b", isReplacing: true) { try $0([2]) } } == 2)
        }
    }

    @Test func `an entry of the queue is durable, also one that was there already`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            let spool = Spool(scratch("queue"))
            try OpenDirectory.make(spool.path)
            let entry = SpoolEntry(
                id: number(10), kind: .marker, journalID: SampleSession.id, createdAt: morning, device: nil,
                payload: JSONText(verbatim: QueueScene.markerLine(10).utf8))
            #expect(try syncs { try spool.add(entry) } == 2)
            #expect(try syncs { try spool.add(entry) } == 2)
        }
    }

    @Test func `that somebody delivers a record is noted without a sync`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            let scene = try QueueScene(in: scratch.path)
            func send(_ id: Int, _ deliverer: Deliverer?) throws -> Int {
                try syncs { _ = try scene.send(QueueScene.marker(id), id, deliveredBy: deliverer) }
            }
            _ = try send(10, nil)
            let count = try send(11, nil)
            #expect(try send(12, Deliverer(token: number(90), person: "Ada")) == count)
        }
    }

    @Test func `the note that an action runs is durable before it runs`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            try OpenDirectory.make(scratch("state").appending("running"))
            #expect(
                try syncs {
                    _ = try RunningAction(number(1), of: scratch("set"), state: scratch("state"))
                } == 2)
        }
    }

    @Test func `a new session's name is synced, too`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            // Three files, each with its name, then the name of the session.
            #expect(
                try syncs {
                    _ = try SessionWriter.create(at: scratch("set"), title: "Set", start: morning)
                } == 7)
        }
    }

    @Test func `a file that was moved is synced under both names`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            try scratch.write("one", to: "a")
            let directory = try OpenDirectory(scratch.path)
            try OpenDirectory.make(scratch("other"))
            let other = try OpenDirectory(scratch("other"))
            #expect(try syncs { _ = try directory.moveFile("a", to: "a", in: other) } == 2)
        }
    }

    @Test func `an import that finds all of its markers makes sure that they are durable`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            let markers = try importing("1\t1\tnew\n")
            _ = try markers.run(scene.writer())
            #expect(try syncs { _ = try markers.run(scene.writer()) } == 2)
        }
    }

    @Test func `where nothing is removed, nothing is synced`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            try scratch.write("", to: "a")
            let directory = try OpenDirectory(scratch.path)
            #expect(try syncs { try directory.remove([]) } == 0)
            #expect(try syncs { try directory.remove(["a"]) } == 1)
        }
    }
}
