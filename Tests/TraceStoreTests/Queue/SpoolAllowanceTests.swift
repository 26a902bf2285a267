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

/// How much of what one token has sent may wait in the spool.
struct SpoolAllowanceTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    private static let phone = Deliverer(token: number(90), person: "Ada")
    private static let other = Deliverer(token: number(91), person: "Ada")
    /// A session that nobody here knows.
    private static let unknown = number(7)

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    private static func allowance(
        count: Int = 1000, size: Int64 = 1 << 30, reserve: Int64 = 0
    ) -> SpoolAllowance {
        var limits = SpoolAllowance.Limits()
        limits.count = count
        limits.size = size
        limits.reserve = reserve
        return SpoolAllowance(limits)
    }

    /// What becomes of a marker that one more request brings: its result, or the code of why it was not taken.
    private func send(
        _ id: Int, for session: ULID = Self.unknown, note: String = "", _ allowance: SpoolAllowance,
        by deliverer: Deliverer? = Self.phone, isKnown: Bool = false
    ) throws -> String {
        var delivery = scene.delivery()
        delivery.allowance = allowance
        let entry = QueueScene.marker(id, note: note, session: session)
        let outcomes = delivery.deliver(
            [try scene.item(entry, id, deliveredBy: deliverer)], isKnown: { _ in isKnown },
            locate: scene.locate)
        switch try #require(outcomes.first) {
        case .success(let outcome): return outcome.result.name
        case .failure(let error): return error.anyReport.code ?? ""
        }
    }

    @Test func `of one token so many wait and no more, whichever sessions they name`() throws {
        let allowance = Self.allowance(count: 5)
        for id in 10..<15 { #expect(try send(id, for: number(id + 100), allowance) == "waiting") }
        #expect(try send(15, for: number(115), allowance) == "queue-full")
        #expect(try scene.names(scene.local).count == 5)
        // What waits already is not refused to who asks once more, nor is what can be written.
        #expect(try send(10, for: number(110), allowance) == "waiting")
        #expect(try send(16, for: SampleSession.id, allowance) == "applied")
        // Others are not held up, nor is who needs no token.
        #expect(try send(17, allowance, by: Self.other) == "waiting")
        #expect(try send(18, allowance, by: nil) == "waiting")
    }

    @Test func `bytes count as well as entries`() throws {
        let allowance = Self.allowance(size: 20_000)
        let note = String(repeating: "x", count: 6000)
        for id in 10..<13 { #expect(try send(id, note: note, allowance) == "waiting") }
        #expect(try send(13, note: note, allowance) == "queue-full")
        #expect(try send(14, allowance) == "waiting")
    }

    @Test func `what waited before the process began counts, and what has left the spool does not`() throws {
        for id in 10..<13 { #expect(try send(id, Self.allowance()) == "waiting") }
        // As a device, or a command, that says nothing of a token.
        try scene.deliver(QueueScene.marker(20, session: Self.unknown), 20)
        let allowance = Self.allowance(count: 4)
        #expect(try send(13, allowance) == "waiting")
        #expect(try send(14, allowance) == "queue-full")
        _ = try scene.queueDrain().drop(try #require(EntryName("\(number(11))")))
        #expect(try send(14, allowance) == "waiting")
        #expect(try send(15, allowance) == "queue-full")
    }

    @Test func `a mark for a session that is known is taken for as long as the disk has its reserve`() throws
    {
        let away = scratch("away")
        try #require(rename(scene.session.path.string, away.string) == 0)
        let allowance = Self.allowance(count: 3)
        for id in 10..<20 {
            #expect(try send(id, for: SampleSession.id, allowance, isKnown: true) == "waiting")
        }
        #expect(try send(20, allowance) == "queue-full")
        // Nobody has so much.
        let full = Self.allowance(count: 12, reserve: .max)
        for id in 30..<32 {
            #expect(try send(id, for: SampleSession.id, full, isKnown: true) == "waiting")
        }
        #expect(try send(32, for: SampleSession.id, full, isKnown: true) == "disk-full")
        #expect(try scene.names(scene.local).count == 12)
    }

    @Test func `an entry that could not be read is looked at again, and looking makes no directory`() throws {
        let listing = SpoolListing()
        func found() throws -> [ULID] { try listing.entries(of: scene.queue.local).map(\.id) }
        #expect(try found() == [])
        #expect(!scene.local.exists)
        try scene.deliver(QueueScene.marker(10, session: Self.unknown), 10)
        // There is no content for it yet, as there is none without a descriptor.
        try scene.deliver("", 11)
        let directory = try OpenDirectory(scene.local)
        let identity = try directory.status().identity
        try soon("what changes now is seen") { !identity.isTooFresh(at: .now()) }
        for _ in 0..<2 { #expect(try found() == [number(10)]) }
        try scene.deliver(QueueScene.marker(11, session: Self.unknown), 11)
        #expect(try directory.status().identity == identity)
        for _ in 0..<2 { #expect(try found() == [number(10), number(11)]) }
    }

    @Test func `what is on its way into the spool counts while the spool is looked at`() throws {
        let allowance = Self.allowance(count: 4)
        for id in 10..<13 { #expect(try send(id, allowance) == "waiting") }
        let spool = scene.queue.local
        func entry(_ id: Int) throws -> SpoolEntry {
            var entry = try SpoolEntry(
                parsing: Array(QueueScene.marker(id, session: Self.unknown).utf8), named: number(id))
            entry.deliveredBy = Self.phone
            return entry
        }
        try allowance.adding(entry(13), to: spool, isKnown: false) {
            // Two more come now, and the spool is looked at for each.
            for id in [14, 15] { #expect(try send(id, allowance) == "queue-full") }
            try spool.add(entry(13))
        }
        #expect(try send(16, allowance) == "queue-full")
        #expect(try scene.names(scene.local).count == 4)
    }

    @Test func `the phone's arrays count for the token that sent them, and keep the reserve`() throws {
        let export = try PhoneExport(
            parsing: Array(
                (#"[{"tag":"a","offset_ms":1,"created_at":"2026-01-01T01:00:00.000Z"},"#
                    + #"{"tag":"a","offset_ms":2,"created_at":"2026-01-01T01:00:00.000Z"}]"#).utf8),
            file: "pending.json")
        let source = QueueImport.Source(export, audioDirectory: scratch("no"))
        var queueImport = QueueImport(scene.queue, sessionID: SampleSession.id)
        queueImport.deliverer = Self.phone
        queueImport.allowance = Self.allowance(count: 1, reserve: .max)
        #expect { try queueImport.run([source]) } throws: { ($0 as? FileError)?.code == .diskFull }
        queueImport.allowance = Self.allowance(count: 1)
        #expect(try queueImport.run([source]).map(\.result) == [.alreadyQueued, .queued])
        let waiting = try scene.queue.local.files().map { try scene.queue.local.read($0).deliveredBy }
        #expect(waiting == [Self.phone, Self.phone])
    }
}
