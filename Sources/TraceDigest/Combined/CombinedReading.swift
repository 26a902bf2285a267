package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceStore
package import TraceText

/// Makes one digest of several sessions.
package struct CombinedReading {
    /// A session of the digest.
    package struct Source: Sendable {
        let path: FilePath
        /// What answers call it: its directory, as it is shown.
        let name: String
        /// Whether its root can be reached; else it is left out.
        let isOnline: Bool
        /// Set if nobody closed it.
        let forgotten: ForgottenSession?

        /// A session in a directory.
        package init(_ path: FilePath, named name: String, isOnline: Bool, forgotten: ForgottenSession?) {
            self.path = path
            self.name = name
            self.isOnline = isOnline
            self.forgotten = forgotten
        }
    }

    /// Called with the number of each session before it is read; may throw to stop.
    package var onSession: (Int) throws -> Void = { _ in }
    /// Called with each session whose root can't be reached.
    package var onUnreachable: (FilePath) -> Void = { _ in }
    /// What a page can link to of a session.
    package var media: (FilePath, Digest) throws -> PageMedia = { _, _ in PageMedia() }

    /// A reading that tells nobody how far it is.
    package init() {}

    /// The digest of the sessions, and why any is left out.
    ///
    /// - Parameter read: Makes the digest of one.
    /// - Throws: ``StoreError`` with `.stopped`; what else than a ``FileError`` the functions throw.
    package func digest(
        of sessions: [Source], zone: ZoneRules, _ read: (FilePath) throws -> Digest
    ) throws -> (digest: CombinedDigest, failures: [any StructuredError]) {
        var entries: [CombinedDigest.Entry] = []
        var failures: [any StructuredError] = []
        for (number, session) in sessions.enumerated() {
            try onSession(number)
            guard session.isOnline else {
                onUnreachable(session.path)
                continue
            }
            do {
                var digest = try read(session.path)
                digest.forgotten = session.forgotten
                let media = try media(session.path, digest)
                entries.append(.init(digest, path: session.name, media: media))
            } catch let error as any StructuredError where !error.isStop {
                failures.append(error)
            }
        }
        return (CombinedDigest(entries, zone: zone), failures)
    }
}
