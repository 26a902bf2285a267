package import RecordFormat
internal import TraceText

/// An active session in which nothing has happened for so long that nobody seems to have thought of closing it.
package struct ForgottenSession: Sendable, Hashable {
    /// When something happened in it last.
    package let lastActivity: Timestamp
    /// How long that was ago, in milliseconds, > 0.
    let age: Int64

    /// - Parameters:
    ///   - lastRecord: The moment at which the last record stands; nil if there is none, or it is not known.
    ///   - limit: How long nothing may happen.
    /// - Returns: Nil if the session is not active, or something has happened since.
    package init?(_ session: Session, lastRecord: Timestamp?, now: Timestamp, after limit: Duration) {
        self.init(
            status: session.status, [session.startTime, session.updatedAt, lastRecord], now: now, after: limit
        )
    }

    /// - Parameter moments: When something happened in it; those that are in the future say nothing.
    package init?(
        status: Session.Status?, _ moments: [Timestamp?], now: Timestamp, after limit: Duration
    ) {
        guard status == .active, let last = moments.compactMap({ $0.flatMap { $0 <= now ? $0 : nil } }).max()
        else { return nil }
        let age = now.milliseconds(since: last)
        guard age > 0, .milliseconds(age) >= limit else { return nil }
        lastActivity = last
        self.age = age
    }

    /// `13 hours`, `291 days`.
    package var ageText: String {
        let hours = age / 3_600_000
        return hours < 48 ? counted(Int(hours), "hour") : counted(Int(hours / 24), "day")
    }
}
