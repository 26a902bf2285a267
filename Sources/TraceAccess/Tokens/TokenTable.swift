package import RecordFormat
internal import Synchronization
package import SystemPackage
package import TraceFiles

/// The tokens of a state directory, kept in memory by the daemon.
///
/// Before each decision the identity of `access/` is compared, by one `stat`, and the files are read only if it differs: a token is
/// added and renamed by a rename and revoked by a removal, each of which changes the directory. So what another process has done
/// holds from the next decision on, without any message that could be lost. A file that is written in place is not noticed. Before that, the
/// directories that lead to it are looked at: while strangers could exchange one of them, nobody gets in.
package final class TokenTable: Sendable {
    private let path: FilePath
    private let state: FilePath
    private let isShared: Bool
    private let now: @Sendable () -> SystemTime
    private let contents = Mutex(Contents())

    /// What was read, and of which directory.
    private struct Contents: Sendable {
        /// As it was before it was read; nil if there was none.
        var identity: FileIdentity?
        /// Whether a later change would have another identity. Within a tick of the kernel's clock two changes have the same.
        var isSettled = false
        var list = AccessTokenList()
        var byHash: [String: AccessToken] = [:]
        var byID: [ULID: AccessToken] = [:]
        var readCount = 0
    }

    /// How long a directory must have been unchanged when it is read, so that every later change has another time; as long as the
    /// coarsest clocks of file systems need.
    private static let settleTime = Duration.seconds(2)

    /// The tokens of a state directory, which need not exist yet.
    ///
    /// - Parameters:
    ///   - isShared: Whether tokens count although others could exchange the directory (``StateDirectoryCheck``).
    ///   - now: The clock with which the times of files are compared; tests pass their own.
    package init(
        state: FilePath, isShared: Bool = false,
        now: @escaping @Sendable () -> SystemTime = { SystemTime.now() }
    ) {
        self.state = state
        self.isShared = isShared
        path = AccessDirectory.tokens(in: state)
        self.now = now
    }

    /// What a token is good for at a moment.
    package enum Decision: Sendable, Equatable {
        /// It is one of ours; its scope and filter say the rest.
        case granted(AccessToken)
        /// It was one of ours.
        case expired(AccessToken)
        /// It is none of ours, or has been revoked.
        case unknown
    }

    /// Whether a secret lets its holder in.
    ///
    /// The table is searched for the hash of the secret, not for the secret. How long that takes tells at most how far the hash of a
    /// guess agrees with another hash, from which no better guess follows; so no comparison in constant time is needed.
    ///
    /// - Throws: ``FileError`` if the tokens can't be read: then nobody gets in; ``AccessError`` with `.accessExposed` if everybody may add
    ///   some.
    package func decision(for secret: TokenSecret, at moment: Timestamp) throws -> Decision {
        let hash = secret.sha256
        return try decision(at: moment) { $0.byHash[hash] }
    }

    /// Whether a token is still alive, for what was begun with it and lasts: a stream, a link.
    ///
    /// - Throws: As ``decision(for:at:)``.
    package func decision(for id: ULID, at moment: Timestamp) throws -> Decision {
        try decision(at: moment) { $0.byID[id] }
    }

    private func decision(at moment: Timestamp, _ find: (Contents) -> AccessToken?) throws -> Decision {
        if !isShared { try StateDirectoryCheck.require(state) }
        // Nobody waits while another thread looks at the directory.
        let status = try status()
        let contents = try contents.withLock { contents in
            if contents.identity != status?.identity || !contents.isSettled { try bringUpToDate(&contents) }
            return contents
        }
        guard let token = find(contents) else {
            // It may be one of those that could not be read just now, whose holder must not get the answer that it is gone.
            if let unread = contents.list.damaged.first(where: \.mayBeReadLater) { throw unread.problem }
            return .unknown
        }
        return token.isExpired(at: moment) ? .expired(token) : .granted(token)
    }

    /// The files that could not be read the last time, for the log.
    package var damaged: [AccessTokenList.Damaged] { contents.withLock { $0.list.damaged } }

    /// How often the files have been read.
    package var readCount: Int { contents.withLock { $0.readCount } }

    /// That of the directory; nil if there is none.
    private func status() throws -> FileStatus? {
        try explaining("read the status", path) { () throws(Errno) -> FileStatus? in
            do throws(Errno) { return try FileStatus(of: path) } catch {
                if error == .noSuchFileOrDirectory { return nil }
                throw error
            }
        }
    }

    private func bringUpToDate(_ contents: inout Contents) throws {
        guard let status = try status() else {
            contents = Contents(readCount: contents.readCount)
            return
        }
        try AccessDirectory.requireClosed(status, at: path)
        guard status.identity != contents.identity || !contents.isSettled else { return }
        let time = now()
        // Nothing of before holds if this fails.
        contents = Contents(readCount: contents.readCount + 1)
        guard let directory = try AccessDirectory(path).opened() else { return }
        // Taken before the files are read: a change in between makes the next decision read them again.
        let identity = try directory.status().identity
        let list = try AccessTokenList(in: directory)
        contents.byHash = Dictionary(list.tokens.map { ($0.sha256, $0) }) { first, _ in first }
        contents.byID = Dictionary(list.tokens.map { ($0.id, $0) }) { first, _ in first }
        contents.isSettled =
            time - identity.changed >= Self.settleTime && list.damaged.allSatisfy(\.isLasting)
        contents.identity = identity
        contents.list = list
    }
}
