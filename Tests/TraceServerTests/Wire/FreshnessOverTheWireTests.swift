import Foundation
import Glibc
import ProgramHarness
import Synchronization
import TestSupport
import Testing

/// How answers about many sessions are known to be true.
struct FreshnessOverTheWireTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample(["TRACE_RECONCILE_INTERVAL": "1h"]) }

    private func fresh(_ path: String, _ fields: [(String, String)] = []) throws -> String? {
        let answer = try sample.ask("GET", path, fields)
        #expect(answer.status == 200, "\(path): \(answer)")
        return answer["trace-fresh"]
    }

    private static let paths = [
        "/sessions", "/sessions?limit=1", "/markers", "/search?q=a", "/at?time=2026-02-04T20:15Z",
        "/findings", "/digest",
        "/status",
    ]

    @Test func `an answer about many sessions says that they are watched, and one about a session nothing`()
        throws
    {
        for path in Self.paths {
            #expect(try fresh(path) == "watched", "\(path)")
        }
        #expect(try fresh("/sessions", [("Accept", "application/jsonl")]) == "watched")
        #expect(try fresh("/sessions/\(ServedSample.lateSetID)") == nil)
        #expect(try fresh("") == nil)
    }

    @Test func `what was written before a request is in its answer`() throws {
        for round in 0..<5 {
            let id = "01M847NQ8237CFSE465Z4YNK0\(round)"
            try sample.addSession(Array("new \(round)".utf8), ["id": id, "title": "New \(round)"])
            let titles = try sample.ask("GET", "/sessions").rows.compactMap { $0["title"] as? String }
            #expect(titles.contains("New \(round)"), "\(titles)")
            let line =
                #"{"id":"01M847NQ8237CFSE465Z4YNK1\#(round)","offset_ms":1,"created_at":"2026-02-01T18:00:00.000Z","#
                + #""source":"user","label":"freshly\#(round)"}"# + "\n"
            try Data(line.utf8).write(to: sample.session("new \(round)").appending(path: "markers.jsonl"))
            let found = try sample.ask("GET", "/search?q=freshly\(round)")
            #expect(found.rows.count == 1, "\(found)")
        }
    }

    @Test func `a mark that is written beside the server is in the next list, though one was just sent`()
        throws
    {
        func count() throws -> Int? {
            try sample.ask("GET", "/sessions").rows.first { row in
                row["handle"] as? String == ServedSample.lateSetID
            }?["marker_count"] as? Int
        }
        let first = try #require(try count())
        let file = try FileHandle(
            forWritingTo: sample.session(ServedSample.lateSet).appending(path: "markers.jsonl"))
        for number in 1...50 {
            try file.seekToEnd()
            try file.write(
                contentsOf: Data(
                    (#"{"id":"01M847NQ8237CFSE465Z4YP0\#(number + 10)","offset_ms":\#(number),"#
                        + #""created_at":"2026-02-05T10:00:00.000Z","source":"user"}"# + "\n").utf8))
            #expect(try count() == first + number)
            // Out of memory.
            #expect(try count() == first + number)
        }
        try file.close()
    }

    @Test func `a change that no watcher sees is shown soon, however often the list is asked for`() throws {
        let file = sample.session(ServedSample.lateSet).appending(path: "session.json")
        let text = try Data(contentsOf: file)
        let place = try #require(text.range(of: Data("Late set".utf8))).lowerBound
        let descriptor = open(file.path, O_RDWR)
        try #require(descriptor >= 0)
        let bytes = try #require(
            mmap(nil, text.count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0))
        try #require(bytes != MAP_FAILED)
        defer { munmap(bytes, text.count) }
        // Closing a descriptor that could write is an event; what follows is none.
        close(descriptor)
        try soon("the list is one of a moment ago") { try fresh("/sessions") == "watched" }
        // Sound: the mapping is as long as the file, which nobody makes shorter.
        bytes.storeBytes(of: UInt8(ascii: "H"), toByteOffset: place, as: UInt8.self)
        try soon("the title is shown") {
            try sample.ask("GET", "/sessions").rows.contains {
                ($0["title"] as? String)?.hasPrefix("Hate set") == true
            }
        }
    }

    @Test func `of a session that changes all the time an answer about all of them says that it lacks`()
        throws
    {
        for (index, session) in [ServedSample.lateSetID, ServedSample.activeID].enumerated() {
            let marker = ServedSample.markerPath(number(70 + index), in: session)
            let json = #"{"offset_ms":1000,"label":"mark \#(index)"}"#
            #expect(try sample.ask("PUT", marker, json: json).isWritten)
        }
        let file = sample.session(ServedSample.lateSet).appending(path: "markers.jsonl")
        let place = try #require(try Data(contentsOf: file).range(of: Data("1000,\"label\":\"mark 0".utf8)))
        let descriptor = open(file.path, O_WRONLY)
        try #require(descriptor >= 0)
        let isOver = Flag()
        let isEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var offset = 1000
            while !isOver.value.load(ordering: .relaxed) {
                offset = offset < 9999 ? offset + 1 : 1000
                pwrite(descriptor, "\(offset)", 4, off_t(place.lowerBound))
            }
            close(descriptor)
            isEnded.signal()
        }
        defer {
            isOver.value.store(true, ordering: .relaxed)
            isEnded.wait()
        }
        // Now and then it rests for as long as an answer takes.
        try soon("it is left out") {
            let answer = try sample.ask("GET", "/markers?limit=1000")
            #expect(answer.status == 200 && answer.text.contains("mark 1"), "\(answer)")
            let isLeftOut = answer["trace-left-out"] == "1"
            #expect(answer.text.contains("mark 0") != isLeftOut, "\(answer)")
            return isLeftOut || answer.status != 200
        }
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    @Test func `a client may have all compared, twice a minute`() throws {
        let fields = [("Cache-Control", "max-age=0, No-Cache")]
        // Two at once; a third only if half a minute has passed since.
        let start = ContinuousClock.now
        let answers = try (0..<3).map { _ in try fresh("/sessions", fields) }
        #expect(answers.prefix(2) == ["checked", "checked"])
        if start.duration(to: .now) < .seconds(30) { #expect(answers.last == "watched") }
        #expect(try fresh("/sessions", [("Cache-Control", "no-store")]) == "watched")
    }

    @Test func `while the index is filled again, answers are right, or say when to ask again`() throws {
        let all = try sample.ask("GET", "/sessions").rows.count
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
            try? FileManager.default.removeItem(at: sample.daemon.state.appending(path: name))
        }
        var answer = try sample.ask("GET", "/sessions")
        for _ in 0..<10 {
            #expect(answer.status == 200 || answer.status == 503, "\(answer)")
            if answer.status == 200 { #expect(answer.rows.count == all) }
            answer = try sample.ask("GET", "/sessions")
        }
        // The first question has the daemon look at its index, which it else does once a minute.
        try soon("sessions are watched again", within: .seconds(30)) {
            try sample.ask("GET", "/sessions")["trace-fresh"] == "watched"
        }
        #expect(try sample.ask("GET", "/sessions").rows.count == all)
    }
}
