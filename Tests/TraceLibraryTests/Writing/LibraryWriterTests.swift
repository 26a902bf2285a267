import FileHarness
import Glibc
import Journals
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceIndex
import TraceStore
import TraceText

@testable import TraceLibrary

/// Writing into a session that was chosen, or into the queue, without a command line.
struct LibraryWriterTests {
    private let scratch: ScratchDirectory
    private let root: FilePath
    private let session: SampleSession
    private let writer: LibraryWriter

    init() throws {
        scratch = try ScratchDirectory()
        root = scratch("sessions")
        try OpenDirectory.make(root)
        session = try SampleSession(at: root.appending("a"))
        let state = scratch("state")
        writer = LibraryWriter(
            roots: SessionRoots([root]), stateDirectory: state,
            runtimeDirectory: scratch("run"), database: state.appending("index.sqlite"), command: number(99)
        ) { Issue.record($0) }
    }

    private func target(_ selector: SessionSelector?, mayBeAbsent: Bool = true) throws -> WriteTarget {
        try WriteTarget(selector, from: root, in: writer, mayBeAbsent: mayBeAbsent)
    }

    private func marker(_ id: Int) -> Marker {
        Marker(id: number(id), offset: SessionOffset(milliseconds: 1000), createdAt: morning)
    }

    private func markers(in session: FilePath) throws -> [ULID] {
        var ids: [ULID] = []
        try SessionReader(session).read(.marker) { if let id = $0.id { ids.append(id) } }
        return ids
    }

    @Test(arguments: [FileError.Code.changedMeanwhile, .sessionLocked])
    func `what others keep out of a journal for a while waits in the queue`(code: FileError.Code) {
        #expect(FileError(code, "another program is at it").isAboutReaching)
    }

    @Test func `what waits for an index that is busy stands once, also if it was written already`() throws {
        for code in IndexError.Code.allCases {
            let isForLater = code == .busy || code == .stale
            #expect(IndexError(code, "another program is at it").isAboutReaching == isForLater, "\(code)")
        }
        guard case .written = try writer.mark(marker(10), in: target(nil)) else {
            Issue.record("it was queued")
            return
        }
        let away = scratch("away")
        try #require(rename(session.path.string, away.string) == 0)
        for id in [10, 11] {
            guard case .queued = try writer.mark(marker(id), in: target(.words("\(SampleSession.id)"))) else {
                Issue.record("it does not wait")
                return
            }
        }
        try #require(rename(away.string, session.path.string) == 0)
        #expect(try writer.drain().run().map(\.result.name) == ["already-applied", "applied"])
        #expect(try markers(in: session.path) == [number(10), number(11)])
    }

    @Test(arguments: [(Int64.max, 0), (.max - 1, 2), (3_600_000, 2)] as [(Int64, Int)])
    func `a session is closed however far it reaches, and what is at its end is not behind it`(
        end: Int64, behind: Int
    ) throws {
        let line = """
            {"id":"\(number(30))","kind":"media_start","offset_ms":\(end),"wall_time":"2026-02-04T21:00:00.000Z",\
            "created_at":"2026-02-05T21:00:00.000Z","source":"system"}

            """
        try session("timeline.jsonl").write(SampleSession.start + line)
        let markers = [end, .max, .max].enumerated().map { index, offset in
            Marker(
                id: number(40 + index), offset: SessionOffset(milliseconds: offset), createdAt: morning
            ).json.bytes
        }
        try session("markers.jsonl").write(
            markers.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined())
        let closed = try writer.close(SessionTarget(reading: session.path))
        #expect(closed.duration.milliseconds >= end && closed.markersBehindEnd == behind)
    }

    @Test func `a marker stands in the session, and one undo takes back what one command wrote`() throws {
        for id in [10, 11] {
            guard case .written(let place, let notices) = try writer.mark(marker(id), in: target(nil)) else {
                Issue.record("it was queued")
                return
            }
            #expect(place.path == session.path)
            #expect(notices.isEmpty)
        }
        #expect(try markers(in: session.path) == [number(10), number(11)])
        _ = try writer.undo.run(user: UInt32(geteuid()))
        #expect(try markers(in: session.path).isEmpty)
    }

