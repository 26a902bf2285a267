package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat
package import TraceText

/// Moments that are kept in a state directory until their session is known, each in a file of its own.
///
/// A moment leaves in these steps, each safe to repeat: the file says into which session it goes and where → the entry is in the
/// queue → the file is gone. A kill in between, and another try by anybody, end in the same record, once.
///
/// Source: docs/queue.md#moments-without-a-session.
package struct UnplacedMoments: Sendable, Hashable {
    /// The directory, which need not exist yet.
    let path: FilePath

    /// Those of a state directory.
    init(state: FilePath) { path = state.appending("unplaced") }

    var spool: Spool { Spool(path) }

    /// How many are kept.
    ///
    /// - Throws: ``FileError`` with `.permissionDenied` or `.io`.
    package var count: Int { get throws { try spool.files().count } }

    /// What is kept, in the order of the ids.
    ///
    /// - Parameter report: Called with each file that can't be read as a moment; it stays where it is.
    /// - Throws: ``FileError`` with `.permissionDenied` or `.io`.
    package func moments(report: (any StructuredError) -> Void = { _ in }) throws -> [UnplacedMoment] {
        let files = try spool.files()
        guard !files.isEmpty else { return [] }
        let directory = try OpenDirectory(path)
        return files.compactMap { file in
            do { return try read(file.id, file.name, in: directory)?.moment } catch {
                report(error.structured)
                return nil
            }
        }
    }

    /// Keeps a moment, and first its audio.
    ///
    /// - Throws: ``FileError``; ``FormatError`` if the record breaks the format: then nothing is written.
    /// - Note: Durable on return. Killed in between, the audio may be there alone.
    package func keep(
        _ moment: UnplacedMoment, audio: FilePath? = nil, failPoint: FailPoint? = nil
    ) throws {
        let text = try moment.text
        _ = try UnplacedMoment(parsing: text, named: moment.id)
        try OpenDirectory.make(path)
        let directory = try OpenDirectory(path, failPoint: failPoint)
        if let audio, let attachment = moment.entry.attachment,
            let name = FilePath.Component(attachment.name)
        {
            _ = try directory.placeFile(
                from: audio, as: name, expectedSHA256: attachment.sha256, expectedSize: attachment.size)
        }
        try directory.replaceFile(Self.name(of: moment.id), with: text, expecting: nil)
    }

    /// How a moment is taken to its session.
    package struct Access {
        let runtimeDirectory: FilePath?
        /// How long to wait for somebody else who places or drops one here.
        let lockTimeout: Duration
        /// What tests make happen between the steps.
        let failPoint: FailPoint?

        package init(
            runtimeDirectory: FilePath?, lockTimeout: Duration = DirectoryLock.defaultTimeout,
            failPoint: FailPoint? = nil
        ) {
            self.runtimeDirectory = runtimeDirectory
            self.lockTimeout = lockTimeout
            self.failPoint = failPoint
        }
    }

    /// Moves a moment into the queue, as an entry for a session.
    ///
    /// - Parameters:
    ///   - offset: Where it stands there.
    ///   - queue: The local spool.
    /// - Returns: The entry. Where another try to place it was cut short, it is for the session that was chosen then.
    /// - Throws: ``StoreError`` with `.noSuchEntry` if it is not kept here; ``FileError``, ``FormatError``: then it still is.
    /// - Note: Durable on return; may be repeated.
    package func place(
        _ id: ULID, in session: ULID, at offset: SessionOffset, queue: Spool, by access: Access
    ) throws -> SpoolEntry {
        try locked(access) { directory in
            guard let (found, identity) = try read(id, Self.name(of: id), in: directory) else {
                throw Self.absent(id)
            }
            var moment = found
            if moment.session == nil {
                moment = try moment.decided(session, at: offset)
                try directory.replaceFile(Self.name(of: id), with: moment.text, expecting: identity)
            }
            let audio = moment.entry.attachment.flatMap { FilePath.Component($0.name) }
            try queue.add(
                moment.entry, attachment: audio.map { path.appending($0) }, failPoint: access.failPoint)
            try directory.remove([Self.name(of: id)])
            if let audio { _ = try directory.take(audio) }
            return moment.entry
        }
    }

    /// Puts a moment, with its audio, where what the user does not want is kept for some time.
    ///
    /// - Returns: Where it is now.
    /// - Throws: ``StoreError`` with `.noSuchEntry` if it is not kept here, or is on its way into a session; ``FileError``.
    /// - Note: Durable on return; killed in between, it still is here.
    package func drop(_ id: ULID, to dropped: FilePath, by access: Access) throws -> FilePath {
        try locked(access) { directory in
            guard try directory.statusIfPresent(of: Self.name(of: id), followingLinks: false) != nil else {
                throw Self.absent(id)
            }
            if let session = try? read(id, Self.name(of: id), in: directory)?.moment.session {
                throw StoreError(
                    .noSuchEntry, "moment \(id) is being placed into session \(session)",
                    cure: "\(verb: "queue flush") takes it there, and \(verb: "undo") takes it out again")
            }
            let file = Spool.File(id: id, name: Self.name(of: id))
            try spool.move(file, nil, to: dropped, failPoint: access.failPoint)
            return dropped.appending(file.name)
        }
    }

    private func locked<Result>(
        _ access: Access, _ body: (OpenDirectory) throws -> Result
    ) throws -> Result {
        guard try OpenDirectory.ifPresent(path) != nil else {
            throw StoreError(.noSuchEntry, "no moment is kept", cure: .unplacedList)
        }
        return try DirectoryLock.holding(
            path, runtimeDirectory: access.runtimeDirectory, timeout: access.lockTimeout,
            failPoint: access.failPoint
        ) { lock in
            try lock.directory.removeLeftovers()
            return try body(lock.directory)
        }
    }

    private func read(
        _ id: ULID, _ name: FilePath.Component, in directory: OpenDirectory
    ) throws -> (moment: UnplacedMoment, identity: FileIdentity)? {
        guard
            let file = try directory.readFile(name, limit: Spool.maximumEntrySize, followsLink: false)
        else { return nil }
        do {
            return (try UnplacedMoment(parsing: file.contents, named: id), file.identity)
        } catch {
            throw FileError(
                .invalidData, "\(error.message)", path: path.appending(name),
                cure: error.cure ?? .unplacedList)
        }
    }

    /// Whether a file that was put aside is a moment whose session is not known.
    static func isMoment(_ file: Spool.File, in directory: FilePath) -> Bool {
        guard let opened = try? OpenDirectory(directory),
            let text = try? opened.readFile(file.name, limit: Spool.maximumEntrySize, followsLink: false)?
                .contents,
            let moment = try? UnplacedMoment(parsing: text, named: file.id)
        else { return false }
        return moment.session == nil
    }

    private static func name(of id: ULID) -> FilePath.Component {
        FilePath.Component("\(id).json") ?? "unplaced.json"
    }

    private static func absent(_ id: ULID) -> StoreError {
        StoreError(.noSuchEntry, "no moment \(id) is kept", cure: .unplacedList)
    }
}

extension Cure {
    /// Where a moment is named that is not kept.
    package static let unplacedList: Cure = "\(verb: "unplaced list") shows what is kept"
}
