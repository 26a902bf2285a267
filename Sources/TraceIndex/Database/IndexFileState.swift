package import TraceFiles

/// The files of a database, as the file system has them.
package struct IndexFileState: Sendable, Hashable {
    private let database: FileIdentity
    /// What SQLite has written last is in its log.
    private let log: FileIdentity?

    /// Whether it is this file.
    package func isOf(_ file: FileID) -> Bool { database.file == file }

    /// - Returns: Nil if a later change could leave the same.
    init?(_ file: DatabaseFile) {
        let time = SystemTime.now()
        guard let database = file.status?.identity else { return nil }
        log = file.logStatus?.identity
        self.database = database
        guard !database.isTooFresh(at: time), log?.isTooFresh(at: time) != true else { return nil }
    }
}
