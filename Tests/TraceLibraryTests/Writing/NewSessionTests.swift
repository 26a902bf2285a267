import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import TraceLibrary

/// Making sessions, and ending them.
struct NewSessionTests {
    private let scratch: ScratchDirectory
    private var writer: LibraryWriter { writer(number(99)) }

    init() throws {
        scratch = try ScratchDirectory()
        try OpenDirectory.make(scratch("one"))
        try OpenDirectory.make(scratch("two"))
    }

    private func writer(_ command: ULID) -> LibraryWriter {
        let state = scratch("state")
        return LibraryWriter(
            roots: SessionRoots([scratch("one"), scratch("two")]), stateDirectory: state,
            runtimeDirectory: scratch("run"), database: state.appending("index.sqlite"), command: command
        ) { Issue.record($0) }
    }

    private func made(_ title: String, in roots: [FilePath]? = nil) throws -> CreatedSession {
        try writer.createSession(
            inFirstOf: roots ?? writer.roots.paths, title: title, start: morning, in: .utc)
    }

    @Test func `a session has the name of its day and its title, and a number where that is taken`() throws {
        #expect(try made("Late set!").path == scratch("one").appending("2026-02-05-late-set"))
        #expect(try made("Late set!").path == scratch("one").appending("2026-02-05-late-set-2"))
    }

    @Test(arguments: ["../../etc", "a/b\n.c", "a\0b", "..", String(repeating: "x", count: 4000)])
    func `whatever the title, the directory is one below its root`(_ title: String) throws {
        let path = try made(title).path
        #expect(path.removingLastComponent() == scratch("one"))
        #expect((path.lastComponent?.string.utf8.count ?? 0) <= 200)
        #expect(try SessionTarget(reading: path).session.title == title)
    }

    @Test func `the first root that can be written has it`() throws {
        // Nothing can be made where a file is.
        try scratch.write("", to: "file")
        let path = try made("a", in: [scratch("file"), scratch("two")]).path
        #expect(path.removingLastComponent() == scratch("two"))
        #expect(throws: FileError.self) { try made("a", in: [scratch("file")]) }
        let none = #expect(throws: LibraryError.self) { try made("a", in: []) }
        #expect(none?.code == .noRoot)
    }

    @Test func `a root that has never been there is made, and told`() throws {
        var told: [FilePath] = []
        let other = LibraryWriter(
            roots: SessionRoots([scratch("new")]), stateDirectory: scratch("state"),
            runtimeDirectory: scratch("run"), database: scratch("index.sqlite"), command: number(98)
        ) { Issue.record($0) }
        let session = try other.createSession(
            inFirstOf: other.roots.paths, title: "a", start: morning, in: .utc
        ) { told.append($0) }
        #expect(told == [scratch("new")])
        #expect(
            text(session.json(.commandLine))
                == #"{"session_path":"\#(session.path)","session_id":"\#(session.id)"}"#)
        #expect(text(session.json(.web)) == #"{"handle":"\#(session.id)","session_id":"\#(session.id)"}"#)
    }

    @Test func `a session ends with its last record, and the markers after an end are counted`() throws {
        let path = try made("a").path
        let target = try SessionTarget(reading: path)
        for milliseconds in [1000, 60_000] as [Int64] {
            let marker = Marker(
                id: number(Int(milliseconds)), offset: SessionOffset(milliseconds: milliseconds),
                createdAt: morning)
            _ = try writer.writer(target).mark(marker)
        }
        let undone = try writer(number(98)).close(
            target, at: .moment(morning.adding(SessionOffset(milliseconds: 2000))))
        #expect(undone.duration.milliseconds == 2000 && undone.markersBehindEnd == 1)
        #expect(text(undone.json(.web)).hasSuffix(#""duration_ms":2000,"markers_behind_end":1}"#))
        let closed = #expect(throws: StoreError.self) {
            try writer.close(SessionTarget(reading: path), at: .lastRecord)
        }
        #expect(closed?.code == .alreadyClosed)
        _ = try writer.undo.run(user: UInt32(geteuid()))
        let last = try writer.close(SessionTarget(reading: path), at: .lastRecord)
        #expect(last.duration.milliseconds == 60_000 && last.markersBehindEnd == 0)
        #expect(text(last.json(.web)).hasSuffix(#""duration_ms":60000}"#))
    }

    @Test func `a title that is there already changes nothing`() throws {
        let target = try SessionTarget(reading: made("a").path)
        #expect(try !writer.edit(target, title: "a").isChanged)
        let edited = try writer.edit(target, title: "b")
        #expect(edited.isChanged && text(edited.json(.web)).hasSuffix(#""changed":true,"title":"b"}"#))
    }
}
