import FileHarness
import Glibc
import Journals
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceIndex
import TraceMedia
import TraceStore
import TraceText

@testable import TraceLibrary

/// Delivery by the index: sessions are found, ids are seen to be taken, and what it costs does not grow with the session.
struct DeliveryTests {
    private let scratch: ScratchDirectory
    private let scene: QueueScene
    private let index: JournalIndex
    private let ledger = LedgerMemory()

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
        try OpenDirectory.make(scene.queue.state)
        index = try JournalIndex(at: scratch("index.sqlite"), formats: Journals.all)
    }

    private var delivery: Delivery {
        Delivery(
            index: index, roots: SessionRoots([scratch.path]), queue: scene.queue, runtimeDirectory: nil,
            ledger: ledger, lockTimeout: waitLimit)
    }

    private func reconcile() throws {
        _ = try index.reconcile(journal: scene.session.path, in: scratch.path, settleTime: .zero)
    }

    private func deliver(_ id: Int, note: String = "") throws -> String {
        try delivery.deliver(scene.item(QueueScene.marker(id, note: note), id)).result.name
    }

    private var lines: [String] {
        get throws {
            try scene.session("markers.jsonl").text().split(separator: "\n").map(String.init)
        }
    }

    @Test func `a session that the index does not know waits, and one that it knows is written`() throws {
        #expect(try deliver(10) == "waiting")
        let item = try scene.item(QueueScene.marker(11), 11)
        #expect(try delivery.deliver(item, into: scene.session.path).result.name == "applied")
        try reconcile()
        #expect(try deliver(10) == "applied")
        #expect(try scene.results() == ["10 already-applied"])
        #expect(try lines == [11, 10].map { QueueScene.markerLine($0) })
    }

    @Test func `ids are seen to be taken, whether the index has read their lines or not`() throws {
        try reconcile()
        for _ in 0..<2 {
            for id in 10..<14 {
                // What came before is in the index, or behind what it has read.
                #expect(["applied", "already-applied"].contains(try deliver(id)))
                if id.isMultiple(of: 2) { try reconcile() }
                #expect(try deliver(id) == "already-applied")
                #expect(try deliver(id, note: "other") == "conflict")
            }
        }
        #expect(try lines == (10..<14).map { QueueScene.markerLine($0) })
        try scene.session("voice_notes.jsonl").write(QueueScene.noteLine(20) + "\n")
        #expect(try deliver(20) == "conflict")
        try reconcile()
        #expect(try deliver(20) == "conflict")
        // An editor has taken one out, and the index does not know it yet.
        try scene.session("markers.jsonl").write(QueueScene.markerLine(11) + "\n")
        #expect(try deliver(10) == "record-vanished")
    }

    @Test func `an index that is gone leaves the look to the files`() throws {
        try reconcile()
        #expect(try deliver(10) == "applied")
        for suffix in ["", "-wal", "-shm"] { unlink(scratch("index.sqlite").string + suffix) }
        let item = try scene.item(QueueScene.marker(10, note: "other"), 10)
        #expect(try delivery.deliver(item, into: scene.session.path).result.name == "conflict")
    }

    @Test
    func
        `a voice note that a drain has just written is there when its audio comes again, and gone only once it is`()
        throws
    {
        let sound = scratch.path.appending("sound")
        try sound.write(QueueScene.sound)
        let session = scene.session.path
        func bring() throws -> EntryDelivery.Outcome? {
            try delivery.deliver(
                audio: sound, size: Int64(QueueScene.sound.utf8.count), container: .mp4,
                sha256: QueueScene.soundChecksum, of: number(11), to: SampleSession.id)
        }
        #expect(try bring() == nil, "its record is missing")
        #expect(
            try delivery.deliver(scene.item(QueueScene.note(11), 11), into: session).result.name == "waiting")
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        #expect(try scene.results() == ["11 applied"])
        // The index knows the session only, then the record too; a caller that has seen the session says where it is.
        for _ in 0..<2 {
            try reconcile()
            let outcome = try #require(try bring())
            #expect(outcome.result.name == "already-applied")
            #expect(outcome.session == session)
            #expect(outcome.line == Array(QueueScene.noteLine(11).utf8))
        }
        try scene.session("voice_notes.jsonl").write("")
        #expect(try bring()?.result.name == "record-vanished")
    }

    @Test func `beyond the limit of a token, what waits for a session that the index knows is still taken`()
        throws
    {
        var limits = SpoolAllowance.Limits()
        limits.count = 2
        limits.reserve = 0
        let delivery = Delivery(
            index: index, roots: SessionRoots([scratch.path]), queue: scene.queue, runtimeDirectory: nil,
            ledger: ledger, allowance: SpoolAllowance(limits))
        let phone = Deliverer(token: number(90))
        func send(_ id: Int, to session: ULID) throws -> String {
            let marker = QueueScene.marker(id, session: session)
            let item = try scene.item(marker, id, deliveredBy: phone)
            do { return try delivery.deliver(item).result.name } catch {
                return error.anyReport.code ?? ""
            }
        }
        try reconcile()
        // As a disk that is not mounted.
        try #require(rename(scene.session.path.string, scratch("away").string) == 0)
        #expect(try (10..<13).map { try send($0, to: number(7)) } == ["waiting", "waiting", "queue-full"])
        #expect(try (13..<15).map { try send($0, to: SampleSession.id) } == ["waiting", "waiting"])
        #expect(try send(15, to: number(8)) == "queue-full")
    }

    @Test func `who delivered a record is known, and who has removed it changes nothing`() throws {
        try reconcile()
        let phone = Deliverer(token: number(90), person: "Ada")
        #expect(try delivery.deliverer(of: number(10), in: SampleSession.id) == nil)
        _ = try delivery.deliver(scene.item(QueueScene.marker(10), 10, deliveredBy: phone))
        #expect(try delivery.deliverer(of: number(10), in: SampleSession.id) == phone)
        _ = try MarkerRemoval(SessionWriter(scene.session.path), queue: scene.queue).remove(number(10))
        #expect(try deliver(10) == "removed")
        #expect(try delivery.deliverer(of: number(10), in: SampleSession.id) == phone)
    }

    @Test func `a mark into 30,000 markers reads hardly more than one into ten`() throws {
        let old = (0..<50_000).map { "{\"id\":\"\(number(200_000 + $0))\",\"applied_at\":\"\"}\n" }
        try scene.queue.state.appending("applied.jsonl").write(old.joined())
        let markers = scene.session("markers.jsonl")
        func cost(_ first: Int, of count: Int) throws -> Int {
            try markers.write((0..<count).map { QueueScene.markerLine(100_000 + $0) + "\n" }.joined())
            try reconcile()
            #expect(try deliver(first) == "applied")
            try reconcile()
            // Of several, for the first also fills the caches of SQLite.
            let costs = try (1...3).map { number in
                try CountedWork.bytesRead { _ = try deliver(first + number) }
            }
            #expect(try lines.count == count + 4)
            return costs.max() ?? 0
        }
        let few = try cost(10, of: 10)
        let many = try cost(20, of: 30_000)
        // The first block of the file and the last two are compared, and pages of the index are read.
        #expect(many < few + (512 << 10), "\(many) bytes instead of \(few)")
        #expect(many < 1 << 20, "\(many) bytes")
    }

    @Test func `a drain asks the index too`() throws {
        let markers = scene.session("markers.jsonl")
        try markers.write((0..<30_000).map { QueueScene.markerLine(100_000 + $0) + "\n" }.joined())
        try reconcile()
        func cost(_ id: Int, by lookup: (any RecordLookup)?) throws -> Int {
            try scene.deliver(QueueScene.marker(id), id)
            var drain = Drain(scene.queue, now: { morning }) { _ in [scene.session.path] }
            drain.records = lookup
            return try CountedWork.bytesRead { _ = try drain.run() }
        }
        let path = scratch("index.sqlite")
        let whole = try cost(10, by: nil)
        let asked = try cost(11, by: IndexOnDemand { path })
        #expect(whole > 3 << 20)
        #expect(asked < 1 << 20, "\(asked) bytes instead of \(whole)")
        #expect(try scene.ledger() == [10, 11])
    }
}
