import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// A root with a session in a folder, and the bin.
struct BinScene {
    let root: FilePath
    let session: FilePath
    var state: FilePath { root.removingLastComponent().appending("state") }

    init(in scratch: FilePath) throws {
        self.init(at: scratch)
        _ = try SampleSession(at: session)
        try session.appending("media").appending("take.m4a").write("sound")
    }

    init(at scratch: FilePath) {
        root = scratch.appending("root")
        session = root.appending("2026").appending("late-set")
    }

    func bin(failPoint: FailPoint? = nil) -> Bin {
        var bin = Bin(roots: [root], state: state)
        bin.failPoint = failPoint
        return bin
    }

    @discardableResult
    func delete(at now: Timestamp = morning, failPoint: FailPoint? = nil) throws -> Bin.Item {
        var writer = SessionWriter(try SessionTarget(reading: session))
        writer.undoLog = UndoLog(state: state) { Issue.record($0) }
        return try bin(failPoint: failPoint).put(SessionTarget(reading: session), by: writer, at: now)
    }

    func undo() -> Undo {
        var undo = Undo(UndoLog(state: state), queue: QueueDirectories(state: state)) { _ in
            SessionFinder.sessions(in: root)
        }
        undo.bin = bin()
        return undo
    }

    /// What there is of the session, wherever it lies.
    func places() throws -> [FilePath] {
        SessionFinder.sessions(in: root) + bin().items().map(\.path)
    }
}

