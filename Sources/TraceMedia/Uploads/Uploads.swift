internal import Glibc
package import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceStore
internal import TraceText

/// The audio of voice notes that comes over the network, until it is whole and its record is there.
///
/// `uploads/<ULID of the token>/` in the state directory has, by the id of the voice note: `<ULID>.json`, what is known of it
/// (``UploadDescription``), written before the first byte; `<ULID>.part`, what has come so far; `<ULID>.<extension>` once it is whole,
/// while it waits for its record. Nothing refers to any of them: they may be deleted at any time, and go by themselves.
///
/// Source: docs/http.md#audio.
package struct Uploads: Sendable {
    private let path: FilePath
    private let meter: UploadMeter
    private let limits: Limits

    /// How long nothing has come when an upload is given up.
    static let retention = Duration.seconds(7 * 86_400)
    /// How long the directory of a token without uploads stays.
    private static let emptyRetention = Duration.seconds(3600)

    /// - Parameters:
    ///   - owner: The token that they come by; nil by a Unix socket.
    ///   - meter: The one for all requests of this process.
    package init(
        state: FilePath, owner: ULID?, meter: UploadMeter = UploadMeter(), limits: Limits = Limits()
    ) {
        self.meter = meter
        self.limits = limits
        path = Self.directory(in: state).appending(owner.map { "\($0)" } ?? "local")
    }

    private static func directory(in state: FilePath) -> FilePath { state.appending("uploads") }

    // MARK: - What is there

    /// How far an upload is.
    package enum Progress: Sendable, Equatable {
        case partial(size: Int64, UploadDescription)
        /// It waits for its record.
        case whole(WholeUpload)
    }

    /// How far the upload of an id is; nil if nothing has come.
    ///
    /// - Throws: ``FileError``.
    package func progress(of id: ULID) throws -> Progress? {
        guard let directory = try opened() else { return nil }
        if let whole = try whole(id, directory) { return .whole(whole) }
        guard let status = try directory.statusIfPresent(of: id.partName, followingLinks: false),
            status.kind == .regular, let description = try description(of: id, directory)
        else { return nil }
        return .partial(size: status.identity.size, description)
    }

    /// The audio of an id that waits for its record.
    ///
    /// - Throws: ``FileError``.
    package func whole(_ id: ULID) throws -> WholeUpload? { try opened().flatMap { try whole(id, $0) } }

    private func whole(_ id: ULID, _ directory: OpenDirectory) throws -> WholeUpload? {
        for container in AudioContainer.allCases {
            let name = try id.name(container)
            guard let status = try directory.statusIfPresent(of: name, followingLinks: false),
                status.kind == .regular, let description = try description(of: id, directory)
            else { continue }
            return WholeUpload(
                id: id, path: directory.path(of: name), size: status.identity.size, container: container,
                sessionID: description.sessionID)
        }
        return nil
    }

    private func description(of id: ULID, _ directory: OpenDirectory) throws -> UploadDescription? {
        let file = try directory.readFile(id.descriptionName, limit: 4096, followsLink: false)
        return file.flatMap { UploadDescription($0.contents) }
    }

    // MARK: - What comes

    /// Begins an upload; what had come of an earlier one of the id is thrown away, unless it is whole.
    ///
    /// - Throws: ``FileError``; `.sessionLocked` while another request sends the same, `.diskFull` if it would leave too little room;
    ///   ``MediaError`` with `.uploadsFull` if its sender has too much that is unfinished.
    /// - Note: Killed in between, there is nothing of the id, or nothing but its description.
    package func begin(_ id: ULID, _ description: UploadDescription, failPoint: FailPoint? = nil) throws
        -> PartialUpload
    {
        var attemptsLeft = 3
        while true {
            do { return try tryToBegin(id, description, failPoint) } catch let error as FileError
                where error.errno == .noSuchFileOrDirectory && attemptsLeft > 0
            {
                // The directory had been empty for long, and ``removeOutdated(state:now:)`` has just removed it.
                attemptsLeft -= 1
            }
        }
    }

    private func tryToBegin(
        _ id: ULID, _ description: UploadDescription, _ failPoint: FailPoint?
    ) throws -> PartialUpload {
        try OpenDirectory.make(path)
        let directory = try OpenDirectory(path, failPoint: failPoint)
        _ = try directory.closeToStrangers()
        try requireRoom(for: description.length ?? 0, in: directory, besides: id)
        let upload = try PartialUpload(
            id, description, in: directory, UploadAllowance(in: directory, meter, limits), isNew: true)
        let name = try id.descriptionName
        let old = try directory.statusIfPresent(of: name, followingLinks: false)
        try directory.replaceFile(name, with: description.text, expecting: old?.identity)
        return upload
    }

    /// Continues an upload; nil if there is none.
    ///
    /// - Parameter count: How many bytes are announced to come.
    /// - Throws: As ``begin(_:_:failPoint:)``.
    package func resume(_ id: ULID, count: Int64, failPoint: FailPoint? = nil) throws -> PartialUpload? {
        guard case .partial(_, let description)? = try progress(of: id) else { return nil }
        let directory = try OpenDirectory(path, failPoint: failPoint)
        try requireRoom(for: count, in: directory, besides: nil)
        return try PartialUpload(
            id, description, in: directory, UploadAllowance(in: directory, meter, limits), isNew: false)
    }

    private func requireRoom(for count: Int64, in directory: OpenDirectory, besides id: ULID?) throws {
        let size = try UploadAllowance.size(of: directory) { name in id.map { name.stem != "\($0)" } ?? true }
        guard count <= limits.perOwner - size else { throw limits.full(path) }
        try limits.requireSpace(for: count, in: path)
    }

    /// Gives an upload up; one that does not exist is well.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    package func remove(_ id: ULID) throws {
        guard let directory = try opened() else { return }
        // What it is comes last: without it, the rest is not looked at.
        let names = try [id.partName] + AudioContainer.allCases.map { try id.name($0) } + [id.descriptionName]
        try directory.remove(
            names.filter { try directory.statusIfPresent(of: $0, followingLinks: false) != nil })
    }

    private func opened() throws -> OpenDirectory? {
        do { return try OpenDirectory(path) } catch let error as FileError
            where error.errno == .noSuchFileOrDirectory
        {
            return nil
        }
    }

    // MARK: - What goes by itself

    /// Removes the uploads of which nothing has come for ``retention``, and directories of tokens that have had none for an hour.
    ///
    /// - Returns: What was removed.
    /// - Throws: ``FileError``.
    /// - Note: A kill leaves some of it for the next time.
    package static func removeOutdated(state: FilePath, now: Timestamp) throws -> [FilePath] {
        guard let directory = try OpenDirectory.ifPresent(self.directory(in: state)) else { return [] }
        var owners: [FilePath.Component] = []
        try directory.forEachName { owners.append($0) }
        var removed: [FilePath] = []
        for owner in owners {
            guard let uploads = try? directory.openDirectory(owner) else { continue }
            var files: [FilePath.Component] = []
            try uploads.forEachName { files.append($0) }
            // The files of an id are of one age: that of the last byte.
            let latest = Dictionary(
                files.map { name in
                    let status = try? uploads.status(of: name, followingLinks: false)
                    return (name.stem, status?.identity.changed.timestamp ?? now)
                }, uniquingKeysWith: max)
            let outdated = files.filter { name in
                latest[name.stem].map { Duration.milliseconds(now.milliseconds(since: $0)) > retention }
                    ?? false
            }
            removed += try uploads.remove(outdated)
            // One that was just made is about to get its first file.
            let changed = (try? uploads.status())?.identity.changed.timestamp ?? now
            if outdated.count == files.count,
                Duration.milliseconds(now.milliseconds(since: changed)) > emptyRetention
            {
                directory.removeDirectoryIfEmpty(owner)
            }
        }
        return removed
    }
}

