import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceAccess
import TraceFiles
import TraceFormat
import TraceIndex
import TraceStore

@testable import TraceLibrary

/// What names a session for those who know no directories.
struct SessionHandlesTests {
    private let scene: QuestionScene

    init() throws {
        scene = try QuestionScene()
        for (minute, name) in (["first", "second", "third"] as [FilePath.Component]).enumerated() {
            let header = try scene.add(name, minute: minute)("session.json")
            try header.write(
                header.text().replacing(SampleSession.id.description, with: number(700 + minute).description))
        }
    }

    /// The names of the directories that a text names.
    private func names(_ text: String, _ filter: AccessFilter? = nil) throws -> [String?] {
        try scene.ask { index, _ in
            let scope = SessionScope(roots: scene.library.roots.paths, filter: filter)
            return try SessionHandles(index, within: scope).sessions(named: text).map {
                $0.path.lastComponent?.string
            }
        }
    }

    private func known(_ name: String) throws -> IndexedSession {
        try scene.ask { index, _ in
            try #require(try index.sessions().first { $0.path.lastComponent?.string == name })
        }
    }

    private func handle(_ session: IndexedSession) throws -> String {
        try scene.ask { index, _ in
            let scope = SessionScope(roots: scene.library.roots.paths)
            return try SessionHandles(index, within: scope).handle(of: session.path, session.id)
        }
    }

    @Test func `an id that one directory has is its handle, in either case`() throws {
        let session = try known("second")
        let id = try #require(session.id?.description)
        #expect(try handle(session) == id)
        #expect(try names(id.lowercased()) == ["second"])
    }

    @Test func `of two directories with one id each has a handle of its own`() throws {
        let session = try known("second")
        let copy = session.path.removingLastComponent().appending("copy")
        try copyDirectory(session.path, to: copy)
        let handles = try [known("second"), known("copy")].map(handle)
        #expect(handles.allSatisfy { $0.hasPrefix("~") && $0.utf8.count == 17 })
        #expect(Set(handles).count == 2)
        // The handles of a page, asked for together, and of what is not on it.
        try scene.ask { index, _ in
            let scope = SessionScope(roots: scene.library.roots.paths)
            let all = try index.sessions()
            let each = SessionHandles(index, within: scope)
            for asked in [all.compactMap(\.id), Array(all.compactMap(\.id).prefix(1)), []] {
                let name = try each.naming(asked)
                for session in all {
                    #expect(try name(session.path, session.id) == each.handle(of: session.path, session.id))
                }
            }
            #expect(try each.naming([])("/none", nil) == SessionHandles.digest(of: "/none"))
        }
        #expect(try names(handles[1]) == ["copy"])
        #expect(try names(try #require(session.id?.description)).count == 2)
    }

    @Test func `'last' is the one that began last, of those that may be seen`() throws {
        #expect(try names("last") == ["third"])
        let first = try #require(try known("first").id)
        #expect(try names("last", AccessFilter(sessions: [first])) == ["first"])
        #expect(try names("third", AccessFilter(sessions: [first])) == [])
        #expect(try names("last", AccessFilter()) == [])
    }

    /// Copies a session as a sync tool does.
    private func copyDirectory(_ source: FilePath, to copy: FilePath) throws {
        try OpenDirectory.make(copy)
        for name in ["session.json", "markers.jsonl", "timeline.jsonl"] as [FilePath.Component] {
            let from = source.appending(name)
            guard (try? FileStatus(of: from)) != nil else { continue }
            try copy.appending(name).write(from.text())
        }
    }
}
