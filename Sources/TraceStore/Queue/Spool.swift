public import RecordFormat
public import SystemPackage
internal import TraceFiles
public import TraceFormat
internal import TraceText

/// A directory of queue entries, one immutable file an entry, each named by its ULID, so that two devices
/// never write the same file and any sync tool can carry it.
///
/// Source: docs/queue.md#directories.
public struct Spool: Sendable, Hashable {
    /// The spool's directory.
    public let path: FilePath

    /// The spool in that directory, which need not exist yet.
    public init(_ path: FilePath) { self.path = path }

    /// An entry's file, not yet read.
    public struct File: Sendable, Hashable {
        /// The id in the file's name.
        public let id: ULID
        /// The file's name, as it is in the directory.
        public let name: FilePath.Component
    }

    /// The entries that are complete by their names, in the order of their ids; other files are none of ours.
    /// What a sync tool has renamed to a conflict copy is one more delivery of its entry.
    ///
    /// - Returns: Nothing where the directory does not exist.
    /// - Throws: ``FileError`` with `.permissionDenied` or `.io`.
    public func files() throws -> [File] {
        guard let directory = try OpenDirectory.ifPresent(path) else { return [] }
        var files: [File] = []
        try directory.forEachName { name in
            if let id = Self.id(inName: name) ?? ConflictCopy.entry(of: name.escaped) {
                files.append(File(id: id, name: name))
            }
        }
        return files.sorted { ($0.id, $0.name.string) < ($1.id, $1.name.string) }
    }

    /// Removes the temporary files of writers that were killed.
    ///
    /// - Throws: ``FileError`` with `.permissionDenied`, `.readOnly` or `.io`.
    func removeLeftovers() throws {
        try OpenDirectory.ifPresent(path)?.removeLeftovers()
    }

    /// The id in a name of the form `<ULID>.json`; file systems that fold case may have changed it.
    package static func id(inName name: FilePath.Component) -> ULID? {
        guard name.extension?.lowercased() == "json" else { return nil }
        return ULID(name.stem.uppercased())
    }

    /// Where an entry's audio lies, or nil; file systems that fold case may have changed the name.
    func name(of attachment: SpoolEntry.Attachment) throws -> FilePath.Component? {
        let directory = try OpenDirectory(path)
        return try [attachment.name, attachment.name.lowercased(), attachment.name.uppercased()]
            .compactMap { FilePath.Component($0) }
            .first { try directory.statusIfPresent(of: $0, followingLinks: false) != nil }
    }

    /// The size in bytes of an entry's audio as it is there now; nil if it is not.
    func size(of attachment: SpoolEntry.Attachment) throws -> Int64? {
        guard let name = try name(of: attachment) else { return nil }
        return try OpenDirectory(path).statusIfPresent(of: name, followingLinks: false)?.identity.size
    }

    /// The files that have an entry's id beside its own: the audio, where the entry can't be read to name it.
    func companions(of file: File) throws -> [FilePath.Component] {
        var names: [FilePath.Component] = []
        try OpenDirectory(path).forEachName { name in
            if ULID(name.stem.uppercased()) == file.id, name.extension?.lowercased() != "json" {
                names.append(name)
            }
        }
        return names
    }

    /// The largest entry that is read, in bytes.
    package static let maximumEntrySize: Int64 = 1 << 20

    /// Reads an entry.
    ///
    /// - Throws: ``FormatError`` with `.jsonMalformed` if the file is not whole (yet) or `.recordInvalid` if it is not an
    ///   entry; ``FileError``, with `.notFound` if another drain has taken it, and `.leavesSession` or `.notRegularFile` if it
    ///   is a link, a pipe or a directory: no device delivers those.
    public func read(_ file: File) throws -> SpoolEntry {
        guard
            let contents = try OpenDirectory(path).readFile(
                file.name, limit: Self.maximumEntrySize, followsLink: false)
        else {
            throw FileError(.notFound, "was taken", path: path.appending(file.name))
        }
        return try SpoolEntry(parsing: contents.contents, named: file.id)
    }

    /// Adds an entry, and first its audio.
    ///
    /// May be repeated: the same entry once more changes nothing.
    ///
    /// - Parameter attachment: The file to copy beside the entry; required exactly where the entry names one.
    /// - Throws: ``FileError``; `.alreadyExists` if the id is taken by another entry, `.invalidData` if the drain would reject
    ///   the entry (then nothing is written).
    /// - Note: Durable on return. Killed in between, the audio may be in the spool without its entry; a temporary file goes
    ///   with the next drain.
    public func add(_ entry: SpoolEntry, attachment: FilePath? = nil) throws {
        try add(entry, attachment: attachment, failPoint: nil)
    }

    /// As ``add(_:attachment:)``; tests make things happen between its steps.
    func add(_ entry: SpoolEntry, attachment: FilePath?, failPoint: FailPoint?) throws {
        let text = entry.json.bytes + [newline]
        try Self.check(entry, text, hasAttachment: attachment != nil)
        try put(entry, text, attachment: attachment, failPoint: failPoint)
    }

    /// As ``add(_:attachment:)``, of an entry without audio that is not read once more.
    package func add(_ checked: CheckedEntry) throws { try add(checked, attachment: nil, failPoint: nil) }

