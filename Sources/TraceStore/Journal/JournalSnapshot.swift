package import RecordFormat
package import SystemPackage
package import TraceFiles

/// A snapshot of a journal's directory: which files there are, and in which state.
package struct JournalSnapshot: Sendable {
    package let format: any JournalFormat
    /// The journal's; of a single file, the one in which it lies.
    package let directory: OpenDirectory
    /// The name of a file that is the journal on its own; nil for a directory.
    package let single: FilePath.Component?
    /// How long a file must have rested before its unfinished last line counts as torn.
    package let settleTime: Duration
    /// The clock before the first of the files was looked at.
    package let time: SystemTime
    /// By slot.
    package let states: [FileState]
    /// By which other names its files may change.
    package let otherNames: OtherNames

    /// The state of a file.
    package enum FileState: Hashable, Sendable {
        case absent
        case present(FileIdentity)
        /// A symbolic link whose target does not exist, by the link's own identity. That is not the same as no file: a list of players to redact
        /// is then one that can't be read.
        case leadsNowhere(FileIdentity)
        /// The state is unknown.
        case unknown

        package var identity: FileIdentity? {
            if case .present(let identity) = self { identity } else { nil }
        }

        /// Whether there is a file, or may be one.
        package var isThere: Bool {
            switch self {
            case .present, .unknown: true
            case .absent, .leadsNowhere: false
            }
        }
    }

    /// Takes a snapshot of a directory as a journal of a given kind.
    ///
    /// - Throws: ``FileError`` if the directory can't be looked at.
    /// - Complexity: A `stat` for each of the layout's slots.
    package init(
        _ directory: OpenDirectory, as format: any JournalFormat, settleTime: Duration
    ) throws {
        self.format = format
        self.directory = directory
        single = nil
        self.settleTime = settleTime
        time = SystemTime.now()
        let names = format.fileNames
        var states: [FileState] = []
        states.reserveCapacity(2 + names.count)
        states.append(.present(try directory.status().identity))
        states.append(
            Self.state {
                let media = try directory.statusIfPresent(of: Self.media, followingLinks: false)
                return media.map { .present($0.identity) } ?? .absent
            })
        var otherNames: OtherNames = []
        for (name, file) in zip(names, format.layout.files) {
            states.append(
                Self.state {
                    guard let folder = file.folder.flatMap({ FilePath.Component($0) }) else {
                        return try Self.state(of: name, in: directory, &otherNames)
                    }
                    return try Self.folder(folder, in: directory).map {
                        try Self.state(of: name, in: $0, &otherNames)
                    } ?? .absent
                })
        }
        self.states = states
        self.otherNames = otherNames
    }

    /// Takes a snapshot of a file as a journal on its own: what its directory holds besides is not looked at.
    ///
    /// - Throws: ``FileError`` if it can't be looked at.
    init(
        single name: FilePath.Component, in directory: OpenDirectory, as format: any JournalFormat,
        read slot: FileSlot, settleTime: Duration
    ) throws {
        self.format = format
        self.directory = directory
        single = name
        self.settleTime = settleTime
        time = SystemTime.now()
        var otherNames: OtherNames = []
        var states: [FileState] = Array(
            repeating: .absent, count: FileSlot.header.number + format.layout.files.count)
        states[slot.number] = Self.state { try Self.state(of: name, in: directory, &otherNames) }
        self.states = states
        self.otherNames = otherNames
    }

    /// A directory of the journal's; nil if there is none.
    private static func folder(
        _ name: FilePath.Component, in directory: OpenDirectory
    ) throws -> OpenDirectory? {
        guard try directory.statusIfPresent(of: name, followingLinks: false)?.kind == .directory else {
            return nil
        }
        return try directory.openDirectory(name)
    }

    private static let media: FilePath.Component = "media"

    /// The state of what a name leads to, with one `stat` unless it is a link.
    private static func state(
        of name: FilePath.Component, in directory: OpenDirectory, _ otherNames: inout OtherNames
    ) throws -> FileState {
        guard let entry = try directory.statusIfPresent(of: name, followingLinks: false) else {
            return .absent
        }
        switch entry.kind {
        case .symbolicLink:
            otherNames.insert(.symbolicLink)
            return try directory.statusIfPresent(of: name, followingLinks: true).map { .present($0.identity) }
                ?? .leadsNowhere(entry.identity)
        case .regular: if entry.linkCount > 1 { otherNames.insert(.hardLink) }
        case .directory, .special: break
        }
        return .present(entry.identity)
    }

    private static func state(_ look: () throws -> FileState) -> FileState {
        do { return try look() } catch { return .unknown }
    }

    package subscript(slot: FileSlot) -> FileState { states[slot.number] }

    /// Whether the directory has the header that makes it a journal of this kind, or the single file is there.
    package var isJournal: Bool {
        guard single != nil, let slot = format.layout.single?.slot else { return self[.header].isThere }
        return self[slot].isThere
    }

    /// The path of a file in the directory, as findings name it; of a single file, its own name.
    package func name(of slot: FileSlot) -> String? {
        if let single, slot == format.layout.single?.slot { return single.escaped }
        return format.layout.file(slot)?.name
    }

    /// Reads a file of the journal, whole.
    ///
    /// - Parameter limit: The most bytes to read.
    /// - Returns: Nil if there is no such file.
    /// - Throws: ``FileError``, as ``OpenDirectory/readFile(_:limit:followsLink:)``.
    package func readFile(_ slot: FileSlot, limit: Int64 = 64 << 20) throws -> FileContents? {
        if let single {
            return slot == format.layout.single?.slot ? try directory.readFile(single, limit: limit) : nil
        }
        let index = slot.number - FileSlot.header.number
        guard let file = format.layout.file(slot), format.fileNames.indices.contains(index) else {
            return nil
        }
        let name = format.fileNames[index]
        guard let folder = file.folder.flatMap({ FilePath.Component($0) }) else {
            return try directory.readFile(name, limit: limit)
        }
        return try Self.folder(folder, in: directory)?.readFile(name, limit: limit)
    }

    /// The slots of the snapshot.
    package var slots: Range<Int> { states.indices }
}

/// Names by which files of a journal can be written without a change being reported for the journal's directory: inotify(7)
/// reports it for the directory of the name that was used.
package struct OtherNames: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A file is a symbolic link; what it leads to changes elsewhere.
    package static let symbolicLink = OtherNames(rawValue: 1)
    /// A file has a second name, anywhere in its file system.
    package static let hardLink = OtherNames(rawValue: 2)
}

extension JournalSnapshot {
    /// Whether a file has rested, so that its unfinished last line counts as torn.
    package func isSettled(_ identity: FileIdentity) -> Bool {
        SessionReader(directory, settleTime: settleTime).isSettled(identity)
    }
}
