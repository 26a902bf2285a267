internal import Glibc
package import SystemPackage

/// Asks the daemon of a state directory which roots a command need not compare with the index itself.
///
/// Nothing depends on an answer: without a daemon, and with one that is busy, stopped or says anything unexpected, everything is
/// compared.
package enum DaemonQuestion {
    /// How long an answer is waited for. It comes within some milliseconds, unless much was written a moment ago.
    static let patience = Duration.seconds(1)

    /// An answer is as long as the daemon's roots.
    private static let longestAnswer = 1 << 18

    /// What the daemon knows now: everything that was written before the call.
    ///
    /// - Returns: Nil if there is no answer within `patience`, or if the daemon does not know.
    package static func ask(
        state: FilePath, runtimeDirectory: FilePath, patience: Duration = patience
    ) -> WatchedRoots? {
        guard let socket = DaemonSocket(state: state, runtimeDirectory: runtimeDirectory) else { return nil }
        let deadline = ContinuousClock.now + patience
        guard let connection = try? DaemonSocket.open() else { return nil }
        defer { try? connection.close() }
        // A daemon whose queue of connections is full is not waited for: it may be stopped.
        guard (try? socket.withAddress { connect(connection.rawValue, $0, $1) }) != nil else { return nil }
        return answer(from: connection, until: deadline).flatMap { WatchedRoots(line: $0) }
    }

    /// What a daemon sends until it closes the connection; nil if that takes too long.
    private static func answer(
        from connection: FileDescriptor, until deadline: ContinuousClock.Instant
    ) -> [UInt8]? {
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while answer.count <= longestAnswer {
            let count = piece.withUnsafeMutableBytes { read(connection.rawValue, $0.baseAddress, $0.count) }
            switch (count, errno) {
            case (0, _): return answer
            case (1..., _): answer += piece[..<count]
            case (_, EINTR): continue
            case (_, EAGAIN): guard waitForBytes(of: connection, until: deadline) else { return nil }
            default: return nil
            }
        }
        return nil
    }

    private static func waitForBytes(
        of connection: FileDescriptor, until deadline: ContinuousClock.Instant
    ) -> Bool {
        while true {
            let left = deadline - .now
            guard left > .zero else { return false }
            var state = pollfd(fd: connection.rawValue, events: Int16(POLLIN), revents: 0)
            let count = poll(&state, 1, Int32(min((left / .milliseconds(1)).rounded(.up), 60_000)))
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
        }
    }
}
