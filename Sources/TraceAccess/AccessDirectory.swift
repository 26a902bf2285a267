internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceText

/// A directory of the state directory that says who gets in: `access/`, and `access/pairing/` in it.
///
/// Its group may write in it if that of the state directory may; others may not even look into it.
struct AccessDirectory: Sendable {
    let path: FilePath
    /// What tests make happen between the steps of a write.
    let failPoint: FailPoint?

    init(_ path: FilePath, failPoint: FailPoint? = nil) {
        self.path = path
        self.failPoint = failPoint
    }

    /// Where tokens are.
    static func tokens(in state: FilePath) -> FilePath { state.appending("access") }

    /// The directory to read from; nil if there is none yet.
    ///
    /// - Throws: ``FileError``; ``AccessError`` with `.accessExposed` if everybody may write in it.
    func opened() throws -> OpenDirectory? {
        let directory: OpenDirectory
        do { directory = try OpenDirectory(path, failPoint: failPoint) } catch let error as FileError
            where error.errno == .noSuchFileOrDirectory
        {
            return nil
        }
        try Self.requireClosed(try directory.status(), at: path)
        return directory
    }

    /// The directory to write in, made if it is missing.
    ///
    /// - Throws: As ``opened()``.
    func made() throws -> OpenDirectory {
        try OpenDirectory.make(path)
        let directory = try OpenDirectory(path, failPoint: failPoint)
        _ = try directory.closeToStrangers()
        try Self.requireClosed(try directory.status(), at: path)
        // Names with ids that are never generated again, so that no later writer of the same name would clean up.
        try directory.removeLeftovers()
        return directory
    }

    /// - Throws: ``AccessError`` with `.accessExposed` if everybody may write in the directory.
    static func requireClosed(_ status: FileStatus, at path: FilePath) throws(AccessError) {
        guard status.permissions & 0o002 != 0 else { return }
        throw AccessError(
            .accessExposed, "everybody on this machine may write here, and so add tokens", path: path,
            cure: "check what is in it, then close it: chmod o-rwx")
    }
}

extension OpenDirectory {
    /// The ids that files are named by (`<ULID>.json`), in their order.
    func accessIDs() throws -> [ULID] {
        var ids: [ULID] = []
        try forEachName { name in
            if name.extension == "json", let id = ULID(name.stem) { ids.append(id) }
        }
        return ids.sorted()
    }

    /// The bytes of a small file that lets somebody in, and which file it is; nil if it is gone. A link is not followed.
    ///
    /// Such a file is replaced and removed as a whole. One that has changed while it was read is another now or gone, which the next
    /// attempt shows.
    func accessFile(_ name: FilePath.Component) throws -> FileContents? {
        for _ in 1...3 {
            do { return try readAccessFile(name) } catch let error as FileError
                where error.code == .changedMeanwhile
            { continue }
        }
        return try readAccessFile(name)
    }

    private func readAccessFile(_ name: FilePath.Component) throws -> FileContents? {
        try readFile(name, limit: 1 << 16, followsLink: false)
    }
}

extension ULID {
    /// The name of the file that the id names.
    var accessFileName: FilePath.Component {
        get throws(FileError) {
            guard let name = FilePath.Component("\(self).json") else {
                throw FileError(.invalidData, "'\(self)' can't name a file")
            }
            return name
        }
    }
}
