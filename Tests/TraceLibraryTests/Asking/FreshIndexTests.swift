import FileHarness
import Glibc
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceIndex
import TraceText

@testable import TraceLibrary

/// What a question is answered from, and what is told on the way.
struct FreshIndexTests {
    private let scratch: ScratchDirectory
    private let root: FilePath
    private let session: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        root = scratch("sessions")
        try OpenDirectory.make(root)
        session = try SampleSession(at: root.appending("a"))
    }

    private final class Told { var lines: [String] = [] }

    private func library(_ told: Told, state: FilePath? = nil) -> JournalLibrary {
        let state = state ?? scratch("state")
        return JournalLibrary(
            roots: SessionRoots([root]), stateDirectory: state, database: state.appending("index.sqlite"),
            temporaryDirectory: scratch.path, settleTime: .zero
        ) { notice in
            switch notice {
            case .answered(.index(let lagging)): told.lines.append("index, \(lagging) lagged")
            case .answered(.watchedIndex): told.lines.append("watched")
            case .answered(.indexOfSession(let lagged)): told.lines.append("index, lagged: \(lagged)")
            case .answered(.files): told.lines.append("files")
            case .rootIsEmpty: told.lines.append("empty")
            case .rootIsNew: told.lines.append("new root")
            case .unreadable: told.lines.append("unreadable")
            case .indexIsNew: told.lines.append("new")
            case .reading(let left): told.lines.append("reading \(left)")
            }
        }
    }

    /// Waits until the files are no longer so new that the index can't be sure of them.
    private func rest(_ library: JournalLibrary) throws {
        try soon("the session rests") {
            try library.openIndex().reconcile(
                journal: session.path, in: root, settleTime: .zero, verification: .thorough
            ).isSettled
        }
    }

    @Test func `what was compared already is compared again only where a file has changed since`() throws {
        let told = Told()
        let library = library(told)
        _ = try FreshIndex(library, session: session.path).answer { _ in }
        try rest(library)
        told.lines = []
        var attempts = 0
        try FreshIndex(library, session: session.path, isCompared: true).answer { _ in
            attempts += 1
            guard attempts == 1 else { return }
            try session("session.json").write(session("session.json").text().replacing("Late", with: "Early"))
            throw IndexError(.stale, "a line is another one now")
        }
        #expect(attempts == 2)
        #expect(told.lines == ["index, 0 lagged", "index, 1 lagged"])
    }

    @Test func `the index answers once it is compared with the files`() throws {
        let told = Told()
        let library = library(told)
        for lines in [["reading 1", "reading 0", "index, 1 lagged"], ["index, 0 lagged"]] {
            let fresh = FreshIndex(library, session: nil)
            #expect(try fresh.answer { try library.list($0).map(\.path) } == [session.path])
            #expect(fresh.isWhole)
            #expect(told.lines == lines)
            try rest(library)
            told.lines = []
        }
        #expect(try library.sessions().map(\.isOnline) == [true])
        #expect(library.index(upToDateFor: session.path) != nil)
        #expect(told.lines == ["index, 0 lagged", "index, lagged: false"])
    }

    @Test func `where the index can't be made, or knows no such root, the files answer`() throws {
        let told = Told()
        try scratch.write("", to: "taken")
        let broken = library(told, state: scratch("taken"))
        let fresh = FreshIndex(broken, session: nil)
        #expect(try fresh.answer { try broken.list($0).count } == 1)
        let other = try SampleSession(at: scratch("elsewhere"))
        #expect(try FreshIndex(library(told), session: other.path).answer { try $0.sessions().count } == 1)
        #expect(broken.index(upToDateFor: session.path) == nil)
        #expect(told.lines.filter { $0 == "files" }.count == 3)
    }

    @Test func `of a session that a search finds by another path, that path is said`() throws {
        let link = scratch("link")
        try #require(symlink(root.string, link.string) == 0)
        let library = JournalLibrary(
            roots: SessionRoots([root, link]), stateDirectory: scratch("state"),
            database: scratch("state").appending("index.sqlite"), temporaryDirectory: scratch.path,
            settleTime: .zero
        ) { _ in }
        #expect(library.reasonNotIndexed(session.path) == nil)
        #expect(
            library.reasonNotIndexed(link.appending("a"))
                == "a search of the roots finds the session as \(session.path.escaped)")
    }

    @Test func `a question is asked again while files change, and not for ever`() throws {
        let library = library(Told())
        var count = 0
        let answer = try FreshIndex(library, session: nil).answer { _ in
            count += 1
            if count < 5 { throw IndexError(.stale, "changed") }
            return count
        }
        #expect(answer == 5)
        count = 0
        #expect(throws: UnstableFiles.self) {
            try FreshIndex(library, session: nil).answer { _ in
                count += 1
                throw IndexError(.stale, "changed", path: "/a")
            }
        }
        #expect(count == 5)
    }

    @Test func `what the asker throws itself is handed on`() throws {
        struct Mine: Error {}
        let told = Told()
        #expect(throws: Mine.self) {
            try FreshIndex(library(told), session: nil).answer { _ in throw Mine() }
        }
        #expect(!told.lines.contains("files"))
    }

    @Test func `a file that can't be read lacks in the answer, and is named`() throws {
        let markers = session("markers.jsonl")
        try #require(unlink(markers.string) == 0 && mkfifo(markers.string, 0o600) == 0)
        for (kinds, failures) in [(nil, 1), (Set([RecordKind.marker]), 1), (Set([RecordKind.transcript]), 0)]
        {
            let fresh = FreshIndex(library(Told()), session: nil, about: kinds)
            #expect(try fresh.answer { try $0.sessions().count } == 1)
            #expect(fresh.failures.count == failures)
            #expect(fresh.failures.allSatisfy { $0.report.place == markers.escaped })
        }
    }

    @Test func `lines are those of the file, and what has gone in between is stale`() throws {
        try markersWritten()
        try FreshIndex(library(Told()), session: nil).answer { index in
            let cache = SessionCache(index)
            let places = try index.markerPlaces(RecordFilter(.session(session.path)))
            let found = try #require(try index.records(at: places[...]).first)
            #expect(
                try cache.line(of: found).map { String(decoding: $0, as: UTF8.self) } == EditingScene.other)
            try #require(unlink(session("markers.jsonl").string) == 0)
            let error = #expect(throws: IndexError.self) { try SessionCache(index).line(of: found) }
            #expect(error?.code == .stale)
            #expect(throws: IndexError.self) { try cache[root.appending("gone")] }
        }
    }

    private func markersWritten() throws {
        try session("markers.jsonl").write(EditingScene.other + "\n")
    }
}
