public import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// The kinds of journal that a program knows, in the order in which they are recognised: a directory that has the headers of two
/// kinds is one of the first.
public struct JournalRegistry: Sendable {
    package let formats: [any JournalFormat]
    /// Asked for at each name that a search comes to.
    private let headers: [FilePath.Component]
    /// Names of files that are a journal on their own, and what kind each is of.
    private let singles: [(name: FilePath.Component, format: any JournalFormat, slot: FileSlot)]
    /// The names of all files of all kinds that are looked at in a journal's directory itself, each once.
    let fileNames: [FilePath.Component]
    /// The names of those that are looked at in a directory below a journal's.
    private let deeperNames: [FilePath.Component]

    /// - Parameter formats: No two of them have a kind of entry in common.
    package init(_ formats: [any JournalFormat]) {
        self.formats = formats
        headers = formats.compactMap(\.fileNames.first)
        singles = formats.flatMap { format in
            guard let single = format.layout.single else {
                return [] as [(FilePath.Component, any JournalFormat, FileSlot)]
            }
            return single.names.compactMap { FilePath.Component($0) }.map { ($0, format, single.slot) }
        }
        // No set: each type of set costs the start of a program more than this few comparisons.
        fileNames = formats.reduce(into: []) { names, format in
            for (name, file) in zip(format.fileNames, format.layout.files)
            where file.folder == nil && !names.contains(name) { names.append(name) }
        }
        deeperNames = formats.flatMap { format in
            zip(format.fileNames, format.layout.files).compactMap { $1.folder == nil ? nil : $0 }
        }
    }

    /// The kinds but the session.
    package var otherKinds: Set<JournalKind> { Set(formats.map(\.layout.kind)).subtracting([.session]) }

    /// The place of a kind in the order of the kinds; behind all others for one that is not known.
    package func rank(of kind: JournalKind) -> Int {
        formats.firstIndex { $0.layout.kind == kind } ?? formats.count
    }

    /// What is declared of a kind of entry, and the file in which such stand; nil for one of no known kind.
    package func entry(_ kind: EntryKind) -> (declaration: EntryDeclaration, file: JournalFile)? {
        for format in formats {
            guard let declaration = format.layout.entryKinds.first(where: { $0.kind == kind }) else {
                continue
            }
            return format.layout.files.first { $0.entryKinds.contains(kind) }.map { (declaration, $0) }
        }
        return nil
    }

    /// Whether a file of that name makes its directory a journal.
    package func isHeader(_ name: FilePath.Component) -> Bool { headers.contains(name) }

    /// Whether a file of that name is a journal on its own where its directory is none.
    package func isSingleFile(_ name: FilePath.Component) -> Bool {
        singles.contains { $0.name == name }
    }

    /// Whether a file of that name is looked at in a directory that has no header: a journal on its own, or a part of the one above.
    func isFileWithoutHeader(_ name: FilePath.Component) -> Bool {
        isSingleFile(name) || deeperNames.contains(name)
    }

    /// Whether a file of that name, ignoring case, makes its directory a journal, or is one itself: what others name is written under no such
    /// name inside of a journal.
    package func makesJournal(_ name: FilePath.Component) -> Bool {
        let text = name.string.lowercased()
        return (headers + singles.map(\.name)).contains { $0.string.lowercased() == text }
    }

    /// Whether a path leads to a file of such a name, and not to a directory.
    package func isSingleFile(at path: FilePath) -> Bool {
        guard let name = path.lastComponent, isSingleFile(name) else { return false }
        return (try? FileStatus(of: path, followingLinks: true))?.kind == .regular
    }

    /// The files in a directory that may be journals on their own.
    package func singleFiles(in directory: FilePath) -> [FilePath] {
        singles.map { directory.appending($0.name) }
    }

    /// Whether a change of that name can change what is known of a journal. Exact names are let in, instead of keeping temporary ones
    /// out, since every editor and sync tool has its own.
    package func matters(_ name: FilePath.Component) -> Bool {
        let text = name.escaped
        return formats.contains { $0.layout.matters(text) }
    }

    /// Whether a directory is a journal, or a file is one on its own.
    ///
    /// - Throws: ``FileError`` if that can't be determined.
    package func isJournal(_ path: FilePath) throws -> Bool {
        if isSingleFile(at: path) { return try snapshot(at: path, settleTime: .zero) != nil }
        let directory = try OpenDirectory(path)
        return try headers.contains { try directory.statusIfPresent(of: $0, followingLinks: true) != nil }
    }

