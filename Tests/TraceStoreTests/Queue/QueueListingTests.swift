import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles

@testable import TraceStore

/// What the queue's listing finds, and where.
struct QueueListingTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    private func items() throws -> [QueueItem] { try scene.inspection().items() }

    @Test func `conflict copies are listed where entries wait, and numbered ones where they are kept`() throws
    {
        try OpenDirectory.make(scene.local)
        try OpenDirectory.make(scene.queue.done)
        try scene.local.appending("\(number(10)).sync-conflict-20260204-120000-ABCDEFG.json")
            .write(QueueScene.marker(10))
        try scene.queue.done.appending("\(number(11)).2.json").write(QueueScene.marker(11))
        #expect(
            try items().map { "\($0.place.rawValue) \($0.id)" } == [
                "spool \(number(10))", "done \(number(11))",
            ])
    }

    @Test func `audio that is not whole yet is told from audio that is not here`() throws {
        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11)
        #expect(try items().map(\.state.reason) == ["its audio 'memo.m4a' is missing"])
        try scene.local.appending("memo.m4a").write("soun")
        #expect(try items().map(\.state.reason) == ["its audio 'memo.m4a' is incomplete"])
        #expect(try items().map(\.audio) == [scene.local.appending("memo.m4a")])
    }

    @Test func `the audio of an entry that was applied lies beside it`() throws {
        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11)
        try scene.local.appending("memo.m4a").write(QueueScene.sound)
        try scene.drain()
        #expect(try items().map(\.audio) == [scene.queue.done.appending("memo.m4a")])
        // And goes with it, when its time is up.
        let later = Timestamp(milliseconds: Clock.now().milliseconds + 7_200_000)
        let drain = Drain(scene.queue, now: { later }) { _ in [scene.session.path] }
        #expect(try drain.removeOutdated(retention: .seconds(3600)).count == 2)
        #expect(try scene.names(scene.queue.done) == [])
    }

    @Test func `a spool that is not there is empty`() throws {
        let depth = try Spool(scratch("missing")).depth()
        #expect(depth.count == 0 && depth.oldest == nil)
    }
}
