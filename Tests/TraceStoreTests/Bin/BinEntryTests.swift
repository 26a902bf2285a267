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

/// Entries of the queue that delete sessions and bring them back, and those that come for what is in the bin.
struct BinEntryTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    private static func bin(_ scene: QueueScene) -> Bin { Bin(roots: [scene.root], state: scene.queue.state) }
    private var bin: Bin { Self.bin(scene) }

    private static func whole(
        _ id: Int, _ kind: String, payload: String = #"{"session_id":"\#(SampleSession.id)"}"#,
        _ more: String = ""
    ) -> String {
        QueueScene.entry(id, "session.\(kind)", payload, more)
    }

    private static func drain(
        _ scene: QueueScene, failPoint: FailPoint? = nil,
        mayAdminister: @escaping (Deliverer) -> Bool = { _ in false }
    ) throws -> [String] {
        var drain = Drain(scene.queue, now: { morning }, locate: scene.locate)
        drain.failPoint = failPoint
        drain.bin = bin(scene)
        drain.mayAdminister = mayAdminister
        return try drain.run(report: { Issue.record($0) }).map(QueueScene.summary)
    }

    private func drain() throws -> [String] { try Self.drain(scene) }

    private static let waits = "waiting: its session is in the bin"

    @Test func `what was made before a deletion comes into the session, and what comes after waits`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.deliver(Self.whole(20, "remove"), 20)
        try scene.deliver(QueueScene.marker(30), 30)
        #expect(try drain() == ["10 applied", "20 applied", "30 \(Self.waits)"])
        let deleted = try #require(bin.items().first)
        #expect(deleted.session.id == SampleSession.id && deleted.origin == scene.session.path)
        #expect(try deleted.path.appending("markers.jsonl").text().contains("\(number(10))"))
        #expect(try drain() == ["30 \(Self.waits)"])
        // It does not wait by somebody's fault.
        #expect(try scene.queue.local.depth().oldest != nil)
        let depth = try scene.queue.local.depth(besides: bin)
        #expect(depth.count == 1 && depth.oldest == nil)
        var inspection = QueueInspection(scene.queue, locate: scene.locate)
        inspection.bin = bin
        #expect(try inspection.items().first?.state.reason == "its session is in the bin")
        try scene.deliver(Self.whole(40, "restore"), 40)
        #expect(try drain() == ["30 \(Self.waits)", "40 applied"])
        #expect(try drain() == ["30 applied"])
        #expect(bin.items().isEmpty)
        #expect(try scene.session.path.appending("markers.jsonl").text().contains("\(number(30))"))
    }

    @Test(arguments: ["remove", "restore"])
    func `each is done once, however often it comes`(kind: String) throws {
        let target = try SessionTarget(reading: scene.session.path)
        func delete() throws { _ = try bin.put(target, by: SessionWriter(target), at: morning) }
        func restore() throws { _ = try bin.restore(#require(bin.items().first)) }
        let isRemoval = kind == "remove"
        if !isRemoval { try delete() }
        try scene.deliver(Self.whole(20, kind), 20)
        #expect(try drain() == ["20 applied"])
        #expect(bin.items().isEmpty != isRemoval)
        // A person has moved it back since; the same entry is no news.
        if isRemoval { try restore() } else { try delete() }
        try scene.deliver(Self.whole(20, kind), 20)
        #expect(try drain() == ["20 already-applied"])
        #expect(bin.items().isEmpty == isRemoval)
        // Another one that finds the session where it is to be.
        if isRemoval { try delete() } else { try restore() }
        try scene.deliver(Self.whole(21, kind), 21)
        #expect(try drain() == ["21 already-applied"])
    }

    @Test func `where nothing is known of the session they wait`() throws {
        let other = number(99)
        let payload = #"{"session_id":"\#(other)"}"#
        let entry = QueueScene.entry(20, "session.remove", payload, session: other)
        try scene.deliver(entry, 20)
        #expect(try drain() == ["20 waiting: its session \(other) was not found"])
    }

    @Test func `what waits for a session that is erased ends as removed`() throws {
        let target = try SessionTarget(reading: scene.session.path)
        _ = try bin.put(target, by: SessionWriter(target), at: morning)
        try scene.deliver(QueueScene.marker(30), 30)
        try scene.deliver(Self.whole(40, "restore"), 40)
        try OpenDirectory.make(scene.queue.state)
        let later = morning.adding(SessionOffset(milliseconds: 40 * 86_400_000))
        // The first look at the bin with a right clock, and one when the days are over.
        #expect(
            try bin.empty(olderThan: .seconds(30 * 86_400), now: morning, isSynchronized: true).erased.isEmpty
        )
        #expect(
            try bin.empty(olderThan: .seconds(30 * 86_400), now: later, isSynchronized: true).erased.count
                == 1)
        let reason = "removed: its session was deleted, and has been erased"
        #expect(try drain() == ["30 \(reason)", "40 \(reason)"])
        #expect(try drain() == [])
        var delivery = scene.delivery()
        delivery.bin = bin
        #expect(
            try scene.send(QueueScene.marker(31), 31, by: delivery).result.reason
                == "its session was deleted, and has been erased")
        #expect(try drain() == [])
    }

    @Test(arguments: [
        ("{}", ""), (#"{"session_id":"01J00000000000000000000099"}"#, ""), (#"{"session_id":7}"#, ""),
        ("[]", ""),
        (#"{"session_id":"\#(SampleSession.id)","title":"x"}"#, ""),
        (
            #"{"session_id":"\#(SampleSession.id)"}"#,
            #","attachment":{"name":"a.m4a","size":1,"sha256":null}"#
        ),
    ]) func `a payload that names another session, or more, is refused`(payload: String, more: String) throws
    {
        let entry = Self.whole(20, "remove", payload: payload, more)
        let error = #expect(throws: FormatError.self) {
            try SpoolEntry(parsing: Array(entry.utf8), named: number(20))
        }
        #expect(error?.code == .recordInvalid && error?.cure?.text?.isEmpty == false, "\(error)")
        try scene.deliver(entry, 20)
        #expect(try drain().first?.hasPrefix("20 rejected: ") == true)
        #expect(bin.items().isEmpty)
    }

    @Test func `who delivered it must still be permitted when it is written`() throws {
        let deliverer = Deliverer(token: number(70), person: "ann")
        let by = #","delivered_by":{"token":"\#(number(70))","person":"ann"}"#
        try scene.deliver(Self.whole(20, "remove", by), 20)
        #expect(
            try drain().first?.hasPrefix(
                "20 rejected: deleting and restoring sessions needs a token of scope admin") == true)
        #expect(bin.items().isEmpty)
        try scene.deliver(Self.whole(21, "remove", by), 21)
        #expect(try Self.drain(scene, mayAdminister: { $0 == deliverer }) == ["21 applied"])
        // A device's spool is its owner's, whatever its entries say.
        try scene.deliver(Self.whole(22, "restore", by), 22, to: scene.phone)
        #expect(try drain() == ["22 applied"])
    }

    @Test func `a delivery deletes at once, and waits behind what waits`() throws {
        var delivery = scene.delivery()
        delivery.bin = bin
        let items = try [
            scene.item(QueueScene.marker(10), 10), scene.item(Self.whole(20, "remove"), 20),
            scene.item(QueueScene.marker(30), 30), scene.item(Self.whole(40, "restore"), 40),
            scene.item(QueueScene.marker(50), 50),
        ]
        let names = try delivery.deliver(items, locate: scene.locate).map { try $0.get().result.name }
        #expect(names == ["applied", "applied", "waiting", "applied", "applied"])
        #expect(try drain() == ["30 applied"])
        try scene.deliver(QueueScene.note(60), 60)
        #expect(try scene.send(Self.whole(70, "remove"), 70, by: delivery).result.name == "waiting")
        #expect(bin.items().isEmpty)
    }

    @Test func `killed before any step, and drained once more, it ends as undisturbed`() async throws {
        func deliver(_ scene: QueueScene) throws {
            try scene.deliver(QueueScene.marker(10), 10)
            try scene.deliver(Self.whole(20, "remove"), 20)
            try scene.deliver(QueueScene.marker(30), 30)
        }
        let steps = Steps()
        try deliver(scene)
        _ = try Self.drain(scene, failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
        for fatal in Torture.steps(steps.all.count, sample: 4) {
            let scratch = try ScratchDirectory()
            let scene = try QueueScene(in: scratch.path)
            try deliver(scene)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                _ = try BinEntryTests.drain(
                    QueueScene(at: FilePath(path)),
                    failPoint: { step, _ throws(Errno) in
                        if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                    })
            }
            _ = try Self.drain(scene)
            #expect(try Self.drain(scene) == ["30 \(Self.waits)"], "killed before step \(fatal)")
            let deleted = try #require(Self.bin(scene).items().first)
            let markers = try deleted.path.appending("markers.jsonl").text()
            #expect(markers.split(separator: "\n").count { $0.contains("\(number(10))") } == 1)
        }
    }
}
