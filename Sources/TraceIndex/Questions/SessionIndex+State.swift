extension SessionIndex {
    /// The state that the index has now.
    ///
    /// Of an answer it is to be asked before and after: if both are the same, so are all the rows that the answer is made of.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func revision() throws -> IndexRevision { try database.read { try IndexRevision($0) } }

    /// What the file system says of the database: if it is the same as before, nothing was written in between.
    ///
    /// Cheaper than ``revision()``, as it asks SQLite nothing; it also changes without a change of any row.
    ///
    /// - Returns: Nil if a later change could leave the same.
    package func fileState() -> IndexFileState? { IndexFileState(DatabaseFile(path: database.path)) }
}
