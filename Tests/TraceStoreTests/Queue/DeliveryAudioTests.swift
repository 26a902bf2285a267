import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// Voice notes whose record comes before their audio: they wait in the local spool, and whichever comes last writes the note.
struct DeliveryAudioTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    private var name: String { "\(number(11)).m4a" }
    private var note: String { QueueScene.note(11) }
    /// The same without the checksum, as a device sends it that can't compute one.
    private var bare: String {
        note.replacing("\"sha256\":\"\(QueueScene.soundChecksum)\"", with: "\"sha256\":null")
    }

    private func send(_ entry: String, hasAudio: Bool = false) throws -> DrainOutcome.Result {
        try scene.send(entry, 11, hasAudio: hasAudio).result
    }

    /// The reason for which the one entry of the queue waits, by each of the ways that tell it.
    private func expectWaiting(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let entry = try #require(scene.queue.local.entry(number(11)), sourceLocation: sourceLocation)
        #expect(
            scene.queue.missingAudio(of: entry, in: scene.queue.local) == reason,
            sourceLocation: sourceLocation)
        let items = try QueueInspection(scene.queue, locate: scene.locate).items()
        #expect(items.map(\.state.reason) == [reason], sourceLocation: sourceLocation)
        #expect(try scene.results() == ["11 waiting: \(reason)"], sourceLocation: sourceLocation)
        #expect(!scene.session("voice_notes.jsonl").exists, sourceLocation: sourceLocation)
    }

    private func expectWritten(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(
            try scene.session("voice_notes.jsonl").text() == QueueScene.noteLine(11) + "\n",
            sourceLocation: sourceLocation)
        #expect(
            try scene.session("media").appending(name).text() == QueueScene.sound,
            sourceLocation: sourceLocation)
        #expect(try scene.names(scene.local) == [], sourceLocation: sourceLocation)
    }

    @Test func `a record waits until its audio is beside it, and is then written`() throws {
        for _ in 0..<2 {
            #expect(try send(note).reason == "its audio '\(name)' is missing")
            #expect(try scene.names(scene.local) == ["\(number(11)).json"])
        }
        try expectWaiting("its audio '\(name)' is missing")
        try scene.local.appending(name).write("sou")
        #expect(
            scene.queue.missingAudio(
                of: try #require(scene.queue.local.entry(number(11))), in: scene.queue.local)
                == "its audio '\(name)' is incomplete")
        try scene.local.appending(name).write(QueueScene.sound)
        #expect(try scene.results() == ["11 applied"])
        try expectWritten()
        #expect(try send(note).name == "already-applied")
    }

    @Test func `without a checksum no file is taken for the audio, however long it is`() throws {
        #expect(try send(bare).reason == "its audio '\(name)' is missing")
        try expectWaiting("its audio '\(name)' is missing")
        try scene.local.appending(name).write(QueueScene.sound)
        try expectWaiting("its audio '\(name)' can't be checked: the entry does not have its sha256 yet")
        #expect(try send(bare).name == "waiting")
        // Whoever knows the checksum says it; then what is there is enough.
        #expect(try send(note).name == "waiting")
        #expect(scene.queue.local.entry(number(11))?.attachment?.sha256 == QueueScene.soundChecksum)
        #expect(try scene.results() == ["11 applied"])
        try expectWritten()
        #expect(try send(bare).name == "already-applied")
    }

    @Test func `a drain that finds the audio before its entry says so is only faster`() throws {
        #expect(try send(note).name == "waiting")
        let sound = scratch.path.appending("sound")
        try sound.write(QueueScene.sound)
        let hasDrained = Mutex(false)
        var awaited = AwaitedAudio(scene.queue, LedgerMemory())
        let root = scene.root
        awaited.failPoint = { step, path in
            // The audio is in its place now, and the entry is about to be.
            guard step == .compare, path.lastComponent?.string == "\(number(11)).json",
                hasDrained.withLock({ hasRun in
                    defer { hasRun = true }
                    return !hasRun
                })
            else { return }
            #expect((try? QueueScene(at: root).results()) == ["11 applied"])
        }
        let record = try awaited.bring(
            sound, size: Int64(QueueScene.sound.utf8.count), sha256: QueueScene.soundChecksum,
            fileExtension: "m4a", of: number(11), to: SampleSession.id)
        guard case .complete(let entry) = record else {
            Issue.record("\(record)")
            return
        }
        #expect(hasDrained.withLock { $0 })
        #expect(
            try scene.delivery().deliver([.init(entry, audio: sound)], locate: scene.locate)[0].get().result
                .name == "already-applied")
        try expectWritten()
    }

    @Test func `a checksum once known is not forgotten, and not exchanged`() throws {
        #expect(try send(note).name == "waiting")
        let entry = try scene.local.appending("\(number(11)).json").text()
        #expect(try send(bare).name == "waiting")
        let other = note.replacing(
            QueueScene.soundChecksum, with: String(QueueScene.soundChecksum.reversed()))
        for another in [other, bare.replacing("\"size\":5", with: "\"size\":6")] {
            #expect(try send(another).reason == "another entry with this id is waiting")
        }
        #expect(try scene.local.appending("\(number(11)).json").text() == entry)
    }

    @Test func `the audio that comes last writes the note, and the next drain finds it done`() throws {
        #expect(try send(bare).name == "waiting")
        #expect(try send(note, hasAudio: true).name == "applied")
        #expect(try scene.results() == ["11 already-applied"])
        try expectWritten()
    }

    @Test func `audio that comes while the session is away joins the record that waits`() throws {
        #expect(try send(bare).name == "waiting")
        let away = scratch("away")
        try #require(rename(scene.session.path.string, away.string) == 0)
        for _ in 0..<2 { #expect(try send(note, hasAudio: true).name == "waiting") }
        #expect(try scene.names(scene.local) == ["\(number(11)).json", name])
        try #require(rename(away.string, scene.session.path.string) == 0)
        #expect(try scene.results() == ["11 applied"])
        try expectWritten()
    }

    @Test func `while the session is away, too, nobody but who sent a record says what is heard under it`()
        throws
    {
        let phone = Deliverer(token: number(90), person: "Ada")
        let tablet = Deliverer(token: number(91), person: "Ada")
        let away = scratch("away")
        try #require(rename(scene.session.path.string, away.string) == 0)
        #expect(try scene.send(bare, 11, deliveredBy: phone).result.name == "waiting")
        let noise = note.replacing(
            QueueScene.soundChecksum, with: String(QueueScene.soundChecksum.reversed()))
        let other = Deliverer(token: number(92), person: "Bob")
        #expect(
            try scene.send(noise, 11, deliveredBy: other).result.reason
                == "another entry with this id is waiting")
        #expect(scene.queue.local.entry(number(11))?.attachment?.sha256 == nil)
        // Nor by what is sent along.
        #expect(
            try scene.send(note, 11, hasAudio: true, deliveredBy: other).result.reason
                == "another entry with this id is waiting")
        #expect(try scene.names(scene.local) == ["\(number(11)).json"])
        #expect(try scene.send(note, 11, hasAudio: true, deliveredBy: tablet).result.name == "waiting")
        try #require(rename(away.string, scene.session.path.string) == 0)
        #expect(try scene.results() == ["11 applied"])
        try expectWritten()
    }

    @Test func `another record under the id of one that waits is a conflict, of whatever kind`() throws {
        #expect(try send(note).name == "waiting")
        for other in [QueueScene.marker(11), QueueScene.action(11)] {
            #expect(try send(other).reason == "another entry with this id is waiting")
        }
        #expect(try scene.session("markers.jsonl").text() == "")
        #expect(try scene.ledger() == [])
        try scene.local.appending(name).write(QueueScene.sound)
        #expect(try scene.results() == ["11 applied"])
    }

    @Test func `audio that was put beside an entry that came in the same moment goes again`() throws {
        let away = scratch("away")
        try #require(rename(scene.session.path.string, away.string) == 0)
        let hasCome = Mutex(false)
        let (local, bare) = (scene.local, bare)
        let delivery = scene.delivery(failPoint: { step, path in
            // The audio is in its place, and the entry is about to be.
            guard step == .compare, path.lastComponent?.string == "\(number(11)).json",
                hasCome.withLock({ hasRun in
                    defer { hasRun = true }
                    return !hasRun
                })
            else { return }
            try? local.appending("\(number(11)).json").write(bare)
        })
        let other = Deliverer(token: number(92), person: "Bob")
        #expect(
            try scene.send(note, 11, hasAudio: true, deliveredBy: other, by: delivery).result.reason
                == "another entry with this id is waiting")
        #expect(hasCome.withLock { $0 })
        #expect(try scene.names(scene.local) == ["\(number(11)).json"])
        #expect(scene.queue.local.entry(number(11))?.attachment?.sha256 == nil)
    }

    @Test func `one that was dropped while it waited does not come back`() throws {
        #expect(try send(note).name == "waiting")
        _ = try scene.queueDrain().drop(try #require(EntryName("\(number(11))")))
        #expect(try send(note).name == "dropped")
        #expect(try scene.names(scene.local) == [])
    }

    @Test func `a failure of any step of joining leaves the record waiting, and a repeat joins it`() throws {
        let steps = Steps()
        func join(failingAt fatal: Int?, _ scene: QueueScene) throws {
            let delivery = scene.delivery(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { throw .ioError }
            })
            let item = try scene.item(note, 11, hasAudio: true)
            _ = try #require(delivery.deliver([item]) { _ in [] }.first).get()
        }
        func prepared() throws -> (ScratchDirectory, QueueScene) {
            let scratch = try ScratchDirectory()
            let scene = try QueueScene(in: scratch.path)
            #expect(try scene.send(bare, 11).result.name == "waiting")
            return (scratch, scene)
        }
        let (undisturbed, first) = try prepared()
        try join(failingAt: nil, first)
        withExtendedLifetime(undisturbed) {}
        let count = steps.all.count
        #expect(count > 4)
        for fatal in 1...count {
            let (scratch, scene) = try prepared()
            let offset = steps.all.count
            try? join(failingAt: offset + fatal, scene)
            #expect(scene.queue.local.entry(number(11)) != nil, "step \(fatal)")
            try join(failingAt: nil, scene)
            #expect(try scene.results() == ["11 applied"], "step \(fatal)")
            withExtendedLifetime(scratch) {}
        }
    }
}