    @Test func `what a session that is not here gets waits until it comes`() throws {
        let away = scratch("away")
        try #require(rename(session.path.string, away.string) == 0)
        for (id, pending) in [(10, 1), (11, 2)] {
            guard
                case .queued(pending, "the session was not found") = try writer.mark(
                    marker(id), in: target(.words("\(SampleSession.id)")))
            else {
                Issue.record("it does not wait")
                return
            }
        }
        #expect(throws: StoreError.self) { try target(.words("\(SampleSession.id)"), mayBeAbsent: false) }
        try #require(rename(away.string, session.path.string) == 0)
        #expect(try writer.drain().run().map(\.result.name) == ["applied", "applied"])
        #expect(try markers(in: session.path) == [number(10), number(11)])
    }

    @Test func `the index remembers a session whose root is offline`() throws {
        try OpenDirectory.make(scratch("state"))
        let index = try JournalIndex(at: scratch("state").appending("index.sqlite"), formats: Journals.all)
        _ = try index.reconcile(journal: session.path, in: root, settleTime: .zero)
        try #require(rename(root.string, scratch("unplugged").string) == 0)
        let target = try target(.directory(session.path))
        #expect(target.place == nil)
        #expect(target.id == SampleSession.id)
        #expect(try writer.makeMissingRoot(for: session.path) == nil)
        #expect(throws: StoreError.self) { try self.target(.directory(root.appending("b"))) }
    }

    @Test func `a session that was exchanged for another is written into where it has gone`() throws {
        let target = try target(.directory(session.path))
        let moved = root.appending("moved")
        try #require(rename(session.path.string, moved.string) == 0)
        _ = try SampleSession(
            at: session.path, header: SampleSession.header.replacing("\(number(1))", with: "\(number(5))"))
        guard case .written(let place, _) = try writer.mark(marker(10), in: target) else {
            Issue.record("it was queued")
            return
        }
        #expect(place.path == moved)
        #expect(try markers(in: session.path).isEmpty)
    }

    @Test func `what can't be written waits, or fails where it may not`() throws {
        let markers = session("markers.jsonl")
        try #require(unlink(markers.string) == 0 && mkdir(markers.string, 0o700) == 0)
        guard case .queued(1, let reason) = try writer.mark(marker(10), in: target(nil)) else {
            Issue.record("it does not wait")
            return
        }
        #expect(reason.contains("not-regular-file"))
        let error = #expect(throws: FileError.self) {
            try writer.mark(marker(11), in: target(nil), mayQueue: false)
        }
        #expect(error?.code == .notRegularFile)
        try session("session.json").write("{}")
        let unnamed = #expect(throws: LibraryError.self) {
            try writer.mark(marker(12), in: target(.directory(session.path)))
        }
        #expect(unnamed?.code == .noSessionID)
    }

    @Test func `audio that lies in a session that is not here can't wait`() throws {
        let note = VoiceNote(
            id: number(20), createdAt: morning, mediaPath: "media/a.m4a", offset: .zero,
            duration: SessionOffset(milliseconds: 1000))
        let absent = try target(.words("\(number(7))"))
        let error = #expect(throws: LibraryError.self) { try writer.add(note, audio: nil, to: absent) }
        #expect(error?.code == .audioAbsent)
        try scratch.write("sound", to: "a.m4a")
        guard case .queued(1, _) = try writer.add(note, audio: scratch("a.m4a"), to: absent) else {
            Issue.record("it does not wait")
            return
        }
        #expect(try writer.queue.local.files().map(\.id) == [number(20)])
    }

    @Test func `a root that has never been there is made`() throws {
        let roots = SessionRoots([scratch("new"), root])
        let other = LibraryWriter(
            roots: roots, stateDirectory: writer.stateDirectory, runtimeDirectory: scratch("run"),
            database: scratch("state").appending("index.sqlite"), command: number(98)
        ) { Issue.record($0) }
        let new = scratch("new").appending("a")
        #expect(roots.find(session.path) && roots.find(new) && !roots.find(scratch("else")))
        #expect(try other.makeMissingRoot(for: new) == scratch("new"))
        #expect(try other.makeMissingRoot(for: new) == nil)
    }

    @Test func `a path is made whole, and links keep their meaning`() throws {
        try OpenDirectory.make(root.appending("b").appending("c"))
        try scratch.link("link", to: root.appending("b").appending("c").string)
        #expect(FilePath("a").absolute(from: root) == session.path)
        #expect(FilePath("./b/../a").absolute(from: root) == session.path)
        // Through a link, `..` leads to where the link leads.
        let crooked = scratch("link").appending("..")
        #expect(crooked.absolute(from: "/") == crooked)
    }
}
