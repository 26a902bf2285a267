import Dispatch
import FileHarness
import Glibc
import Synchronization
import SystemPackage
import Testing
import TraceFiles

@testable import TraceLibrary

/// A command asks, and nothing that answers, or does not, holds it up.
struct DaemonQuestionTests {
    private let scratch: ScratchDirectory
    private let state: FilePath
    private let answer: WatchedRoots

    init() throws {
        scratch = try ScratchDirectory()
        state = scratch("state")
        try OpenDirectory.make(state)
        answer = WatchedRoots(database: FileID(device: 1, inode: 2), roots: ["/srv/sessions": true])
    }

    private func socket(in runtime: FilePath) throws -> DaemonSocket {
        try OpenDirectory.make(runtime)
        return try #require(DaemonSocket(state: state, runtimeDirectory: runtime))
    }

    /// A listener that takes one connection.
    private final class Listener: Sendable {
        private let descriptor: FileDescriptor

        init(_ socket: DaemonSocket, backlog: Int32 = 4) throws {
            let listener = try DaemonSocket.open()
            try socket.withAddress { bind(listener.rawValue, $0, $1) }
            try #require(listen(listener.rawValue, backlog) == 0)
            descriptor = listener
        }

        deinit { try? descriptor.close() }

        /// Sends these pieces to the first client, and closes the connection.
        func answer(_ pieces: [[UInt8]]) {
            let listener = descriptor.rawValue
            DispatchQueue.global().async {
                var state = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                guard poll(&state, 1, 60_000) == 1 else { return }
                let client = accept(listener, nil, nil)
                for piece in pieces { _ = send(client, piece, piece.count, Int32(MSG_NOSIGNAL)) }
                close(client)
            }
        }
    }

    private func ask(in runtime: FilePath, patience: Duration = .seconds(60)) -> WatchedRoots? {
        DaemonQuestion.ask(state: state, runtimeDirectory: runtime, patience: patience)
    }

    @Test func `an answer in pieces is one answer`() throws {
        let runtime = scratch("run")
        let listener = try Listener(socket(in: runtime))
        let line = answer.line
        listener.answer([Array(line.prefix(3)), Array(line.dropFirst(3))])
        #expect(ask(in: runtime) == answer)
    }

    @Test func `a runtime directory whose path has no room in an address is reached through its descriptor`()
        throws
    {
        var runtime = scratch("run")
        for _ in 0..<4 { runtime.append(String(repeating: "x", count: 60)) }
        let listener = try Listener(socket(in: runtime))
        listener.answer([answer.line])
        #expect(ask(in: runtime) == answer)
    }

    @Test(
        arguments: [
            [[]], [Array("{}\n".utf8)], [Array("\u{1B}]0;owned\u{7}".utf8)], [Array("{\"roots\":".utf8)],
        ] as [[[UInt8]]])
    func `an answer that says nothing, or is cut off, is none`(_ pieces: [[UInt8]]) throws {
        let runtime = scratch("run")
        let listener = try Listener(socket(in: runtime))
        listener.answer(pieces)
        #expect(ask(in: runtime) == nil)
    }

    @Test func `an answer without end is left`() throws {
        let runtime = scratch("run")
        let listener = try Listener(socket(in: runtime))
        listener.answer(Array(repeating: [UInt8](repeating: 0x20, count: 1 << 16), count: 64))
        #expect(ask(in: runtime) == nil)
    }

    @Test func `a daemon that does not answer, or takes no connection, is waited for no longer than is said`()
        throws
    {
        let runtime = scratch("run")
        let listener = try Listener(socket(in: runtime), backlog: 0)
        #expect(ask(in: runtime, patience: .milliseconds(30)) == nil)
        // The queue of connections is full after a few, and nothing takes one out of it: it is not waited for at all.
        let connections = try (0..<4).map { _ in try DaemonSocket.open() }
        defer { for connection in connections { try? connection.close() } }
        for connection in connections {
            _ = try? socket(in: runtime).withAddress { connect(connection.rawValue, $0, $1) }
        }
        #expect(ask(in: runtime) == nil)
        withExtendedLifetime(listener) {}
    }

    @Test
    func `without a socket, with one that nobody serves, and with a file in its place there is no answer`()
        throws
    {
        let runtime = scratch("run")
        #expect(ask(in: runtime) == nil)
        let socket = try socket(in: runtime)
        #expect(ask(in: runtime) == nil)
        do { _ = try Listener(socket) }
        #expect(socket.path.exists)
        #expect(ask(in: runtime) == nil)
        try #require(unlink(socket.path.string) == 0)
        try socket.path.write("{}\n")
        #expect(ask(in: runtime) == nil)
        #expect(DaemonQuestion.ask(state: scratch("none"), runtimeDirectory: runtime) == nil)
    }

    @Test func `where everybody may write, nobody is asked`() throws {
        let runtime = scratch("run")
        let listener = try Listener(socket(in: runtime))
        listener.answer([answer.line])
        try #require(chmod(runtime.string, 0o1777) == 0)
        #expect(ask(in: runtime) == nil)
        try #require(chmod(runtime.string, 0o755) == 0)
        #expect(ask(in: runtime) == answer)
    }

    @Test func `each state directory has a socket of its own, whichever path leads there`() throws {
        let runtime = scratch("run")
        let other = scratch("other")
        try OpenDirectory.make(other)
        try scratch.link("link", to: "state")
        let names = [state, scratch("link"), other].map {
            DaemonSocket(state: $0, runtimeDirectory: runtime)?.name
        }
        #expect(names[0] != nil && names[0] == names[1] && names[0] != names[2])
    }
}
