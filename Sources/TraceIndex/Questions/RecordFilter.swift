public import RecordFormat
public import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// Selects records of sessions.
public struct RecordFilter: Sendable, Hashable {
    /// The sessions to which it applies.
    public var scope: Scope
    /// Only those of these kinds; `session` stands for titles.
    public var kinds: Set<EntryKind>?
    /// Only those of journals of these kinds.
    public var journalKinds: Set<JournalKind>?
    /// Only those that have all of these tags, ignoring case, and categories in either spelling.
    public var tags: [String] = []
    /// Only those that are within, counted from the start of their sessions.
    public var offsets: ClosedRange<SessionOffset>?
    /// Only those that are within; a title is at the start of its session.
    public var moments: ClosedRange<Timestamp>?

    /// The sessions to which it applies.
    public enum Scope: Sendable, Hashable {
        /// Those below these roots.
        case roots([FilePath])
        /// The one in this directory.
        case session(FilePath)
        /// Those in these directories.
        case sessions([FilePath])
        /// All of a scope but those in these directories.
        indirect case without([FilePath], Scope)
    }

    /// All records of these sessions.
    public init(_ scope: Scope) { self.scope = scope }

    /// Adds what it asks of journals to a query that joins `source`.
    func constrainSource(_ conditions: inout Conditions) {
        scope.constrain(&conditions)
        guard let journalKinds else { return }
        let places = journalKinds.map { _ in "?" }.joined(separator: ", ")
        conditions.add("source.kind IN (\(places))", journalKinds.map(\.name).sorted())
    }

    /// Adds what it asks for to a query that joins `record` and `source`.
    ///
    /// - Parameter offset: The column, or what stands for it.
    func constrain(_ conditions: inout Conditions, offset: String = "offset_ms") {
        constrainSource(&conditions)
        if let kinds {
            let codes = kinds.map { "\($0.code)" }.sorted().joined(separator: ", ")
            conditions.add("coalesce(record.kind, \(EntryKind.session.code)) IN (\(codes))")
        }
        conditions.add(tags: tags)
        if let offsets {
            conditions.add(
                "\(offset) BETWEEN ? AND ?", offsets.lowerBound.milliseconds,
                offsets.upperBound.milliseconds)
        }
        if let moments {
            let (first, last) = (moments.lowerBound.milliseconds, moments.upperBound.milliseconds)
            // A journal whose records are elsewhere is not looked at. The index over the offsets leads to those that can be
            // within; their moments say which do.
            conditions.add(
                "(last_ms IS NULL OR first_ms <= ? AND last_ms >= ? OR epoch_ms BETWEEN ? AND ?)", last,
                first,
                first, last)
            conditions.add(
                "\(offset) BETWEEN ? - epoch_ms - \(PauseRows.total) AND ? - epoch_ms", first, last)
            conditions.add("coalesce(\(PauseRows.wallTime), epoch_ms) BETWEEN ? AND ?", first, last)
        }
    }
}

extension RecordFilter.Scope {
    /// Whether it names a directory; nil if it is the roots that say which are within.
    package func names(_ path: FilePath) -> Bool? {
        switch self {
        case .roots: nil
        case .session(let named): named == path
        case .sessions(let named): named.contains(path)
        case .without(let others, let scope): others.contains(path) ? false : scope.names(path)
        }
    }

    /// Adds what it asks for to a query that joins `source`.
    func constrain(_ conditions: inout Conditions) {
        switch self {
        case .session(let path): conditions.add("source.path = ?", path.bytes)
        case .sessions(let paths):
            let places = paths.map { _ in "?" }.joined(separator: ", ")
            conditions.add("source.path IN (\(places))", paths.map(\.bytes))
        case .without(let paths, let scope):
            scope.constrain(&conditions)
            let places = paths.map { _ in "?" }.joined(separator: ", ")
            conditions.add("source.path NOT IN (\(places))", paths.map(\.bytes))
        case .roots(let roots):
            let places = roots.map { _ in "?" }.joined(separator: ", ")
            conditions.add(
                "source.root_id IN (SELECT id FROM root WHERE path IN (\(places)))", roots.map(\.bytes))
        }
    }
}
