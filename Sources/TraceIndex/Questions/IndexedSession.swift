public import RecordFormat
public import SystemPackage
public import TraceFormat

/// A session as the index knows it.
public struct IndexedSession: Sendable, Hashable {
    /// The session's directory; the key of a session in the index, for two directories may hold one id.
    public var path: FilePath
    /// The root below which it was found, if any.
    public var root: FilePath?
    /// Whether that root can be reached; without a root, true.
    public var isOnline: Bool
    /// What `session.json` says; nil if it is missing or broken there.
    public var id: ULID?
    /// What a person called it.
    public var title: String?
    /// Whether it still runs.
    public var status: Session.Status?
    /// When the object was made.
    public var createdAt: Timestamp?
    /// When it was last changed.
    public var updatedAt: Timestamp?
    /// Offset 0.
    public var startTime: Timestamp?
    /// When a closed session ended.
    public var endTime: Timestamp?
    /// How long a closed session was.
    public var duration: SessionOffset?
    /// Where the clock of an active session stands, if it is paused.
    public var pausedAt: SessionOffset?
    /// Of an active session, the moment at which its record with the greatest offset stands.
    public var lastRecord: Timestamp?
    /// The number of records of each kind; lines of one id count once, lines without a valid id not at all.
    public var counts: [RecordKind: Int]
    /// The number of findings of each severity; none of a severity: no entry.
    public var findingCounts: [Rule.Severity: Int]

    /// What a person calls it: the title, or nil when there is none or it is empty.
    public var displayTitle: String? { title.flatMap { $0.isEmpty ? nil : $0 } }
}

extension IndexedSession {
    /// Whether it seems to have been forgotten: active, and nothing has happened in it for that long.
    package func forgotten(now: Timestamp, after limit: Duration) -> ForgottenSession? {
        ForgottenSession(status: status, [startTime, updatedAt, lastRecord], now: now, after: limit)
    }
}

/// A finding, and the session that it is about.
public struct IndexedFinding: Sendable, Hashable {
    /// The session's directory.
    public var session: FilePath
    /// What is wrong.
    public var finding: Finding
}
