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

/// What a person does with single entries.
struct RetryDropTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    var session: SampleSession { scene.session }

    func name(_ text: String) throws -> EntryName { try #require(EntryName(text)) }

    func retry(_ id: Int) throws -> String {
        QueueScene.summary(try scene.queueDrain().retry(name("\(number(id))")))
    }

    /// The states of an entry, wherever it lies.
    func states(_ id: Int) throws -> [String] {
        try scene.inspection().items(of: name("\(number(id))")).map {
            "\($0.place.rawValue) \($0.state.name)" + ($0.state.reason.map { ": \($0)" } ?? "")
        }
    }

    // MARK: - Retry

    @Test func `a record that vanished is put back, and stands once`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11)
        try scene.local.appending("memo.m4a").write(QueueScene.sound)
        try scene.drain()
        let media = session("media").appending("\(number(11)).m4a")
        // An older copy of both files is synced over them.
        try session("markers.jsonl").write("")
        try session("voice_notes.jsonl").write("")
        try #require(unlink(media.string) == 0)
        for id in [10, 11] {
            #expect(
                try states(id) == [
                    "done record-vanished: its record is no longer in the session; 'trace queue retry' restores it"
                ])
            #expect(try retry(id) == "\(id) applied")
            #expect(try states(id) == ["done applied"])
            #expect(try retry(id) == "\(id) already-applied")
        }
        #expect(try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
        #expect(try session("voice_notes.jsonl").text() == QueueScene.noteLine(11) + "\n")
        #expect(try media.text() == QueueScene.sound)
        #expect(
            try scene.names(scene.queue.done) == ["\(number(10)).json", "\(number(11)).json", "memo.m4a"])
        #expect(try scene.ledger() == [10, 11])
    }

    @Test func `a conflict is taken up again once its cause is gone, with its audio`() throws {
        try session("voice_notes.jsonl").write(QueueScene.noteLine(11, path: "media/other.m4a") + "\n")
        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11, to: scene.phone)
        try scene.phone.appending("memo.m4a").write(QueueScene.sound)
        try scene.drain()
        let reason = "another voice note in the session has this id"
        #expect(try states(11) == ["failed conflict: \(reason)"])
        #expect(try retry(11) == "11 conflict: \(reason)")
        #expect(try states(11) == ["failed conflict: \(reason)"])
        try session("voice_notes.jsonl").write("")
        #expect(try retry(11) == "11 applied")
        #expect(try session("voice_notes.jsonl").text() == QueueScene.noteLine(11) + "\n")
        #expect(try scene.names(scene.queue.failed) == [])
        #expect(try scene.names(scene.local) == [])
        #expect(try scene.names(scene.queue.done) == ["\(number(11)).json", "memo.m4a"])
    }

    @Test func `one that waits is drained alone`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.deliver(QueueScene.marker(12), 12)
        #expect(try retry(12) == "12 applied")
        #expect(try scene.names(scene.local) == ["\(number(10)).json"])
    }

    @Test func `of several that bear the id, one must be named`() throws {
        try session("markers.jsonl").write(QueueScene.markerLine(10, note: "mine") + "\n")
        for note in ["theirs", "others"] {
            try scene.deliver(QueueScene.marker(10, note: note), 10)
            try scene.drain()
        }
        expectError(
            .ambiguousEntry,
            """
            2 entries are named \(number(10)): \(number(10)).2.json, \(number(10)).json [ambiguous-entry]
              hint: give the file name of one of them
            """
        ) { try retry(10) }
        let path = try scene.queueDrain().drop(name("\(number(10)).json"))
        #expect(try path.text() == QueueScene.marker(10, note: "theirs"))
        #expect(try scene.names(scene.queue.failed) == ["\(number(10)).2.json", "\(number(10)).reason"])
        try session("markers.jsonl").write("")
        #expect(
            QueueScene.summary(try scene.queueDrain().retry(name("\(number(10)).2"))) == "10 applied")
        #expect(try scene.names(scene.queue.failed) == [])
    }

    @Test func `what is not there is an error`() throws {
        expectError(
            .noSuchEntry,
            """
            there is no entry \(number(10)) in the queue [no-such-entry]
              hint: 'trace queue list --all' shows all entries
            """
        ) { try retry(10) }
        #expect(EntryName("\(number(10)).x") == nil)
        #expect(EntryName("01J") == nil)
        #expect(EntryName("01j00000000000000000000010.json")?.description == "\(number(10)).json")
    }

    // MARK: - Drop

    @Test func `a dropped entry is kept, and not written when it is delivered once more`() throws {
        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11, to: scene.phone)
        try scene.phone.appending("memo.m4a").write(QueueScene.sound)
        let before = try tree(of: session.path)
        let path = try scene.queueDrain().drop(name("\(number(11))"))
        #expect(path == scene.queue.dropped.appending("\(number(11)).json"))
        #expect(try scene.names(scene.queue.dropped) == ["\(number(11)).json", "memo.m4a"])
        #expect(try scene.names(scene.phone) == [])
        #expect(try states(11) == ["dropped dropped: 'trace queue retry' queues it again"])

        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11, to: scene.phone)
        try scene.phone.appending("memo.m4a").write(QueueScene.sound)
        #expect(try scene.results() == ["11 dropped: it was dropped before"])
        #expect(try scene.names(scene.queue.dropped) == ["\(number(11)).json", "memo.m4a"])
        #expect(try tree(of: session.path) == before)

        #expect(try retry(11) == "11 applied")
        #expect(try scene.names(scene.queue.dropped) == [])
        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11, to: scene.phone)
        #expect(try scene.results() == ["11 already-applied"])
    }

    @Test func `what was applied can't be dropped`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.drain()
        expectError(
            .noSuchEntry,
            """
            entry \(number(10)) has been applied [no-such-entry]
              hint: see 'trace queue show \(number(10))'
            """
        ) { try scene.queueDrain().drop(name("\(number(10))")) }
    }

    @Test func `what is no entry can be dropped too`() throws {
        try scene.deliver("{}", 10)
        try scene.drain()
        _ = try scene.queueDrain().drop(name("\(number(10))"))
        #expect(try scene.names(scene.queue.failed) == [])
        #expect(try scene.queue.dropped.appending("\(number(10)).json").text() == "{}")
    }

    // MARK: - States

    @Test func `each entry's state is told, and why`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.deliver(QueueScene.marker(12, session: number(7)), 12)
        try scene.deliver(QueueScene.note(13), 13)
        try scene.deliver("{\"id\":", 14)
        try scene.deliver("{}", 15)
        try session("markers.jsonl").write(QueueScene.markerLine(16, note: "mine") + "\n")
        try scene.deliver(QueueScene.marker(16), 16)
        let before = try tree(of: scratch.path)
        #expect(try states(10) == ["spool waiting: the next flush writes it"])
        #expect(try states(12) == ["spool waiting: its session \(number(7)) was not found"])
        #expect(try states(13) == ["spool waiting: its audio '\(number(13)).m4a' is missing"])
        #expect(
            try states(14) == [
                "spool waiting: the entry is incomplete: byte 6: expected a value, but the text ends"
            ])
        #expect(
            try states(15) == [
                "spool rejected: id is missing"
            ])
        #expect(try states(16) == ["spool conflict: another marker in the session has this id"])
        #expect(try tree(of: scratch.path) == before)
    }

    // MARK: - Kills

    /// An entry in each state that `retry` and `drop` know.
    static func makeScene(in root: FilePath) throws -> QueueScene {
        let scene = try QueueScene(in: root)
        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11)
        try scene.local.appending("memo.m4a").write(QueueScene.sound)
        try scene.session("markers.jsonl").write(QueueScene.markerLine(12, note: "mine") + "\n")
        try scene.deliver(QueueScene.marker(12, note: "theirs"), 12)
        try scene.drain()
        try scene.deliver(QueueScene.note(13, audio: "memo13.m4a"), 13, to: scene.phone)
        try scene.phone.appending("memo13.m4a").write(QueueScene.sound)
        try scene.session("voice_notes.jsonl").write("")
        try scene.session("markers.jsonl").write("")
        return scene
    }

    enum Act: String, CaseIterable, Codable {
        case retryVanished, retryConflict, dropFailed, dropWaiting

        func perform(_ drain: Drain) throws {
            let id = number(self == .retryVanished ? 11 : self == .dropWaiting ? 13 : 12)
            guard let name = EntryName(id.description) else { return }
            switch self {
            case .retryVanished, .retryConflict: _ = try drain.retry(name)
            case .dropFailed, .dropWaiting: _ = try drain.drop(name)
            }
        }
    }

    @Test(arguments: Act.allCases)
    func `a kill before any step, and the same once more, end as undisturbed`(act: Act) async throws {
        let steps = Steps()
        let undisturbed = try ScratchDirectory()
        let whole = try Self.makeScene(in: undisturbed.path)
        try act.perform(whole.queueDrain { step, _ throws(Errno) in _ = steps.add(step) })
        let expected = try tree(of: undisturbed.path)
        #expect(steps.all.count > 3)
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try Self.makeScene(in: scratch.path)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int, act = act as Act] in
                let steps = Steps()
                try act.perform(
                    QueueScene(at: FilePath(path)).queueDrain { step, _ throws(Errno) in
                        if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                    })
            }
            // Where the last step was done already, there is nothing left to name.
            do { try act.perform(scene.queueDrain()) } catch let error as StoreError {
                #expect(error.code == .noSuchEntry, "\(act) killed before step \(fatal)")
            }
            _ = try scene.queueDrain().removeOutdated(retention: .seconds(3600))
            #expect(try tree(of: scratch.path) == expected, "\(act) killed before step \(fatal)")
        }
    }
}

extension QueueScene {
    /// What works on the queue, with the session located by its header.
    func queueDrain(failPoint: FailPoint? = nil) -> Drain {
        let locator = SessionLocator(roots: [root.appending("set"), root.appending("more")])
        var drain = Drain(queue, now: { morning }) { id in
            locator.candidates().filter { $0.session.id == id }.map(\.path)
        }
        drain.failPoint = failPoint
        return drain
    }

    func inspection() -> QueueInspection {
        let locator = SessionLocator(roots: [root.appending("set"), root.appending("more")])
        return QueueInspection(queue) { id in
            locator.candidates().filter { $0.session.id == id }.map(\.path)
        }
    }
}
