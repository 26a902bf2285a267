import Dispatch
import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import Testing
import TraceFiles

@testable import TraceAccess

struct TokenTableTests {
    let scratch: ScratchDirectory
    let scene: AccessScene
    /// Its clock is an hour ahead, so that every directory has been at rest for long.
    let table: TokenTable

    init() throws {
        scratch = try ScratchDirectory()
        scene = AccessScene(in: scratch.path)
        table = TokenTable(state: scene.state) {
            SystemTime(seconds: SystemTime.now().seconds + 3600, nanoseconds: 0)
        }
    }

    private func decision(_ secret: TokenSecret) throws -> TokenTable.Decision {
        try table.decision(for: secret, at: morning)
    }

    @Test func `what another process does holds from the next decision on`() throws {
        #expect(try decision(TokenSecret()) == .unknown)
        let (token, secret) = try scene.add()
        #expect(try decision(secret) == .granted(token))
        #expect(try table.decision(for: token.id, at: morning) == .granted(token))
        let renamed = try scene.tokens().rename(token.id, to: "Ann's phone")
        #expect(try decision(secret) == .granted(renamed))
        try scene.tokens().revoke(token.id)
        #expect(try decision(secret) == .unknown)
        #expect(try table.decision(for: token.id, at: morning) == .unknown)
    }

    @Test func `files are read again only after a change`() throws {
        let (_, secret) = try scene.add()
        for _ in 0..<100 { _ = try decision(secret) }
        #expect(table.readCount == 1)
        let (other, otherSecret) = try scene.add("laptop")
        for _ in 0..<100 { #expect(try decision(otherSecret) == .granted(other)) }
        #expect(table.readCount == 2)
        try AccessLog(state: scene.state, runtimeDirectory: nil).append(AccessEvent(.refused))
        let afterLog = try decision(secret)
        let count = table.readCount
        // To append to the log again does not change the directory.
        try AccessLog(state: scene.state, runtimeDirectory: nil).append(AccessEvent(.refused))
        #expect(try decision(secret) == afterLog)
        #expect(table.readCount == count)
    }

    @Test func `a change within the same tick of the clock is not missed`() throws {
        let impatient = TokenTable(state: scene.state)
        for _ in 0..<200 {
            let (token, secret) = try scene.add()
            #expect(try impatient.decision(for: secret, at: morning) == .granted(token))
            try scene.tokens().revoke(token.id)
            #expect(try impatient.decision(for: secret, at: morning) == .unknown)
        }
    }

    @Test func `an expired token is told from one that is not known`() throws {
        let (token, secret) = try scene.tokens().add(
            AccessScene.grant(), expiresAt: morning.later(60), at: morning)
        #expect(try table.decision(for: secret, at: morning.later(59)) == .granted(token))
        #expect(try table.decision(for: secret, at: morning.later(60)) == .expired(token))
        #expect(try table.decision(for: token.id, at: morning.later(61)) == .expired(token))
        #expect(table.readCount == 1)
    }

    @Test func `a damaged token lets nobody in, stops no other, and is reported`() throws {
        let (token, secret) = try scene.add()
        let (other, otherSecret) = try scene.add("laptop")
        try scene.access.appending("\(token.id).json").write("{\"id\":")
        #expect(try decision(secret) == .unknown)
        #expect(try decision(otherSecret) == .granted(other))
        #expect(table.damaged.map(\.id) == [token.id])
        #expect(table.readCount == 1)
    }

    @Test func `who can't read the tokens lets nobody in`() throws {
        let (token, secret) = try scene.add()
        #expect(try decision(secret) == .granted(token))
        try #require(chmod(scene.access.string, 0o777) == 0)
        #expect(code(of: AccessError.self) { try decision(secret) } == .accessExposed)
        try #require(chmod(scene.access.string, 0o750) == 0)
        #expect(try decision(secret) == .granted(token))
        try #require(rename(scene.access.string, scratch("away").string) == 0)
        #expect(try decision(secret) == .unknown)
        try scene.access.write("")
        #expect(code { try decision(secret) } == .notFound)
        try #require(unlink(scene.access.string) == 0)
        try #require(rename(scratch("away").string, scene.access.string) == 0)
        #expect(try decision(secret) == .granted(token))
    }

    @Test
    func
        `no token counts while strangers could exchange the state directory, and each does again afterwards`()
        throws
    {
        let (token, secret) = try scene.add()
        // One above, by a link in another directory.
        let (open, links) = (scratch("open"), scratch("links"))
        for directory in [open, links] { try OpenDirectory.make(directory) }
        try #require(rename(scene.state.string, open.appending("state").string) == 0)
        try #require(symlink("../open/state", links.appending("state").string) == 0)
        let state = links.appending("state")
        let table = TokenTable(state: state)
        func isGranted() throws -> Bool { try table.decision(for: secret, at: morning) == .granted(token) }
        #expect(try isGranted())
        for place in [open, links, state] {
            try #require(chmod(place.string, 0o777) == 0)
            #expect(code(of: AccessError.self) { try isGranted() } == .accessExposed, "\(place)")
            #expect(
                try TokenTable(state: state, isShared: true).decision(for: secret, at: morning)
                    == .granted(token))
            // Sticky, as /tmp is, or shared with a group.
            for mode: mode_t in [0o1777, 0o2770, 0o755] {
                try #require(chmod(place.string, mode) == 0)
                #expect(try isGranted(), "\(place), \(String(mode, radix: 8))")
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func `what is another user's lets them in`() throws {
        let (token, secret) = try scene.add()
        for place in [scene.state, scratch.path] {
            try #require(chown(place.string, 4711, 0) == 0)
            #expect(
                code(of: AccessError.self) { try table.decision(for: secret, at: morning) } == .accessExposed,
                "\(place)")
            try StateDirectoryCheck.require(scene.state, of: [4711])
            try #require(chown(place.string, 0, 0) == 0)
        }
        #expect(try table.decision(for: secret, at: morning) == .granted(token))
        // A link of theirs, which they could exchange.
        let link = scratch("link")
        try #require(symlink(scene.state.string, link.string) == 0 && lchown(link.string, 4711, 0) == 0)
        #expect(code(of: AccessError.self) { try StateDirectoryCheck.require(link) } == .accessExposed)
        try StateDirectoryCheck.require(scratch("none").appending("state"))
    }

    @Test func `a directory that is exchanged for another is noticed`() throws {
        let (_, secret) = try scene.add()
        _ = try decision(secret)
        let other = AccessScene(in: scratch("other"))
        try OpenDirectory.make(scratch("other"))
        let (token, otherSecret) = try other.add()
        try #require(rename(scene.access.string, scratch("away").string) == 0)
        try #require(rename(other.access.string, scene.access.string) == 0)
        #expect(try decision(secret) == .unknown)
        #expect(try decision(otherSecret) == .granted(token))
    }

    @Test func `many threads ask while tokens come and go, and none is let in wrongly`() throws {
        let (kept, keptSecret) = try scene.add("kept")
        let wrong = Mutex(0)
        let table = TokenTable(state: scene.state)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for _ in 0..<50 {
                do {
                    if thread == 0 {
                        let (token, secret) = try scene.add()
                        let before = try table.decision(for: secret, at: morning)
                        try scene.tokens().revoke(token.id)
                        let after = try table.decision(for: secret, at: morning)
                        if before != .granted(token) || after != .unknown { wrong.withLock { $0 += 1 } }
                    } else if try table.decision(for: keptSecret, at: morning) != .granted(kept) {
                        wrong.withLock { $0 += 1 }
                    }
                } catch { wrong.withLock { $0 += 1 } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
    }
}