    /// Whether a directory or a file is a journal of another kind than the session.
    ///
    /// - Throws: ``FileError`` if it can't be looked at.
    package func isOtherJournal(_ path: FilePath) throws -> Bool {
        guard let snapshot = try snapshot(at: path, settleTime: .zero) else { return false }
        return snapshot.format.layout.kind != .session
    }

    /// Whether a search takes a directory for a journal: it has a header that is a file, or a link to something. One that can't be
    /// looked into is taken for one.
    func hasHeader(at path: FilePath) -> Bool {
        let directory: OpenDirectory
        do { directory = try OpenDirectory(path) } catch let error as FileError where error.code == .notFound
        {
            return false
        } catch {
            return true
        }
        return headers.contains { name in
            do {
                let entry = try directory.statusIfPresent(of: name, followingLinks: false)
                guard entry?.kind == .symbolicLink else { return entry?.kind == .regular }
                return try directory.statusIfPresent(of: name, followingLinks: true) != nil
            } catch {
                return true
            }
        }
    }

    /// Whether the header of a directory is a link that leads nowhere, so that it may become a journal although nothing changes
    /// in the directory.
    package func hasDanglingHeader(at path: FilePath) -> Bool {
        guard let directory = try? OpenDirectory(path) else { return false }
        return headers.contains { name in
            (try? directory.status(of: name, followingLinks: false))?.kind == .symbolicLink
        }
    }

    package subscript(kind: JournalKind) -> (any JournalFormat)? { formats.first { $0.layout.kind == kind } }

    /// Every rule that a journal can break, each once, in the order of the kinds.
    public var rules: [Rule] {
        var ids: Set<String> = []
        return formats.flatMap(\.layout.rules).filter { ids.insert($0.id).inserted }
    }

    /// The rule of that name.
    public func rule(named id: String) -> Rule? {
        for format in formats {
            if let rule = format.layout.rules.first(where: { $0.id == id }) { return rule }
        }
        return nil
    }

    /// What there is to see of the journal in a directory; nil if there is none.
    ///
    /// - Parameter settleTime: How long a file must have rested before its unfinished last line counts as torn.
    /// - Throws: ``FileError`` if the directory can't be looked at.
    package func snapshot(at path: FilePath, settleTime: Duration) throws -> JournalSnapshot? {
        if isSingleFile(at: path) { return try snapshot(single: path, settleTime: settleTime) }
        let directory: OpenDirectory
        do { directory = try OpenDirectory(path) } catch let error as FileError where error.code == .notFound
        {
            return nil
        }
        for format in formats {
            let snapshot = try JournalSnapshot(directory, as: format, settleTime: settleTime)
            if snapshot.isJournal { return snapshot }
        }
        return nil
    }

    /// What there is to see of a file that is a journal on its own; nil if its directory is a journal.
    private func snapshot(single path: FilePath, settleTime: Duration) throws -> JournalSnapshot? {
        guard let single = singles.first(where: { $0.name == path.lastComponent }) else { return nil }
        let directory: OpenDirectory
        do { directory = try OpenDirectory(path.removingLastComponent()) } catch let error as FileError
            where error.code == .notFound
        {
            return nil
        }
        let isInJournal = try headers.contains {
            try directory.statusIfPresent(of: $0, followingLinks: true) != nil
        }
        if isInJournal { return nil }
        let snapshot = try JournalSnapshot(
            single: single.name, in: directory, as: single.format, read: single.slot, settleTime: settleTime)
        return snapshot.isJournal ? snapshot : nil
    }

    /// The headers in a journal's directory that belong to other kinds than its own.
    func otherHeaders(of snapshot: JournalSnapshot) throws -> [String] {
        guard snapshot.single == nil else { return [] }
        let kind = snapshot.format.layout.kind
        return try formats.filter { $0.layout.kind != kind }.compactMap(\.fileNames.first).filter {
            try snapshot.directory.statusIfPresent(of: $0, followingLinks: true) != nil
        }.map(\.string)
    }

    /// What is wrong with a directory that has the headers of two kinds.
    package func ambiguity(of snapshot: JournalSnapshot) throws -> [Finding] {
        try otherHeaders(of: snapshot).map {
            Finding(
                .journalAmbiguous, at: Finding.Place(file: $0),
                "the directory is a \(snapshot.format.layout.kind) journal already, by its \(snapshot.format.layout.files.first?.name ?? "header")"
            )
        }
    }
}
