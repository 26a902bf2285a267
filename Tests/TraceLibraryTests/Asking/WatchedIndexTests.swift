import FileHarness
import Glibc
import Journals
import StoreHarness
import Synchronization
import SystemPackage
import Testing
import TraceFiles
import TraceIndex

@testable import TraceLibrary

/// A question whose sessions a daemon watches: they are not compared, but for what is shown.
struct WatchedIndexTests {
    private let scratch: ScratchDirectory
    private let root: FilePath
    private let session: SampleSession
    private let database: FilePath
    private let index: JournalIndex
    private let daemon: FakeDaemon

    /// Says of roots what a test wants.
    private final class FakeDaemon: Sendable {
        private let answer = Mutex<WatchedRoots?>(nil)
        private let asked = Mutex(0)

        var askedCount: Int { asked.withLock { $0 } }

        func ask() -> WatchedRoots? {
            asked.withLock { $0 += 1 }
            return answer.withLock { $0 }
        }

        func say(_ database: FileID, _ roots: [FilePath: Bool]) {
            answer.withLock { $0 = WatchedRoots(database: database, roots: roots) }
        }
    }

    init() throws {
        scratch = try ScratchDirectory()
        root = scratch("sessions")
        session = try SampleSession(at: root.appending("a"))
        database = scratch("state").appending("index.sqlite")
        try OpenDirectory.make(scratch("state"))
        index = try JournalIndex(at: database, formats: Journals.all)
        daemon = FakeDaemon()
        _ = try library([root], watched: false).sessions()
        daemon.say(try #require(try index.opened()).file, [root: true])
    }

    private func library(_ roots: [FilePath], watched isWatched: Bool = true) -> JournalLibrary {
        let daemon = daemon
        let ask: @Sendable () -> WatchedRoots? = { daemon.ask() }
        return JournalLibrary(
            roots: SessionRoots(roots), stateDirectory: scratch("state"), database: database, index: index,
            temporaryDirectory: scratch.path, settleTime: .zero, watched: isWatched ? ask : nil
        ) { _ in }
    }

    /// Deletes the index; its inode stays, as the daemon that has it open would keep it.
    private func deleteIndex() throws {
        try #require(link(database.string, scratch("kept").string) == 0)
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] as [FilePath.Component] {
            unlink(scratch("state").appending(name).string)
        }
    }

    /// The titles of all sessions, and whether none was compared.
    private func titles(
        _ roots: [FilePath]? = nil, comparing isCompared: Bool = false
    ) throws -> (titles: [String], isWatched: Bool) {
        let library = library(roots ?? [root])
        let fresh = FreshIndex(library, session: nil)
        let sessions = try fresh.answer(comparing: { isCompared ? $0.map(\.path) : [] }) {
            try library.list($0)
        }
        return (sessions.compactMap(\.title).sorted(), fresh.isWatched)
    }

    /// Gives a session another title, without a daemon that sees it.
    private func retitle(_ title: String) throws {
        try session("session.json").write(SampleSession.header.replacing("Late set", with: title))
    }

    @Test func `what is watched is not compared`() throws {
        try retitle("Early set")
        #expect(try titles() == (["Late set"], true))
        #expect(daemon.askedCount == 1)
        // Which is as wrong as this daemon; one that does not know changes that.
        daemon.say(try #require(try index.opened()).file, [root: false])
        #expect(try titles() == (["Early set"], false))
    }

    @Test func `what is shown is compared besides, and the answer is made again`() throws {
        try retitle("Early set")
        #expect(try titles(comparing: true) == (["Early set"], true))
        try #require(rename(session.path.string, scratch("gone").string) == 0)
        #expect(try titles(comparing: true) == ([], true))
    }

    @Test func `a daemon with another index is not believed`() throws {
        try retitle("Early set")
        daemon.say(FileID(device: 1, inode: 1), [root: true])
        #expect(try titles() == (["Early set"], false))
    }

    @Test func `an index that was deleted has no sessions, and they are read again`() throws {
        try deleteIndex()
        #expect(try titles() == (["Late set"], false))
    }

    @Test func `an index that is replaced while it is asked is asked once more`() throws {
        let library = library([root])
        var attempts = 0
        let fresh = FreshIndex(library, session: nil)
        let count = try fresh.answer { index in
            attempts += 1
            if attempts == 1 { try deleteIndex() }
            return try library.list(index).count
        }
        #expect(attempts == 2 && count == 1)
        #expect(!fresh.isWatched)
    }

    @Test func `only the roots that are not watched are compared`() throws {
        let other = scratch("other")
        let later = try SampleSession(
            at: other.appending("b"), header: SampleSession.header.replacing("Late set", with: "Other"))
        try retitle("Early set")
        #expect(try titles([root, other]) == (["Late set", "Other"], false))
        try later("session.json").write(SampleSession.header.replacing("Late set", with: "New"))
        #expect(try titles([root, other]) == (["Late set", "New"], false))
    }

    @Test func `a root that is gone is looked at by this process, whatever the daemon says`() throws {
        try #require(rename(root.string, scratch("away").string) == 0)
        let library = library([root])
        let known = try library.sessions()
        #expect(known.map(\.isOnline) == [false])
        #expect(try titles().isWatched == false)
    }

    @Test func `a session by a path that a link leads to is read from its files, and gets no rows`() throws {
        try root.appending("link").link(to: "a")
        let path = root.appending("link")
        let library = library([root])
        #expect(library.index(upToDateFor: path) == nil)
        let found = try FreshIndex(library, session: path).answer { try $0.sessions().map(\.path) }
        #expect(found == [path])
        #expect(try index.sessions().map(\.path) == [session.path])
    }

    @Test func `a status reads what is watched from the index`() throws {
        let writer = LibraryWriter(
            roots: SessionRoots([root]), stateDirectory: scratch("state"), runtimeDirectory: scratch("run"),
            database: database, command: number(99)
        ) { Issue.record($0) }
        let question = StatusQuestion(database: database, staleAfter: .seconds(3600), settleTime: .zero)
        try retitle("Early set")
        #expect(question.answer(of: writer).lagging == 1)
        let daemon = daemon
        let watched = question.answer(of: writer, watched: { daemon.ask() })
        #expect(watched.lagging == 0 && watched.isWatched)
        #expect(watched.sessions.count == 1 && watched.active.count == 1)
    }
}
