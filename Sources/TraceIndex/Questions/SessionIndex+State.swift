package import TraceFiles

extension SessionIndex {
    /// What the file system says of the database: if it is the same as before, nothing was written in between. It also changes without
    /// a change of any row.
    ///
    /// - Returns: Nil if a later change could leave the same.
    package func fileState() -> IndexFileState? { IndexFileState(DatabaseFile(path: database.path)) }

    /// Whether the database is still this file, as ``currentFile()`` told it; nothing is opened.
    package func isStill(_ file: FileID) -> Bool { DatabaseFile(path: database.path).identity == file }
}
