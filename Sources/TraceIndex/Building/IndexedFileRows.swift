internal import GRDB
internal import RecordFormat
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// The rows of one file, whatever it holds: how they begin and end.
struct IndexedFileRows {
    let file: JournalFile
    /// The file as findings name it.
    let name: String
    /// Whether the texts of its records are found by a search.
    let isSearched: Bool
    let findings: FindingRows
    let database: Database

    /// The outcome of a file.
    struct Outcome {
        /// Nil if there is no file now.
        var known: KnownFile?
        /// How many records of each kind got rows.
        var added: [EntryKind: Int] = [:]
        var isReread = false
        var removedCount = 0
        /// Whether rows have changed that stay.
        var hasMoved = false
        var before: [Finding] = []
        var after: [Finding] = []
        /// Whether ids wait for ``RecordWriter/settleIDs(of:in:)``.
        var isDeferring = false

        /// Whether the index says something else of the file than before.
        var isNews: Bool { !added.isEmpty || removedCount > 0 || hasMoved }
    }

    func insert() throws -> KnownFile {
        try .insert(file.slot, isSearched: isSearched, of: findings.source, in: database)
    }

    /// Keeps a row of a link that leads to nothing: nothing is read, and yet it is a state in which what depends on the file was read.
    func insert(_ link: FileIdentity, lookedAt time: SystemTime) throws -> KnownFile {
        var known = try insert()
        known.identity = IndexedIdentity(link)
        known.isProven = !link.isTooFresh(at: time)
        try known.update(in: database)
        return known
    }

    /// What is known to be wrong with the file, from a line on.
    func list(of known: KnownFile, fromLine line: Int = 0) throws -> [Finding] {
        try findings.list(.file(known.id, fromLine: line), limit: JournalReconciliation.findingLimit)
    }

    func remove(_ old: KnownFile?) throws -> Outcome {
        var outcome = Outcome()
        guard let old else { return outcome }
        outcome.before = try list(of: old)
        outcome.removedCount = old.idCount
        outcome.isReread = old.identity != nil
        try old.delete(from: database)
        return outcome
    }

    /// Keeps the row of a file that can't be read, without an identity, so that it is tried again each time.
    func markUnreadable(_ old: KnownFile?, _ error: FileError) throws -> Outcome {
        var outcome = try remove(old)
        let known = try insert()
        let finding = Finding(.fileUnreadable, at: Finding.Place(file: name), error.message)
        try findings.insert(finding, file: known.id)
        outcome.known = known
        outcome.after = [finding]
        return outcome
    }
}
