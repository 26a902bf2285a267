public import RecordFormat

/// A run of an action, as its latest line tells.
///
/// Source: docs/spec/format.md#rules-across-lines-and-files, rule 1.
public struct ActionRun: Sendable, Hashable {
    /// The run's id; all its lines have it.
    public var id: ULID
    /// Which action.
    public var action: String
    /// When the run was asked for.
    public var createdAt: Timestamp?
    /// How far it got.
    public var status: Status
    /// Why it failed.
    public var error: String?

    /// The status of a run.
    public enum Status: String, Sendable, Hashable {
        /// It was begun, or a phone asked for it.
        case started
        /// It ended well.
        case succeeded
        /// It ended badly.
        case failed
    }

    /// A run.
    public init(id: ULID, action: String, createdAt: Timestamp?, status: Status, error: String? = nil) {
        self.id = id
        self.action = action
        self.createdAt = createdAt
        self.status = status
        self.error = error
    }

    /// The run that a line tells of, or nil if id, name or status are missing or broken.
    package init?(_ record: RecordChecker.Record) {
        let root = record.root
        guard let id = root[name: "id"]?.utf8.flatMap(ULID.init(bytes:)),
            let action = root[name: "action"]?.string,
            let status = root[name: "status"]?.string.flatMap(Status.init(rawValue:))
        else { return nil }
        self.init(
            id: id, action: action, createdAt: root[name: "created_at"]?.timestamp, status: status,
            error: root[name: "error"]?.string)
    }
}
