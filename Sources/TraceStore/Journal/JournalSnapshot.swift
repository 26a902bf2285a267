package import RecordFormat
internal import SystemPackage
package import TraceFiles

/// A snapshot of a journal's directory: which files there are, and in which state.
package struct JournalSnapshot: Sendable {
    package let format: any JournalFormat
    package let directory: OpenDirectory
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
        /// The state is unknown.
        case unknown

        package var identity: FileIdentity? {
            if case .present(let identity) = self { identity } else { nil }
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
        self.settleTime = settleTime
        time = SystemTime.now()
        let names = format.fileNames
        var states: [FileState] = []
        states.reserveCapacity(2 + names.count)
        states.append(.present(try directory.status().identity))
        states.append(
            Self.state { try directory.statusIfPresent(of: Self.media, followingLinks: false)?.identity })
        var otherNames: OtherNames = []
        for name in names {
            states.append(Self.state { try Self.identity(of: name, in: directory, &otherNames) })
        }
        self.states = states
        self.otherNames = otherNames
    }

    private static let media: FilePath.Component = "media"

    /// The identity of what a name leads to, with one `stat` unless it is a link; nil if there is nothing.
    private static func identity(
        of name: FilePath.Component, in directory: OpenDirectory, _ otherNames: inout OtherNames
    ) throws -> FileIdentity? {
        guard let entry = try directory.statusIfPresent(of: name, followingLinks: false) else { return nil }
        switch entry.kind {
        case .symbolicLink:
            otherNames.insert(.symbolicLink)
            return try directory.statusIfPresent(of: name, followingLinks: true)?.identity
        case .regular: if entry.linkCount > 1 { otherNames.insert(.hardLink) }
        case .directory, .special: break
        }
        return entry.identity
    }

    private static func state(_ look: () throws -> FileIdentity?) -> FileState {
        do { return try look().map(FileState.present) ?? .absent } catch { return .unknown }
    }

    package subscript(slot: FileSlot) -> FileState { states[slot.number] }

    /// Whether the directory has the header that makes it a journal of this kind.
    package var isJournal: Bool { self[.header] != .absent }

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
