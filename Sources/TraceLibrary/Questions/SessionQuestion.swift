package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceIndex
package import TraceStore

/// What is known about one session: `trace session show`.
package struct SessionQuestion: Sendable, Hashable {
    /// The session's directory.
    let session: FilePath
    /// How long a file must have rested before its unfinished last line counts as torn.
    let settleTime: Duration

    package init(_ session: FilePath, settleTime: Duration = .seconds(2)) {
        self.session = session
        self.settleTime = settleTime
    }

    /// A reading of all files of the session, for who wants to know more of it than ``SessionAnswer/init(_:)`` makes of it.
    ///
    /// - Throws: `FileError` if the session can't be read.
    /// - Complexity: O(size of the session's files).
    package func inspection() throws -> Inspection { try Inspection(of: session, settleTime: settleTime) }

    /// What the files say.
    ///
    /// - Throws: As ``inspection()``.
    package func answer() throws -> SessionAnswer { SessionAnswer(try inspection()) }

    /// The same out of an index, and of the files `session.json` alone.
    ///
    /// - Parameter index: One that is up to date for the session.
    /// - Throws: ``IndexError``, with `.stale` if the session has gone in between; `FileError` if `session.json` can't be read.
    /// - Complexity: O(size of `session.json`), however many records there are.
    package func answer(_ index: JournalIndex) throws -> SessionAnswer {
        guard let known = try index.session(at: session) else {
            throw IndexError(.stale, "the session no longer exists", path: session)
        }
        return SessionAnswer(
            path: session, session: try SessionReader(session, settleTime: settleTime).header().session,
            counts: known.counts, findingCounts: known.findingCounts)
    }
}
