internal import Journals
package import RecordFormat
package import SystemPackage
internal import TraceFormat
package import TraceIndex
package import TraceStore
package import TraceText

extension JournalLibrary {
    /// What an index knows of a session's files as they are; nil if the index can't be used or lags: to bring it up to date would
    /// take longer than to read the files.
    package func indexedOverview(of session: FilePath) -> SessionOverview? {
        guard roots.root(of: session) != nil,
            let index = try? JournalIndex(readingAt: database, formats: Journals.all),
            (try? index.isCurrent(session: session)) == true, let lines = try? index.liveLines(of: session),
            let findings = try? index.findings(of: session),
            let header = try? SessionReader(session, settleTime: settleTime).header()
        else { return nil }
        return SessionOverview(session: header.session, findings: findings.map(\.finding), lines: lines)
    }

    /// The sessions that started within these moments, the latest first, why any may lack, and whether a daemon answered for all of
    /// them, so that none was compared.
    ///
    /// - Throws: As ``FreshIndex/answer(_:)``.
    package func sessions(
        startedWithin moments: ClosedRange<Timestamp>
    ) throws -> (sessions: [IndexedSession], failures: [any StructuredError], isWatched: Bool) {
        let fresh = FreshIndex(self, session: nil, about: [])
        let known = try fresh.answer(comparing: { $0.map(\.path) }) { index in
            try list(index).filter { $0.startTime.map(moments.contains) ?? false }
        }
        return (known, fresh.failures, fresh.isWatched)
    }
}
