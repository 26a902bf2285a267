package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Entries on their way through the queue's directories, and where they are kept.
extension Spool {
    /// The entries of a directory that keeps them, those with a number too (`01JABC….2.json`).
    ///
    /// - Parameter isWanted: Which of them; thousands may be kept, and the names of the others take no memory.
    /// - Throws: ``FileError`` with `.permissionDenied` or `.io`.
    func keptFiles(where isWanted: (ULID) -> Bool = { _ in true }) throws -> [File] {
        var files: [File] = []
        try forEachNameIfPresent { name in
            guard name.extension?.lowercased() == "json" else { return }
            let stem = FilePath.Component(name.stem) ?? name
            let isNumbered = stem.extension.map { $0.allSatisfy(\.isNumber) } ?? false
            let id = isNumbered ? stem.stem : name.stem
            if let id = ULID(id.uppercased()), isWanted(id) { files.append(File(id: id, name: name)) }
        }
        return files.sorted { ($0.id, $0.name.string) < ($1.id, $1.name.string) }
    }

    /// Whether a directory that keeps entries has an entry of that id under its own name, without a number.
    package func keeps(_ id: ULID) -> Bool {
        guard let name = FilePath.Component("\(id).json"), let directory = try? OpenDirectory(path) else {
            return false
        }
        return (try? directory.statusIfPresent(of: name, followingLinks: false)) != nil
    }

    /// Under which name a directory that keeps entries has an attachment, with or without a number; nil if it has none with
    /// these contents.
    func keptName(of attachment: SpoolEntry.Attachment) throws -> FilePath.Component? {
        guard let named = FilePath.Component(attachment.name), let checksum = attachment.sha256 else {
            return nil
        }
        var candidates: [FilePath.Component] = []
        try forEachNameIfPresent { name in
            guard name.extension?.lowercased() == named.extension?.lowercased() else { return }
            let stem = name.stem.lowercased()
            let wanted = named.stem.lowercased()
            let isNumbered =
                stem.hasPrefix("\(wanted).") && stem.dropFirst(wanted.count + 1).allSatisfy(\.isNumber)
            if stem == wanted || isNumbered { candidates.append(name) }
        }
        let directory = candidates.isEmpty ? nil : try OpenDirectory(path)
        return try candidates.sorted { $0.string < $1.string }.first { name in
            guard let status = try directory?.statusIfPresent(of: name, followingLinks: false),
                status.kind == .regular, status.identity.size == attachment.size
            else { return false }
            return try directory?.sha256(ofUnlinked: name) == checksum
        }
    }

    /// Moves an entry to a directory that keeps them, its audio first: an entry that is gone from its spool
    /// says that all is done. Under a name that is taken by other contents it gets a number; the same
    /// contents are not kept twice.
    ///
    /// May be repeated.
    ///
    /// - Parameters:
    ///   - entry: What the file says; nil if it can't be read, and what has its id goes with it.
    ///   - shouldStop: Asked while audio is copied to another file system; then ``FileError`` with `.canceled`
    ///     beneath is thrown.
    /// - Throws: ``FileError``; then the entry is where it was.
    /// - Note: Durable on return.
    func move(
        _ file: File, _ entry: SpoolEntry?, to destination: FilePath, failPoint: FailPoint?,
        shouldStop: () -> Bool = { false }
    ) throws {
        try OpenDirectory.make(destination)
        let source = try OpenDirectory(path, failPoint: failPoint)
        let target = try OpenDirectory(destination, failPoint: failPoint)
        for name in try audio(of: file, entry)
        where try source.statusIfPresent(of: name, followingLinks: false) != nil {
            try withoutActuallyEscaping(shouldStop) { shouldStop in
                try source.moveAside(name, as: name, to: target) { (_) throws(Errno) in
                    if shouldStop() { throw .canceled }
                }
            }
        }
        guard try source.statusIfPresent(of: file.name, followingLinks: false) != nil else { return }
        // Under its own name, whatever a sync tool made of it.
        let name = FilePath.Component("\(file.id).json") ?? file.name
        try source.moveAside(file.name, as: name, to: target)
    }

    /// Keeps an entry that never was in a spool where those are that were, unless one of its id is kept already.
    ///
    /// - Parameter isDurable: Whether it must be durable on return; if not, a power cut may take it back.
    /// - Throws: ``FileError``.
    static func keep(
        _ entry: SpoolEntry, in destination: FilePath, isDurable: Bool, failPoint: FailPoint?
    ) throws {
        guard let name = FilePath.Component(entry.fileName) else { return }
        try OpenDirectory.make(destination)
        let directory = try OpenDirectory(destination, failPoint: failPoint)
        let text = entry.json.bytes + [newline]
        if try directory.statusIfPresent(of: name, followingLinks: false) != nil {
            if isDurable { try directory.makeDurable(name) }
        } else if isDurable {
            do {
                try directory.replaceFile(name, with: text, expecting: nil)
            } catch let error as FileError where error.code == .changedMeanwhile {
                // A drain has just put it there.
                try directory.makeDurable(name)
            }
        } else {
            try VolatileFile.replace(destination.appending(name), with: text, mode: 0o640)
        }
    }

    /// The audio that goes where its entry goes.
    private func audio(of file: File, _ entry: SpoolEntry?) throws -> [FilePath.Component] {
        guard let entry else { return try companions(of: file) }
        return try entry.attachment.flatMap(name(of:)).map { [$0] } ?? []
    }

    private func forEachNameIfPresent(_ visit: (FilePath.Component) -> Void) throws {
        do {
            try OpenDirectory(path).forEachName(visit)
        } catch let error as FileError where error.code == .notFound {
        }
    }
}

extension OpenDirectory {
    /// Moves a file to a directory where an older delivery of the same name may lie; that one is kept under a
    /// number.
    func moveAside(
        _ name: FilePath.Component, as wanted: FilePath.Component, to destination: OpenDirectory,
        onProgress: ((Int64) throws(Errno) -> Void)? = nil
    ) throws {
        var target = wanted
        var number = 1
        while true {
            do {
                try moveFile(name, to: target, in: destination, onProgress: onProgress)
                return
            } catch let error as FileError where error.code == .alreadyExists && number < 1000 {
                number += 1
                target =
                    FilePath.Component("\(wanted.stem).\(number).\(wanted.extension ?? "json")") ?? wanted
            }
        }
    }
}
