import Foundation
import ProgramHarness
import RecordFormat
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFormat
import TraceStore

/// Many writers of one session at once.
struct CrowdTests {
    @Test func `eight processes that mark and a daemon that drains lose nothing and halve nothing`() throws {
        let marks = Torture.size(full: 1000, sample: 5)
        let entries = Torture.size(full: 1000, sample: 50)
        let scratch = try Scratch()
        try scratch.session("set")
        let session = "\(scratch.sessions)/set"
        let daemon = try DaemonProcess(in: URL(filePath: scratch.path))
        let reader = HeaderReader(of: "\(session)/session.json")

        // Where the disk is slow, one may not get its turn in time: it is told so (75), and tries again.
        let crowd = try (1...8).map { process in
            try scratch.start(
                """
                for i in $(seq \(marks)); do
                  until "$TRACE" mark '\(session)' --no-queue --offset $i --label 'p\(process) '$i -q 2>error.\(process)
                  do [ $? = 75 ] || { echo "failed: $i: $(cat error.\(process))"; break; }
                  done
                done
                """, log: "crowd.\(process)")
        }
        let queue = Queue(scratch)
        for index in 0..<entries { try queue.add(markerAt: Int64(100_000 + index)) }
        for process in crowd { #expect(try process.wait(atMost: .seconds(3600)) == 0) }
        try soon("the spool is empty", within: Torture.isFull ? .seconds(600) : waitLimit) {
            try scratch.names(in: "state/queue").isEmpty
        }
        #expect(reader.stop() == [])
        #expect(daemon.terminate().status == 0)

        var ids: [String] = queue.ids
        for process in 1...8 {
            let said = try scratch.text("crowd.\(process)", filled: false).split(separator: "\n")
            ids += said.compactMap { $0.hasPrefix("marker: ") ? String($0.dropFirst(8)) : nil }
            #expect(said.count == marks && said.allSatisfy { $0.hasPrefix("marker: ") }, "\(said)")
        }
        #expect(ids.count == 8 * marks + entries)
        #expect(try scratch.idsOfLines("sessions/set/markers.jsonl").sorted() == ids.sorted())
        #expect(try scratch.trace("validate", session).status == 0)
    }
}

/// The local spool of a scratch directory, as a device fills it.
final class Queue {
    private(set) var ids: [String] = []
    private let spool: Spool

    init(_ scratch: Scratch) { spool = QueueDirectories(state: FilePath(scratch.state)).local }

    /// Queues a marker of the session `set`.
    func add(markerAt offset: Int64) throws {
        let set = try #require(ULID(number(1)))
        let now = Clock.now()
        let marker = Marker(
            id: IDGenerator.next(), offset: SessionOffset(milliseconds: offset), createdAt: now)
        try spool.add(
            SpoolEntry(id: marker.id, kind: .marker, journalID: set, createdAt: now, payload: marker.json))
        ids.append("\(marker.id)")
    }
}

/// A thread that reads a `session.json` again and again and notes whatever is not one whole session.
final class HeaderReader: Sendable {
    private let state = Mutex((isStopped: false, problems: [String]()))
    private let isDone = DispatchSemaphore(value: 0)

    init(of path: String) {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isStopped }) {
                let bytes = FileManager.default.contents(atPath: path)
                let object = bytes.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
                if object?["id"] as? String != number(1) || object?["status"] as? String == nil {
                    state.withLock {
                        $0.problems.append(bytes.map { String(decoding: $0, as: UTF8.self) } ?? "no file")
                    }
                }
                usleep(200)
            }
            isDone.signal()
        }
    }

    /// - Returns: What it met that was no session.
    func stop() -> [String] {
        state.withLock { $0.isStopped = true }
        isDone.wait()
        return state.withLock { $0.problems }
    }
}

extension Scratch {
    /// The id of each line of a file; a line that is no JSON object counts as its own text.
    func idsOfLines(_ file: String) throws -> [String] {
        try text(file, filled: false).split(separator: "\n").map { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["id"] as? String ?? "no object: \(line)"
        }
    }
}