    /// As ``add(_:attachment:)``, of an entry that is not read once more.
    ///
    /// - Parameter mayLackAudio: Whether the audio may come later.
    func add(
        _ checked: CheckedEntry, attachment: FilePath?, mayLackAudio: Bool = false, failPoint: FailPoint?
    ) throws {
        let entry = checked.entry
        let awaitsAudio = mayLackAudio && attachment == nil && entry.attachment != nil
        try Self.checkAudio(of: entry, hasAttachment: attachment != nil || awaitsAudio)
        try put(entry, entry.json.bytes + [newline], attachment: attachment, failPoint: failPoint)
    }

    private func put(
        _ entry: SpoolEntry, _ text: [UInt8], attachment: FilePath?, failPoint: FailPoint?
    ) throws {
        guard let name = FilePath.Component(entry.fileName) else { return }
        try OpenDirectory.make(path)
        let directory = try OpenDirectory(path, failPoint: failPoint)
        /// Whether this very entry is there.
        func isThere() throws -> Bool {
            guard let there = try directory.readFile(name, limit: Self.maximumEntrySize)?.contents else {
                return false
            }
            guard there == text else {
                throw FileError(
                    .alreadyExists, "there is already an entry with this id", path: path.appending(name),
                    cure: [
                        "see \(verb: "queue show \(entry.id)")",
                        "\(route: "GET /api/v1/queue/{id}") shows the entry that is there",
                    ])
            }
            return true
        }
        // Another entry of this id may wait for its own audio, which this one's would be taken for: nothing is put beside that.
        _ = try isThere()
        let audio = try place(attachment, of: entry, in: directory)
        do {
            try directory.replaceFile(name, with: text, expecting: nil)
        } catch let error as FileError where error.code == .changedMeanwhile {
            do {
                if try isThere() { try directory.makeDurable(name) }
            } catch {
                if let audio { _ = try? directory.take(audio) }
                throw error
            }
        }
    }

    /// Says of an entry that waits what its audio's checksum is, and first puts the audio beside it, if it has come.
    ///
    /// May be repeated.
    ///
    /// - Parameters:
    ///   - entry: As it is in its file.
    ///   - complete: The same, with the checksum.
    ///   - attachment: The audio; nil if it comes by itself.
    /// - Throws: ``FileError``; `.changedMeanwhile` if the file says something else now, or is gone: then look again.
    /// - Note: Durable on return. Killed in between, the file says the one or the other.
    func complete(
        _ entry: SpoolEntry, as complete: SpoolEntry, attachment: FilePath?, failPoint: FailPoint?
    ) throws {
        guard let name = FilePath.Component(entry.fileName) else { return }
        let text = complete.json.bytes + [newline]
        try Self.check(complete, text, hasAttachment: complete.attachment != nil)
        let directory = try OpenDirectory(path, failPoint: failPoint)
        let old = try directory.readFile(name, limit: Self.maximumEntrySize, followsLink: false)
        guard let old, try SpoolEntry(parsing: old.contents, named: entry.id) == entry else {
            throw FileError(.changedMeanwhile, "has changed", path: path.appending(name))
        }
        try place(attachment, of: complete, in: directory)
        try directory.replaceFile(name, with: text, expecting: old.identity)
    }

    /// Copies an entry's audio beside it.
    ///
    /// - Returns: Its name, if it was not there before.
    @discardableResult
    private func place(
        _ audio: FilePath?, of entry: SpoolEntry, in directory: OpenDirectory
    ) throws -> FilePath.Component? {
        guard let audio, let description = entry.attachment, let name = FilePath.Component(description.name)
        else { return nil }
        let placement = try directory.placeFile(
            from: audio, as: name, expectedSHA256: description.sha256, expectedSize: description.size)
        guard case .placed = placement else { return nil }
        return name
    }

    /// The entry of that id under its own name; nil if there is none that can be read.
    package func entry(_ id: ULID) -> SpoolEntry? {
        guard let name = FilePath.Component("\(id).json") else { return nil }
        return try? read(File(id: id, name: name))
    }

    static func check(_ entry: SpoolEntry, _ text: [UInt8], hasAttachment: Bool) throws {
        do {
            _ = try SpoolEntry(parsing: text, named: entry.id)
        } catch {
            throw FileError(.invalidData, error.message, cure: error.cure)
        }
        try checkAudio(of: entry, hasAttachment: hasAttachment)
    }

    private static func checkAudio(of entry: SpoolEntry, hasAttachment: Bool) throws {
        guard hasAttachment == (entry.attachment != nil) else {
            throw FileError(
                .invalidData,
                hasAttachment ? "the entry does not refer to audio" : "the entry's audio is missing",
                cure: "give a file if, and only if, the entry refers to one")
        }
    }

    /// What an attachment is to say of a file.
    ///
    /// - Throws: ``FileError`` with `.notFound` or `.notRegularFile`.
    public static func attachment(for file: FilePath, named name: String) throws -> SpoolEntry.Attachment {
        guard let component = file.lastComponent else {
            throw FileError(.notRegularFile, "is not a file", path: file)
        }
        let directory = try OpenDirectory(file.containingDirectory)
        let size = try directory.status(of: component, followingLinks: true).identity.size
        return SpoolEntry.Attachment(name: name, size: size, sha256: try directory.sha256(of: component))
    }
}
