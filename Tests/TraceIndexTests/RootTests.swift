import Glibc
import SystemPackage
import Testing

@testable import TraceIndex

/// A root that is gone has not lost its sessions.
@Suite struct RootTests {
    private let scratch: Scratch
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        index = try scratch.index()
    }

    private func reconcile(_ folder: SessionFolder) throws -> JournalReconciliation {
        try index.reconcile(journal: folder.path, in: scratch.root)
    }

    @Test func `the rows of a root that is gone stay, and it is offline`() throws {
        let folder = try scratch.session()
        _ = try reconcile(folder)
        try scratch.root.rename(to: scratch.path.appending("elsewhere"))
        #expect(try reconcile(folder).outcome == .unreachable)
        #expect(try index.roots().map(\.state) == [.offline])
        #expect(try index.session(at: folder.path)?.isOnline == false)
        #expect(try index.retain(sessions: [], in: scratch.root) == [])
        #expect(try index.sessions().count == 1)

        try scratch.path.appending("elsewhere").rename(to: scratch.root)
        try index.setRoot(scratch.root, state: .online)
        #expect(try reconcile(folder).outcome == .unchanged)
        #expect(try index.session(at: folder.path)?.isOnline == true)
    }

    @Test func `an empty mount point in the place of a root is not an empty root`() throws {
        let folder = try scratch.session()
        _ = try reconcile(folder)
        try scratch.root.rename(to: scratch.path.appending("elsewhere"))
        try scratch.root.makeDirectory()
        #expect(try reconcile(folder).outcome == .unreachable)
        #expect(try index.retain(sessions: [], in: scratch.root) == [])
        #expect(try index.sessions().count == 1)
        #expect(try index.look(atRoot: scratch.root) == .offline)
        // One that is not empty is a root that was exchanged.
        try scratch.root.appending("other").makeDirectory()
        #expect(try index.look(atRoot: scratch.root) == .online)
        // Somebody who says that this is the root now is believed.
        try index.setRoot(scratch.root, state: .online)
        #expect(try index.retain(sessions: [], in: scratch.root) == [folder.path])
        #expect(try index.sessions().isEmpty)
    }

    @Test func `what a full search no longer finds is removed, in that root alone`() throws {
        let (kept, gone) = (try scratch.session("kept"), try scratch.session("gone"))
        let other = try SessionFolder(scratch.path.appending("other"))
        for folder in [kept, gone] { _ = try reconcile(folder) }
        try gone.path.rename(to: scratch.path.appending("away"))
        _ = try index.reconcile(journal: other.path, in: nil)
        #expect(try index.retain(sessions: [kept.path], in: scratch.root) == [gone.path])
        #expect(try Set(index.sessions().map(\.path)) == [kept.path, other.path])
        #expect(try index.sessions(in: scratch.root).map(\.path) == [kept.path])
        #expect(try index.retain(sessions: [], in: "/unknown") == [])
    }

    @Test func `a session that came after the search, and that another process has read, stays`() throws {
        let (kept, new) = (try scratch.session("kept"), try scratch.session("new"))
        for folder in [kept, new] { _ = try reconcile(folder) }
        #expect(try index.retain(sessions: [kept.path], in: scratch.root) == [])
        // A search comes to it by this path only: by a link, or in a directory that is left out, it is not found.
        for place in ["link", ".git/set"] as [FilePath] {
            let path = scratch.root.pushing(place)
            try path.removingLastComponent().makeDirectory()
            try new.path.rename(to: scratch.path.appending("away"))
            if place == "link" {
                try #require(symlink(scratch.path.appending("away").string, path.string) == 0)
            } else {
                try scratch.path.appending("away").rename(to: path)
            }
            _ = try index.reconcile(journal: path, in: scratch.root)
            #expect(try Set(index.retain(sessions: [kept.path], in: scratch.root)).contains(path))
            if place == "link" { try scratch.path.appending("away").rename(to: new.path) }
        }
        #expect(try index.sessions().map(\.path) == [kept.path])
    }

    @Test func `a session that no search finds is forgotten, though something is at its path`() throws {
        let folder = try scratch.session()
        _ = try reconcile(folder)
        #expect(try index.reconcile(missing: folder.path, from: scratch.root).outcome == .removed)
        #expect(try index.sessions().isEmpty)
        _ = try reconcile(folder)
        try scratch.root.rename(to: scratch.path.appending("elsewhere"))
        #expect(try index.reconcile(missing: folder.path, from: scratch.root).outcome == .unreachable)
        #expect(try index.sessions().count == 1)
    }

    @Test func `a removed root takes its rows along`() throws {
        let folder = try scratch.session()
        _ = try reconcile(folder)
        try index.removeRoot(scratch.root)
        #expect(try index.dump() == [])
        #expect(try index.roots().isEmpty)
    }
}
