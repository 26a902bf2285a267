import FileHarness
import Foundation
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import Testing
import TraceFiles

@testable import TraceStore

/// Entries of one journal don't overtake each other, whatever keeps one of them waiting.
struct DrainOrderTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    var session: SampleSession { scene.session }

    private static let behind = "waiting: an entry before it could not be written"

    /// Which markers stand, in the order of their lines.
    private func markers() throws -> [Int] {
        try session("markers.jsonl").text().split(separator: "\n").compactMap { line in
            let id = line.firstMatch(of: #/"id":"01J0*(\d+)"/#)?.1
            return id.flatMap { Int($0) }
        }
    }

    /// Finds the session from the fourth time on that it is looked for.
    private func locateLate() -> (ULID) -> [FilePath] {
        let count = Mutex(0)
        return { [scene] id in
            count.withLock {
                $0 += 1; return $0
            } > 3 ? scene.locate(id) : []
        }
    }

    // MARK: - In a drain

    @Test func `a session that comes while the spool is looked through gets all of its entries in order`()
        throws
    {
        let ids = Array(100..<110)
        for id in ids { try scene.deliver(QueueScene.marker(id), id) }
        let drain = Drain(scene.queue, now: { morning }, locate: locateLate())
        #expect(try Set(drain.run().map(\.result.name)) == ["waiting"])
        #expect(try markers() == [])
        #expect(try Set(scene.drain().map(\.result.name)) == ["applied"])
        #expect(try markers() == ids)
    }

    /// Fails once, when a file's first bytes are handed to the kernel.
    private func failingOnce(_ name: FilePath.Component, at step: WriteStep = .write) -> FailPoint {
        let failed = Mutex(false)
        return { now, path throws(Errno) in
            guard now == step, path.lastComponent == name else { return }
            if failed.withLock({
                let isFirst = !$0; $0 = true; return isFirst
            }) {
                throw .noSpace
            }
        }
    }

    @Test(arguments: ["markers.jsonl", "applied.jsonl"])
    func `what is behind a batch that could not be written waits`(file: String) throws {
        let ids = Array(100..<200)
        for id in ids { try scene.deliver(QueueScene.marker(id), id) }
        let name = try #require(FilePath.Component(file))
        let results = try scene.drain(failPoint: failingOnce(name)).map(QueueScene.summary)
        #expect(results.prefix(64).allSatisfy { $0.contains(" failed: ") })
        #expect(results.dropFirst(64).elementsEqual(ids.dropFirst(64).map { "\($0) \(Self.behind)" }))
        #expect(try markers().count == (file == "applied.jsonl" ? 64 : 0))
        #expect(try scene.drain().count == 100)
        #expect(try markers() == ids)
    }

    @Test func `where one file of a session can't be written, what is behind for the others waits, too`()
        throws
    {
        for id in [10, 12] {
            try scene.deliver(QueueScene.note(id), id)
            try scene.local.appending("\(number(id)).m4a").write(QueueScene.sound)
        }
        try scene.deliver(QueueScene.marker(11), 11)
        let results = try scene.drain(failPoint: failingOnce("markers.jsonl")).map(QueueScene.summary)
        #expect(results.count == 3 && results[0] == "10 applied" && results[2] == "12 \(Self.behind)")
        #expect(results[1].hasPrefix("11 failed"))
        #expect(try scene.results() == ["11 applied", "12 applied"])
    }

    @Test func `what is behind it waits however often it was delivered`() throws {
        try scene.deliver(QueueScene.marker(11), 11)
        for spool in [scene.local, scene.phone] {
            try scene.deliver(QueueScene.note(12), 12, to: spool)
            try spool.appending("\(number(12)).m4a").write(QueueScene.sound)
        }
        let results = try scene.drain(failPoint: failingOnce("markers.jsonl")).map(QueueScene.summary)
        #expect(results.count == 3 && results[0].hasPrefix("11 failed"))
        #expect(results.dropFirst().allSatisfy { $0 == "12 \(Self.behind)" })
        #expect(!session("voice_notes.jsonl").exists)
        #expect(try scene.results() == ["11 applied", "12 applied", "12 already-applied"])
    }

    @Test func `entries of several spools are written in the order in which they were made`() throws {
        try scene.deliver(QueueScene.marker(12), 12)
        for id in [11, 13] { try scene.deliver(QueueScene.marker(id), id, to: scene.phone) }
        #expect(try scene.results() == ["11 applied", "12 applied", "13 applied"])
        #expect(try markers() == [11, 12, 13])
    }

    @Test func `what is behind an entry that is not tried yet waits, and what is before it does not`() throws
    {
        for id in 10...12 { try scene.deliver(QueueScene.marker(id), id) }
        let drain = Drain(scene.queue, now: { morning }, locate: scene.locate)
        let outcomes = try drain.run(
            isDue: { $0.stem != "\(number(11))" }, behind: [session.path: number(11)])
        #expect(outcomes.map(QueueScene.summary) == ["10 applied", "12 \(Self.behind)"])
        #expect(outcomes.map(\.holdsUp) == [false, true])
        #expect(try scene.results() == ["11 applied", "12 applied"])
    }

    // MARK: - What waits for something of its own

    private static func marker(_ id: Int, naming note: Int) -> String {
        let line = QueueScene.markerLine(id).replacing("}", with: ",\"voice_note_id\":\"\(number(note))\"}")
        return QueueScene.entry(id, "marker", line)
    }

    @Test(arguments: [true, false])
    func `an entry that waits for its audio, or for its rest, holds up only what names its record`(
        isTorn: Bool
    ) throws {
        let note = QueueScene.note(11)
        try scene.deliver(isTorn ? String(note.prefix(100)) : note, 11)
        if isTorn { try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound) }
        // Of those that name it, the one before it came first.
        for id in [10, 13] { try scene.deliver(Self.marker(id, naming: 11), id) }
        for id in 14..<100 { try scene.deliver(QueueScene.marker(id), id) }
        try scene.deliver(Self.marker(100, naming: 11), 100)
        let results = try scene.results()
        let naming = "waiting: it names the record of entry \(number(11)), which waits"
        #expect(results[0] == "10 applied" && results[1].hasPrefix("11 waiting: "))
        #expect(results[2] == "13 \(naming)" && results.last == "100 \(naming)")
        #expect(try markers() == [10] + Array(14..<100))
        try scene.deliver(note, 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        #expect(try scene.results() == ["11 applied", "13 applied", "100 applied"])
    }

    @Test func `audio whose place is taken fails alone`() throws {
        try session("media").appending("\(number(11)).m4a").write("other")
        try scene.deliver(QueueScene.note(11), 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        for id in 12..<100 { try scene.deliver(QueueScene.marker(id), id) }
        let outcomes = try scene.drain()
        #expect(outcomes[0].result.name == "failed" && !outcomes[0].holdsUp)
        #expect(outcomes.dropFirst().allSatisfy { $0.result.name == "applied" })
    }

    // MARK: - In a batch that comes over the network

    private func items(_ ids: [Int]) throws -> [EntryDelivery.Item] {
        try ids.map { try scene.item(QueueScene.marker($0), $0) }
    }

    private func names(_ outcomes: [Result<EntryDelivery.Outcome, any Error>]) throws -> [String] {
        try outcomes.map { try $0.get().result.name }
    }

    @Test func `a session that comes while a batch is looked through gets all of it from the spool`() throws {
        let ids = Array(100..<110)
        let outcomes = try scene.delivery().deliver(items(ids), locate: locateLate())
        #expect(try Set(names(outcomes)) == ["waiting"])
        #expect(try markers() == [])
        #expect(try Set(scene.drain().map(\.result.name)) == ["applied"])
        #expect(try markers() == ids)
    }

    @Test func `what is behind a part of a batch that could not be written waits in the spool`() throws {
        let ids = Array(100..<200)
        let delivery = scene.delivery(failPoint: failingOnce("markers.jsonl"))
        let outcomes = try delivery.deliver(items(ids), locate: scene.locate)
        #expect(try Set(names(outcomes)) == ["waiting"])
        #expect(try markers() == [])
        #expect(try Set(scene.drain().map(\.result.name)) == ["applied"])
        #expect(try markers() == ids)
    }

    @Test func `what names the record of a note without its audio waits, however far behind in the batch`()
        throws
    {
        let ids = [11] + Array(14...100)
        let outcomes = try scene.delivery().deliver(
            ids.map { id in
                let entry =
                    switch id {
                    case 11: QueueScene.note(11)
                    case 100: Self.marker(100, naming: 11)
                    default: QueueScene.marker(id)
                    }
                return try scene.item(entry, id)
            }, locate: scene.locate)
        let waiting = try zip(ids, names(outcomes)).filter { $0.1 == "waiting" }.map(\.0)
        #expect(waiting == [11, 100])
        #expect(try markers() == Array(14..<100))
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        #expect(try scene.results() == ["11 applied", "100 applied"])
    }

    @Test
    func `a batch goes behind what an earlier one has left in the spool, unless that waits for its audio`()
        throws
    {
        try scene.deliver(QueueScene.note(99), 99)
        let first = try scene.delivery().deliver(items(Array(100..<110)), locate: { _ in [] })
        // The first of them once more, since its answer was lost.
        let second = try scene.delivery().deliver(items([100] + Array(110..<120)), locate: scene.locate)
        #expect(try Set(names(first) + names(second)) == ["waiting"])
        #expect(try markers() == [])
        _ = try scene.drain()
        #expect(try markers() == Array(100..<120))
        // The note still waits for its audio.
        #expect(
            try Set(names(scene.delivery().deliver(items([120, 121]), locate: scene.locate))) == ["applied"])
    }
}
