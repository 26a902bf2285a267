public import RecordFormat
public import SystemPackage

/// A journal of any kind as the index knows it.
public struct IndexedJournal: Sendable, Hashable {
    /// Its directory, or the file that is a journal on its own.
    public var path: FilePath
    /// What kind of journal it is.
    public var kind: JournalKind
    /// Opaque; nil if the header can't be read, or there is none.
    public var id: String?
    /// Its title.
    public var title: String?
    /// The root below which it was found.
    public var root: FilePath?
    /// Whether that root can be reached.
    public var isOnline: Bool
    /// `open`, `locked` or `newer`.
    public var state: String
    /// The moments of its first and its last record; nil if it has none.
    public var first, last: Timestamp?
    /// How many records it has; lines of one id count once.
    public var recordCount: Int
    /// How many findings of each severity.
    public var findingCounts: [Rule.Severity: Int]
}
