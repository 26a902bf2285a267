package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat
internal import TraceText

/// A session that was chosen to be written into: which one it is, and the directory that it lay in when it was chosen.
///
/// Until the write has the session's lock, another program can put another session in its place: a sync tool that exchanges
/// directories, a link that is turned round. So ``SessionWriter`` compares under the lock, and nothing is written into a session
/// that nobody chose.
package struct SessionTarget: Sendable {
    /// Where it was found.
    package let path: FilePath
    /// The directory that was there: the same one for as long as this lives, whatever happens to the path.
    package let directory: OpenDirectory
    /// What `session.json` said; nothing where it could not be read or was not whole.
    package let session: Session

    /// Reads the session at `path`; a `session.json` that is being rewritten is waited for (``SessionReader/settledHeader()``).
    ///
    /// - Throws: ``FileError`` with `.notFound` or `.permissionDenied` for the directory.
    package init(reading path: FilePath) throws {
        self.path = path
        directory = try OpenDirectory(path)
        session = (try? SessionReader(directory).settledHeader().session) ?? Session()
    }

    /// As ``init(reading:)``, for those who act on the id: a `session.json` that can't be read is an error, and not a session
    /// without an id.
    ///
    /// - Throws: ``FileError``.
    package init(requiring path: FilePath) throws {
        self.path = path
        directory = try OpenDirectory(path)
        session = try SessionReader(directory).settledHeader().session
    }

    private init(path: FilePath, directory: OpenDirectory, session: Session) {
        self.path = path
        self.directory = directory
        self.session = session
    }

    /// The same session by another path that leads to it.
    package func renamed(_ path: FilePath) -> SessionTarget {
        SessionTarget(path: path, directory: directory, session: session)
    }

    /// Compares with what a locked directory holds: by the id, and by the directory itself where `session.json` can't tell an id now,
    /// or could not when the session was chosen.
    ///
    /// - Throws: ``StoreError`` with `.otherSession`.
    func requireSame(in locked: OpenDirectory) throws {
        let found = (try? SessionReader(locked).settledHeader().session.id) ?? nil
        try require(found)
        guard found == nil || session.id == nil else { return }
        guard try locked.status().identity.isSameFile(as: directory.status().identity) else {
            throw other("is now a different directory, and its session can't be read")
        }
    }

    /// Compares with the id of what was read by the path.
    ///
    /// - Throws: ``StoreError`` with `.otherSession` if it is that of another session.
    package func require(_ found: ULID?) throws {
        guard let wanted = session.id, let found, wanted != found else { return }
        throw other("is now session \(found), not \(wanted)")
    }

    private func other(_ message: String) -> StoreError {
        StoreError(
            .otherSession, message, path: path,
            cure: [
                "another program replaced the directory", "check \(verb: "sessions"), then try again",
                "\(route: "GET /api/v1/sessions") lists the sessions",
            ])
    }
}
