import SystemPackage
import Testing
import TraceFiles

@testable import TraceWatch

@Suite struct EventBufferTests {
    private func change(_ name: FilePath.Component, _ change: WatchEvent.Change = .created) -> WatchEvent {
        .changed(directory: "/r", name: name, change: change, isDirectory: false)
    }

    private func drain(_ buffer: EventBuffer) async -> [WatchEvent] {
        buffer.finish()
        var events: [WatchEvent] = []
        while let event = await buffer.next(isolation: nil) { events.append(event) }
        return events
    }

    @Test func `events come out in order`() async {
        let buffer = EventBuffer(capacity: 10_000)
        let events = (0..<5000).map { WatchEvent.directoryAppeared(FilePath("/r/\($0)")) }
        for event in events { buffer.push(event) }
        #expect(await drain(buffer) == events)
    }

    @Test func `changes of contents in a row are told once`() async {
        let buffer = EventBuffer(capacity: 10)
        for name in ["a", "a", "b", "a", "a"] as [FilePath.Component] { buffer.push(change(name, .contents)) }
        buffer.push(change("a", .written))
        buffer.push(change("a", .written))
        #expect(
            await drain(buffer) == [
                change("a", .contents), change("b", .contents), change("a", .contents), change("a", .written),
                change("a", .written),
            ])
    }

    @Test func `a full buffer becomes one rescan and keeps what no scan can find`() async {
        let buffer = EventBuffer(capacity: 4)
        let unwatched = WatchEvent.unwatched("/r/u", WatchError(.watchLimit, "full"))
        buffer.push(change("a"))
        buffer.push(unwatched)
        for number in 0..<100 { buffer.push(.directoryAppeared(FilePath("/r/\(number)"))) }
        buffer.push(.watchedAgain("/r/u"))
        buffer.push(.rescan(.kernelOverflow))
        #expect(await drain(buffer) == [unwatched, .rescan(.bufferOverflow), .watchedAgain("/r/u")])
    }

    @Test func `events after a rescan was taken are queued again`() async {
        let buffer = EventBuffer(capacity: 2)
        for name in ["a", "b", "c", "d"] as [FilePath.Component] { buffer.push(change(name)) }
        #expect(await buffer.next(isolation: nil) == .rescan(.bufferOverflow))
        buffer.push(change("e"))
        #expect(await drain(buffer) == [change("e")])
    }

    @Test func `a waiting consumer gets an event at once`() async {
        let buffer = EventBuffer(capacity: 2)
        async let event = buffer.next(isolation: nil)
        buffer.push(change("a"))
        #expect(await event == change("a"))
    }

    @Test func `a cancelled consumer gets nil and loses no event`() async {
        let buffer = EventBuffer(capacity: 2)
        let consumer = Task { await buffer.next(isolation: nil) }
        consumer.cancel()
        #expect(await consumer.value == nil)
        buffer.push(change("a"))
        #expect(await buffer.next(isolation: nil) == change("a"))
    }

    @Test func `nothing comes after the end`() async {
        let buffer = EventBuffer(capacity: 2)
        buffer.push(change("a"))
        buffer.finish()
        buffer.push(change("b"))
        #expect(await drain(buffer) == [change("a")])
    }
}
