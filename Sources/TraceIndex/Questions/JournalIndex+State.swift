extension JournalIndex {
    /// What the file system says of the database: if it is the same as before, nothing was written in between. It also changes without
    /// a change of any row.
    ///
    /// - Returns: Nil if a later change could leave the same.
    package func fileState() -> IndexFileState? { IndexFileState(DatabaseFile(path: database.path)) }
}
