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
import TraceStore

@testable import TraceLibrary

struct StatusQuestionTests {
    private let scratch: ScratchDirectory
    private let session: SampleSession
    private let writer: LibraryWriter

    init() throws {
        scratch = try ScratchDirectory()
        let root = scratch("sessions")
        session = try SampleSession(at: root.appending("a"))
        let state = scratch("state")
        writer = LibraryWriter(
            roots: SessionRoots([root, scratch("unplugged")]), stateDirectory: state,
            spools: [scratch("phone")], runtimeDirectory: scratch("run"),
            database: state.appending("index.sqlite"), command: number(99)
        ) { Issue.record($0) }
    }

    private func status() -> StatusAnswer {
        StatusQuestion(
            database: scratch("state").appending("index.sqlite"), staleAfter: .seconds(3600),
            settleTime: .zero
        ).answer(of: writer)
    }

    @Test func `without an index the sessions are counted, and the problem is told`() {
        let status = status()
        #expect(status.daemon == nil)
        #expect(status.roots.map(\.isOnline) == [true, false])
        #expect(status.sessions.count == 0 && status.lagging == 1 && status.indexProblem != nil)
    }

    @Test func `what the index knows is counted, and who was forgotten is named`() throws {
        try OpenDirectory.make(scratch("state"))
        let index = try JournalIndex(at: scratch("state").appending("index.sqlite"), formats: Journals.all)
        // A file of this tick of the file system's clock might still change unseen.
        try soon("the files have rested") {
            try index.reconcile(journal: session.path, in: scratch("sessions"), settleTime: .zero).isSettled
        }
        let status = status()
        #expect(
            status.active.map(\.id) == [SampleSession.id] && status.sessions.count == 1 && status.lagging == 0
        )
        #expect(status.activeCount == 1 && status.pausedCount == 0)
        #expect(status.forgotten.map(\.session.path) == [session.path])
    }

    @Test func `what is wrong with a journal of another kind is counted once`() throws {
        try OpenDirectory.make(scratch("state"))
        let index = try JournalIndex(at: scratch("state").appending("index.sqlite"), formats: Journals.all)
        _ = try index.reconcile(journal: session.path, in: scratch("sessions"), settleTime: .zero)
        let before = status().count(.error)
        let journal = scratch("sessions").appending("pins")
        try OpenDirectory.make(journal)
        try journal.appending("practice.json").write(
            #"{"id":"01KGNQZP000000000000000001","journal":"practice","format":1,"created_at":"2026-01-01T00:00:00.000Z"}"#
        )
        try journal.appending("practice-state.json").write(#"{"journalEntries":[{"#)
        _ = try index.reconcile(journal: journal, in: scratch("sessions"), settleTime: .zero)
        let status = status()
        #expect(status.journals.map { $0.findingCounts[.error] } == [1])
        #expect(status.count(.error) == before + 1)
    }

    /// An index of the session as it is.
    private func indexed() throws -> JournalIndex {
        try OpenDirectory.make(scratch("state"))
        let index = try JournalIndex(at: scratch("state").appending("index.sqlite"), formats: Journals.all)
        try soon("the files have rested") {
            try index.reconcile(journal: session.path, in: scratch("sessions"), settleTime: .zero).isSettled
        }
        return index
    }

    @Test func `what the index lacks is read for the answer, and not written`() throws {
        let index = try indexed()
        let revision = try index.dump()
        _ = try SessionWriter(session.path).close()
        #expect(status().activeCount == 0 && status().lagging == 1 && status().sessions.count == 1)
        let errors = status().count(.error)
        try session("markers.jsonl").write("{\"id\":\n")
        #expect(status().count(.error) == errors + 1)
        let other = scratch("sessions").appending("b")
        _ = try SampleSession(
            at: other, header: SampleSession.header.replacing("0001\"", with: "0002\""))
        let journal = scratch("sessions").appending("pins")
        try OpenDirectory.make(journal)
        try journal.appending("practice.json").write(
            #"{"id":"01KGNQZP000000000000000001","journal":"practice","format":1,"created_at":"2026-01-01T00:00:00.000Z"}"#
        )
        let now = status()
        #expect(now.lagging == 3 && now.laggingJournals.values.reduce(0, +) == 1 && !now.isOutdated)
        #expect(
            now.sessions.count == 2 && now.active.map(\.path) == [other]
                && now.journals.map(\.path) == [journal])
        #expect(now.forgotten.map(\.session.path) == [other])
        #expect(try index.dump() == revision)
    }

    @Test func `a session that is gone is not counted, unless its root is`() throws {
        _ = try indexed()
        try #require(rename(session.path.string, scratch("away").string) == 0)
        #expect(status().sessions.count == 0 && status().activeCount == 0 && status().lagging == 1)
        try #require(rename(scratch("sessions").string, scratch("unmounted").string) == 0)
        #expect(status().sessions.count == 1 && status().activeCount == 1 && status().lagging == 0)
    }

    @Test func `where the index lacks too much, the answer says that its numbers are older`() throws {
        _ = try indexed()
        for number in 1...257 {
            let path = scratch("sessions").appending("n").appending(FilePath.Component("\(number)") ?? "n")
            try OpenDirectory.make(path)
            try path.appending("session.json").write("{}")
        }
        let now = status()
        #expect(now.isOutdated && now.lagging == 257 && now.sessions.count == 1)
        #expect(text(now.json(.commandLine)).contains(#""lagging":257,"outdated":true}"#))
    }

    @Test func `nobody who may not know a place is told one`() throws {
        try OpenDirectory.make(scratch("state"))
        let index = try JournalIndex(at: scratch("state").appending("index.sqlite"), formats: Journals.all)
        _ = try index.reconcile(journal: session.path, in: scratch("sessions"), settleTime: .zero)
        // A link that leads to itself can't be listed.
        try #require(symlink("phone", scratch("phone").string) == 0)
        let status = status()
        #expect(status.spools.last?.problem != nil)
        let (line, web) = (text(status.json(.commandLine)), text(status.json(.web)))
        #expect(line.contains(scratch("phone").string) && line.contains(#""index":{"path":"#))
        #expect(!web.contains(scratch.path.string), "\(web)")
        #expect(web.contains(#""forgotten":[{"handle":"\#(SampleSession.id)","session_id":"#))
    }
}
