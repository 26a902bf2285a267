internal import SystemPackage
internal import TraceFiles

/// The folder `library` of a journal, with the files of the cache. No link is followed.
struct CacheFolder {
    private let journal: OpenDirectory

    init(_ journal: OpenDirectory) { self.journal = journal }

    /// - Returns: Nil if there is no such file.
    /// - Throws: ``FileError``.
    func contents(of path: CachePath, limit: Int) throws -> FileContents? {
        guard let (directory, name) = try place(of: path, isMade: false) else { return nil }
        return try directory.readFile(name, limit: Int64(limit), followsLink: false)
    }

    func contents(of name: String, limit: Int) throws -> [UInt8]? {
        try CachePath(name).flatMap { try contents(of: $0, limit: limit)?.contents }
    }

    /// - Note: Durable on return. Killed in between, the file is the old or the new one.
    func replace(_ path: CachePath, with contents: [UInt8]) throws {
        guard let (directory, name) = try place(of: path, isMade: true) else { return }
        let old = try directory.statusIfPresent(of: name, followingLinks: false)
        try directory.replaceFile(name, with: contents, expecting: old?.identity)
    }

    func replace(_ name: String, with contents: [UInt8]) throws {
        if let path = CachePath(name) { try replace(path, with: contents) }
    }

    /// - Returns: Whether it was there.
    func remove(_ path: CachePath) throws -> Bool {
        guard let (directory, name) = try place(of: path, isMade: false),
            try directory.statusIfPresent(of: name, followingLinks: false)?.kind == .regular
        else { return false }
        return try directory.remove([name]).isEmpty == false
    }

    /// Where a file is, or is to be.
    private func place(
        of path: CachePath, isMade: Bool
    ) throws -> (directory: OpenDirectory, name: FilePath.Component)? {
        var names = ([LibraryCacheNames.folder] + path.names).compactMap { FilePath.Component($0) }
        guard let name = names.popLast(), names.count == path.names.count else { return nil }
        var directory = journal
        for name in names {
            if try directory.statusIfPresent(of: name, followingLinks: false) == nil {
                guard isMade else { return nil }
                try OpenDirectory.make(directory.path(of: name))
            }
            directory = try directory.openDirectory(name)
        }
        return (directory, name)
    }
}
