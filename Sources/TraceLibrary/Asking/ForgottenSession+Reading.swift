package import RecordFormat
package import TraceFormat
package import TraceStore

extension ForgottenSession {
    /// As a session's header and the last of its records tell.
    ///
    /// - Parameter open: Opens the session; asked only if its header alone makes it look forgotten.
    /// - Returns: Nil if it is not, or can't be read.
    package init?(
        _ session: Session, in open: () throws -> SessionReader, now: Timestamp, after limit: Duration
    ) {
        guard ForgottenSession(session, lastRecord: nil, now: now, after: limit) != nil,
            let last = try? open().lastMoment(of: session, until: now)
        else { return nil }
        self.init(session, lastRecord: last, now: now, after: limit)
    }
}
