package import RecordFormat
package import TraceFormat

extension ForgottenSession {
    /// Whether a session seems to have been forgotten, by its last record.
    ///
    /// - Parameters:
    ///   - session: What `session.json` says.
    ///   - open: Opens the session; asked only where its header alone makes it look so.
    ///   - limit: How long nothing may happen.
    /// - Returns: Nil if it is no such session, or can't be read.
    package init?(
        reading session: Session, in open: () throws -> SessionReader, now: Timestamp, after limit: Duration
    ) {
        guard ForgottenSession(session, lastRecord: nil, now: now, after: limit) != nil,
            let last = try? open().lastMoment(of: session, until: now)
        else { return nil }
        self.init(session, lastRecord: last, now: now, after: limit)
    }
}