struct BinTests {
    let scratch: ScratchDirectory
    let scene: BinScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try BinScene(in: scratch.path)
    }

    private static func day(_ days: Int64) -> Timestamp {
        Timestamp(milliseconds: morning.milliseconds + days * 86_400_000)
    }

    @Test func `a deleted session is whole in the bin, and nobody finds it, and comes back where it was`()
        throws
    {
        let before = try tree(of: scene.session)
        let item = try scene.delete()
        #expect(item.path.containingDirectory == scene.root.appending(".trace-bin"))
        #expect(item.path.lastComponent?.string.hasSuffix("Z-late-set") == true)
        #expect(SessionFinder.sessions(in: scene.root) == [])
        #expect(try tree(of: item.path) == before)
        let locator = SessionLocator(roots: [scene.root])
        #expect(
            code(of: StoreError.self) {
                try locator.path(of: .directory(item.path), workingDirectory: scratch.path)
            } == .noSuchSession)
        #expect(
            code(of: StoreError.self) {
                try locator.path(of: nil, workingDirectory: item.path.appending("media"))
            } == .noSuchSession)
        let found = try #require(scene.bin().items().first)
        #expect(found.origin == scene.session && found.deletedAt == morning)
        #expect(found.session.id == SampleSession.id)
        #expect(try scene.bin().restore(found) == scene.session)
        #expect(try tree(of: scene.session) == before)
        #expect(try tree(of: scene.root.appending(".trace-bin")) == [:])
    }

    @Test func `where its place is taken it comes back beside it`() throws {
        let item = try scene.delete()
        try OpenDirectory.make(scene.session)
        try scene.session.appending("markers.jsonl").write("a phone's\n")
        let path = try scene.bin().restore(item)
        #expect(path.lastComponent == "late-set-2")
        #expect(try scene.session.appending("markers.jsonl").text() == "a phone's\n")
    }

    @Test func `where the folder above it is gone it is made`() throws {
        let item = try scene.delete()
        try OpenDirectory(scene.root).removeTree("2026")
        #expect(try scene.bin().restore(item) == scene.session)
    }

    @Test func `two sessions of one name and moment are both kept`() throws {
        let first = try scene.delete()
        _ = try SampleSession(at: scene.session)
        let second = try scene.delete()
        #expect(first.path != second.path && scene.bin().items().count == 2)
    }

    @Test func `a session by a link is deleted where it lies, and one in no root beside itself`() throws {
        let link = scratch("link")
        try #require(symlink(scene.session.string, link.string) == 0)
        let target = try SessionTarget(reading: link)
        let item = try scene.bin().put(target, by: SessionWriter(target), at: morning)
        #expect(item.path.containingDirectory == scene.root.appending(".trace-bin"))
        let outside = scratch("outside").appending("take")
        _ = try SampleSession(at: outside)
        let other = try SessionTarget(reading: outside)
        let beside = try scene.bin().put(other, by: SessionWriter(other), at: morning)
        #expect(beside.path.containingDirectory == scratch("outside").appending(".trace-bin"))
        #expect(scene.bin().items().contains { $0.path == beside.path && $0.origin == outside })
    }

    @Test(arguments: [".", "2026"])
    func `a root is not deleted, nor what holds one`(root: String) throws {
        let inner = scene.session.appending("inner")
        try OpenDirectory.make(inner)
        let roots = root == "." ? [scene.session] : [scene.root, inner]
        let target = try SessionTarget(reading: scene.session)
        let bin = Bin(roots: roots, state: scene.state)
        #expect(code { try bin.put(target, by: SessionWriter(target), at: morning) } == .invalidData)
        #expect(try tree(of: scene.session)["session.json"] != nil)
    }

    @Test func `a long name, and one that is not UTF-8, come back whole`() throws {
        for name in [FilePath.Component(String(repeating: "ä", count: 127)), crookedName] {
            let path = scene.root.appending(try #require(name))
            _ = try SampleSession(at: path)
            let target = try SessionTarget(reading: path)
            let item = try scene.bin().put(target, by: SessionWriter(target), at: morning)
            #expect(try scene.bin().restore(#require(scene.bin().items().first)) == path)
            #expect(item.origin == path)
        }
    }

    @Test(arguments: ["../../../evil", "/etc/evil", "", "a/../../b", "a\0b"])
    func `a note that leads elsewhere is not followed`(note: String) throws {
        let item = try scene.delete()
        let name = try #require(BinName.note(of: item.name))
        try item.path.containingDirectory.appending(name).write(note)
        #expect(scene.bin().items().first?.origin == scene.root.appending("late-set"))
    }

    @Test func `an undo brings it back, and a redo deletes it again`() throws {
        try scene.delete()
        let undo = scene.undo()
        _ = try undo.run(user: geteuid())
        #expect(SessionFinder.sessions(in: scene.root) == [scene.session])
        _ = try undo.redo(user: geteuid())
        #expect(SessionFinder.sessions(in: scene.root) == [] && scene.bin().items().count == 1)
        _ = try undo.run(user: geteuid())
        #expect(SessionFinder.sessions(in: scene.root) == [scene.session])
    }

    @Test func `what was deleted is erased after its days, and nothing else, and no link is followed`() throws
    {
        let precious = scratch("precious")
        try OpenDirectory.make(precious)
        try precious.appending("file").write("x")
        try #require(symlink(precious.string, scene.session.appending("media/link").string) == 0)
        try scene.delete()
        let bin = scene.bin()
        #expect(
            try bin.empty(olderThan: .seconds(30 * 86_400), now: Self.day(0), isSynchronized: true).erased
                .isEmpty)
        #expect(
            try bin.empty(olderThan: .seconds(30 * 86_400), now: Self.day(30), isSynchronized: true).erased
                .isEmpty)
        #expect(try scene.places().count == 1)
        #expect(
            try bin.empty(
                olderThan: .seconds(30 * 86_400), now: Self.day(30).next ?? morning, isSynchronized: true
            ).erased.count == 1)
        #expect(try tree(of: scene.root.appending(".trace-bin")) == [:])
        #expect(try precious.appending("file").text() == "x")
    }

    /// When it was deleted, when the bin was looked at first, and when it is emptied, in days.
    @Test(
        arguments: [
            // The clock was at 1970 when it was deleted.
            (-20_000, 0, 1, true, false), (-20_000, 0, 29, true, false), (-20_000, 0, 31, true, true),
            // It has jumped since, and nobody keeps it.
            (0, 0, 31, false, false), (0, 0, -400, false, false),
            // Nobody has ever looked.
            (0, nil, 4000, false, false), (0, nil, 4000, true, false),
        ] as [(Int64, Int64?, Int64, Bool, Bool)])
    func `time that passed erases, a clock that jumped does not`(
        deleted: Int64, first: Int64?, now: Int64, isSynchronized: Bool, isErased: Bool
    ) throws {
        try scene.delete(at: Self.day(deleted))
        let bin = scene.bin()
        let age = Duration.seconds(30 * 86_400)
        if let first { _ = try bin.empty(olderThan: age, now: Self.day(first), isSynchronized: true) }
        _ = try bin.empty(olderThan: age, now: Self.day(now), isSynchronized: isSynchronized)
        #expect(try scene.places().isEmpty == isErased)
    }

    @Test func `without a time service days that follow one another count`() throws {
        try scene.delete()
        let bin = scene.bin()
        let age = Duration.seconds(30 * 86_400)
        _ = try bin.empty(olderThan: age, now: Self.day(0), isSynchronized: true)
        for day in 1...31 {
            _ = try bin.empty(olderThan: age, now: Self.day(Int64(day)), isSynchronized: false)
        }
        #expect(try scene.places().isEmpty)
    }

    @Test func `a deletion that is killed before any step leaves the session whole in one place`()
        async throws
    {
        let steps = Steps()
        try scene.delete { step, _ throws(Errno) in _ = steps.add(step) }
        let whole = try tree(of: #require(scene.places().first))
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try BinScene(in: scratch.path)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                try BinScene(at: FilePath(path)).delete { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            let places = try scene.places()
            #expect(places.count == 1, "killed before step \(fatal)")
            #expect(try tree(of: #require(places.first)) == whole, "killed before step \(fatal)")
            if places == [scene.session] { try scene.delete() }
            #expect(try scene.bin().restore(#require(scene.bin().items().first)) == scene.session)
        }
    }

    @Test func `a restoring that is killed before any step leaves the session whole in one place`()
        async throws
    {
        let steps = Steps()
        let item = try scene.delete()
        let whole = try tree(of: item.path)
        _ = try scene.bin { step, _ throws(Errno) in _ = steps.add(step) }.restore(item)
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try BinScene(in: scratch.path)
            try scene.delete()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                let bin = BinScene(at: FilePath(path)).bin { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
                for item in bin.items() { _ = try bin.restore(item) }
            }
            let places = try scene.places()
            #expect(places.count == 1, "killed before step \(fatal)")
            #expect(try tree(of: #require(places.first)) == whole, "killed before step \(fatal)")
        }
    }

    @Test
    func
        `an emptying that is killed before any step leaves what it was not to erase, and the next one does the rest`()
        async throws
    {
        @Sendable func prepare(_ scene: BinScene) throws {
            try scene.delete(at: BinTests.day(-40))
            _ = try SampleSession(at: scene.session)
            try scene.delete(at: BinTests.day(20))
            _ = try scene.bin().empty(
                olderThan: .seconds(30 * 86_400), now: BinTests.day(-5), isSynchronized: true)
        }
        @Sendable func empty(_ scene: BinScene, _ failPoint: FailPoint? = nil) throws {
            _ = try scene.bin(failPoint: failPoint).empty(
                olderThan: .seconds(30 * 86_400), now: BinTests.day(30), isSynchronized: true)
        }
        try prepare(scene)
        let steps = Steps()
        try empty(scene) { step, _ throws(Errno) in _ = steps.add(step) }
        #expect(try scene.places().count == 1)
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try BinScene(in: scratch.path)
            try prepare(scene)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                try empty(BinScene(at: FilePath(path))) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            // What can be restored is whole.
            for item in scene.bin().items() where item.deletedAt == BinTests.day(-40) {
                #expect(try tree(of: item.path)["media/take.m4a"] == "sound")
            }
            try empty(scene)
            #expect(scene.bin().items().map(\.deletedAt) == [BinTests.day(20)], "killed before step \(fatal)")
        }
    }
}
