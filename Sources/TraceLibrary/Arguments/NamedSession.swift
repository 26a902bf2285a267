package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceStore
internal import TraceText

extension SessionSelector {
    /// The id that names the session, where it is a whole one.
    var wholeID: ULID? {
        guard case .words(let words) = self else { return nil }
        return ULID(words.uppercased())
    }
}

extension SessionLocator {
    /// The directory of the session that is meant, from the root of the file system.
    ///
    /// - Parameter workingDirectory: The process's own: a relative path in `selector` is looked up by the system.
    /// - Throws: As ``path(of:workingDirectory:)``.
    package func directory(of selector: SessionSelector?, from workingDirectory: FilePath) throws -> FilePath
    {
        try path(of: selector, workingDirectory: workingDirectory).absolute(from: workingDirectory)
    }

    /// The session that is meant, for something that is to be written into it, by its path from the root of the file system.
    ///
    /// - Throws: As ``target(of:workingDirectory:)``.
    package func session(_ selector: SessionSelector?, from workingDirectory: FilePath) throws
        -> SessionTarget
    {
        let target = try target(of: selector, workingDirectory: workingDirectory)
        let path = target.path.absolute(from: workingDirectory)
        return path == target.path ? target : target.renamed(path)
    }

    /// The id of the session that is meant, which need not be here if its name is a whole id.
    ///
    /// - Throws: As ``directory(of:from:)``; ``LibraryError`` with `.noSessionID`.
    package func id(of selector: SessionSelector?, from workingDirectory: FilePath) throws -> ULID {
        if let id = selector?.wholeID { return id }
        let path = try directory(of: selector, from: workingDirectory)
        guard let id = try SessionCandidate(reading: path).session.id else {
            throw LibraryError(.noSessionID, "\(path.escaped): the session has no valid id")
        }
        return id
    }
}

extension FilePath {
    /// The path from the root of the file system, without `.`, and without `..` where no link makes that
    /// another place.
    ///
    /// - Parameter workingDirectory: Where a relative path begins.
    package func absolute(from workingDirectory: @autoclosure () -> FilePath) -> FilePath {
        let whole = isAbsolute ? self : workingDirectory().pushing(self)
        let normalized = whole.lexicallyNormalized()
        guard whole.components.contains(where: { $0.kind == .parentDirectory }) else { return normalized }
        return whole.place == normalized.place ? normalized : whole
    }

    /// Which directory is at the path, or where it is to lie.
    private var place: FileID? {
        let directory = (try? OpenDirectory(self)) ?? (try? OpenDirectory(removingLastComponent()))
        return try? directory?.status().identity.file
    }
}