/// Audio that has come whole and waits for its record.
package struct WholeUpload: Sendable, Equatable {
    /// The voice note's.
    package let id: ULID
    /// Where it is.
    package let path: FilePath
    /// How long it is, in bytes.
    package let size: Int64
    /// What it is.
    package let container: AudioContainer
    /// The session that it was sent for.
    package let sessionID: ULID

    /// Its SHA-256.
    ///
    /// - Throws: ``FileError``.
    /// - Complexity: O(size).
    package func sha256() throws -> String {
        guard let name = path.lastComponent else { throw FileError(.notFound, "does not exist", path: path) }
        return try OpenDirectory(path.containingDirectory).sha256(ofUnlinked: name)
    }
}

extension ULID {
    fileprivate func uploadName(_ ending: String) throws(FileError) -> FilePath.Component {
        guard let name = FilePath.Component("\(self).\(ending)") else {
            throw FileError(.invalidData, "'\(self)' can't name a file")
        }
        return name
    }

    /// What has come so far.
    var partName: FilePath.Component { get throws(FileError) { try uploadName("part") } }

    /// What is known of it.
    var descriptionName: FilePath.Component { get throws(FileError) { try uploadName("json") } }

    /// All of it.
    func name(_ container: AudioContainer) throws(FileError) -> FilePath.Component {
        try uploadName(container.fileExtension)
    }
}
