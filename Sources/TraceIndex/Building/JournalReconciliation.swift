package import RecordFormat
package import TraceStore

/// What one comparison of a session's files with its rows found and did.
package struct JournalReconciliation: Sendable, Equatable {
    package var outcome: Outcome
    /// How many lines of each kind got rows; kinds without any are left out.
    package var addedRecords: [EntryKind: Int] = [:]
    /// The files that were read from their first byte although they had rows.
    package var rereadFiles: [EntryKind] = []
    /// Findings that were not there before, in the order of files and places; at most ``findingLimit``.
    var newFindings: [Finding] = []
    /// Findings that are there no more; at most ``findingLimit``.
    var goneFindings: [Finding] = []
    /// How many findings the session has now.
    package var findingCount = 0
    /// Whether the rows are known to be what the files hold and will stay so while no file changes.
    ///
    /// If not, the session wants another ``JournalIndex/reconcile(journal:in:settleTime:verification:)`` with `.thorough` when it
    /// has rested for the settle time: a last line is still in transit, a file changed too short a time ago for its
    /// times to tell the next change apart, or a large file grew and not all of its indexed part was compared.
    package var isSettled = true
    /// By which other names its files may change.
    package var otherNames: OtherNames = []

    /// The outcome of the session's rows.
    package enum Outcome: Sendable, Equatable {
        /// The files are what the index knows.
        case unchanged
        /// The session had no rows before.
        case added
        /// Something in the session or its files was new.
        case updated
        /// The directory or its `session.json` is gone, and so are the rows; none were there in the first place, perhaps.
        case removed
        /// The session's root is gone; its rows stay.
        case unreachable
    }

    /// The most findings that are listed one by one.
    static let findingLimit = 1000

    package init(_ outcome: Outcome) { self.outcome = outcome }
}
