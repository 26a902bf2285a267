package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// Where a person stopped listening to a session.
package struct ListeningPosition: Sendable, Hashable {
    /// The offset in the session.
    package var offset: SessionOffset
    /// The media item that was playing; nil if none is known.
    package var media: ULID?
    /// When they stopped there.
    package var at: Timestamp

    /// Such a place.
    package init(offset: SessionOffset, media: ULID? = nil, at: Timestamp) {
        self.offset = offset
        self.media = media
        self.at = at
    }
}

/// A position was not taken because a later one is known.
struct SupersededPosition: StructuredError, Sendable, Equatable {
    /// The one that stays.
    let present: ListeningPosition

    /// Only what programs match on is fixed: the code.
    package var report: ErrorReport {
        ErrorReport(
            code: "position-superseded",
            message: "a later position is known: \(present.offset), of \(present.at)",
            cure: "continue from there, or set a position of a later moment")
    }

    /// A condition of the one who asks has failed.
    package var meaning: ErrorMeaning { ErrorMeaning(http: 412, exit: .negative, .refused) }
}

/// Where each person stopped listening to each session, of all their devices.
///
/// A JSON file per person in `positions/` of the state directory, replaced as a whole under the lock of that directory. It
/// holds the ``limit`` sessions that the person listened to last. Nothing in a session knows of it.
package struct Positions: Sendable {
    /// Where the files are.
    let path: FilePath
    private let runtimeDirectory: FilePath?
    /// What tests make happen between the steps.
    var failPoint: FailPoint?

    /// How many sessions of a person are kept.
    static let limit = 1000

    /// The largest file that is read, in bytes; one that is full has about a seventh of it.
    private static let largestFile: Int64 = 1 << 20

    /// - Parameter runtimeDirectory: Holds the lock where the file system can't lock a directory.
    package init(state: FilePath, runtimeDirectory: FilePath? = nil) {
        path = state.appending("positions")
        self.runtimeDirectory = runtimeDirectory
    }

    /// Where a person stopped in a session; nil if that is not known.
    ///
    /// - Throws: ``FileError``; ``StoreError`` with `.stateDamaged` if their file can't be understood.
    package func position(of person: Person, in session: ULID) throws -> ListeningPosition? {
        let directory: OpenDirectory
        do { directory = try OpenDirectory(path) } catch let error as FileError
            where error.code == .notFound
        { return nil }
        return try read(person, in: directory)?.contents.positions[session]
    }

    /// Notes where a person stopped in a session, and forgets the oldest of their positions beyond ``limit``.
    ///
    /// May be repeated. A moment that is still to come counts as `now`: a device whose clock is ahead would keep the others
    /// out.
    ///
    /// - Returns: The position that is known now, and whether it was not known before.
    /// - Throws: ``SupersededPosition`` if a later one is known; ``StoreError`` with `.stateDamaged` if the person's file can't be understood;
    ///   ``FileError``, with `.invalidData` for an offset before the start. Then nothing is changed.
    /// - Note: Durable on return. Killed in between, the old positions are known or the new ones, whole.
    @discardableResult
    package func set(
        _ position: ListeningPosition, of person: Person, in session: ULID, now: Timestamp = Clock.now()
    ) throws -> (position: ListeningPosition, isChanged: Bool) {
        guard position.offset >= .zero else {
            throw FileError(
                .invalidData, "the position \(position.offset) is before the session's start",
                cure: "give an offset from 0 on")
        }
        var position = position
        position.at = min(position.at, now)
        try OpenDirectory.make(path)
        return try DirectoryLock.holding(path, runtimeDirectory: runtimeDirectory, failPoint: failPoint) {
            lock in
            try lock.removeLeftovers()
            let name = try Self.name(of: person, in: path)
            let old = try read(person, in: lock.directory)
            var contents = old?.contents ?? PersonPositions(person: person.name)
            if let present = contents.positions[session] {
                // One that a clock which was ahead has noted keeps nobody out either.
                guard min(present.at, now) <= position.at else {
                    throw SupersededPosition(present: present)
                }
                if present == position {
                    // Visible is not durable: the writer may have been killed in between.
                    try lock.directory.makeDurable(name)
                    return (position, false)
                }
            }
            contents.positions[session] = position
            contents.forgetOldest(beyond: Self.limit, but: session)
            try lock.directory.replaceFile(
                name, with: contents.json.bytes + [newline], expecting: old?.identity)
            return (position, true)
        }
    }

    private func read(
        _ person: Person, in directory: OpenDirectory
    ) throws -> (contents: PersonPositions, identity: FileIdentity)? {
        let name = try Self.name(of: person, in: path)
        let file: FileContents?
        do { file = try directory.readFile(name, limit: Self.largestFile, followsLink: false) } catch let
            error as FileError where error.code == .invalidData
        { throw Self.damaged(error.message, directory.path(of: name)) }
        guard let file else { return nil }
        do throws(FormatError) {
            let contents = try PersonPositions(file.contents)
            guard contents.person.utf8.elementsEqual(person.name.utf8) else {
                throw FormatError(.recordInvalid, "it has the positions of '\(contents.person)'")
            }
            return (contents, file.identity)
        } catch { throw Self.damaged(error.message, directory.path(of: name)) }
    }

    private static func name(of person: Person, in path: FilePath) throws -> FilePath.Component {
        guard let name = person.fileName else {
            throw FileError(.invalidData, "'\(person.name)' can't be the name of a file", path: path)
        }
        return name
    }

    private static func damaged(_ problem: String, _ path: FilePath) -> StoreError {
        StoreError(
            .stateDamaged, "the positions can't be read: \(problem)", path: path,
            cure: "correct the file in an editor, or move it away to start without its positions")
    }
}
