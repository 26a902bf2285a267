internal import Glibc
internal import NIOCore
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// A regular file that is sent to a client, opened once: renamed, replaced or appended to meanwhile, the bytes are those of its
/// tag.
///
/// This is the one way in which HTTP comes to the bytes of a file of a session, of another journal or of the page. No link is followed:
/// a link may have been made by somebody who can write there and can't read what it leads to. Files of records are read elsewhere,
/// record by record, and may be links (docs/decisions/0006-links-are-followed.md).
final class ServedFile: Sendable {
    let name: FilePath.Component
    /// By which it was opened.
    let path: FilePath
    let identity: FileIdentity
    /// Whether a later change would have given it another identity.
    let hasRested: Bool
    /// What names this state of the file: strong once it has rested, for a strong tag promises bytes.
    let tag: EntityTag
    private let file: OpenFile

    /// Opens a file below a directory. No link is followed, in the last name or in one on the way, and nothing but a regular file
    /// is opened: a pipe or a device would block, or do something.
    ///
    /// - Throws: ``FileError`` with `.notFound`, `.leavesSession`, `.notRegularFile` or `.permissionDenied`.
    convenience init(
        _ path: [FilePath.Component], below directory: OpenDirectory, settleTime: Duration
    ) throws {
        try self.init(path, below: directory) { identity in
            let hasRested = SystemTime.now() - max(identity.modified, identity.changed) >= settleTime
            var ingredients = TagIngredients()
            ingredients.add(identity)
            return (ingredients.tag(isWeak: !hasRested), hasRested)
        }
    }

    /// Opens a file that this program has made out of a recording. It is never changed, only replaced, and its times say when it was used
    /// last: its tag is strong at once, and does not depend on them.
    ///
    /// - Parameter recording: The state of the recording.
    /// - Throws: ``FileError``, as ``init(_:below:settleTime:)``.
    convenience init(
        _ made: (directory: OpenDirectory, name: FilePath.Component), madeOf recording: FileIdentity
    ) throws {
        try self.init([made.name], below: made.directory) { identity in
            var ingredients = TagIngredients()
            ingredients.add(Release.version)
            ingredients.add(made.name.bytes)
            ingredients.add(recording)
            ingredients.add(Int64(bitPattern: identity.inode))
            ingredients.add(identity.size)
            return (ingredients.tag(), true)
        }
    }

    private init(
        _ path: [FilePath.Component], below directory: OpenDirectory,
        version: (FileIdentity) -> (tag: EntityTag, hasRested: Bool)
    ) throws {
        guard let name = path.last else {
            throw FileError(.notFound, "does not exist", path: directory.path)
        }
        let place = try path.dropLast().reduce(directory) { try $0.openDirectory($1) }
        switch try place.status(of: name, followingLinks: false).kind {
        case .regular: break
        case .symbolicLink:
            throw FileError(
                .leavesSession, "is a link; links are not followed here", path: place.path(of: name),
                cure: "put the file itself in its place")
        case .directory, .special:
            throw FileError(.notRegularFile, "is not a regular file", path: place.path(of: name))
        }
        let path = place.path(of: name)
        file = try explaining("open", path) { () throws(Errno) in
            try place.openFile(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        }
        let status = try file.regularStatus(at: path)
        self.name = name
        self.path = path
        identity = status.identity
        (tag, hasRested) = version(status.identity)
    }

    /// Opens the file in `media/` that a record or an item of `session.json` names.
    ///
    /// - Parameters:
    ///   - written: The path as it is there.
    ///   - directory: The session's.
    /// - Returns: Nil if the path leads elsewhere.
    /// - Throws: ``FileError``, as ``init(_:below:settleTime:)``.
    static func media(
        at written: String, below directory: OpenDirectory, settleTime: Duration
    ) throws -> ServedFile? {
        guard let path = MediaPath.components(of: written), path.count > 1, path.first == "media" else {
            return nil
        }
        return try ServedFile(path, below: directory, settleTime: settleTime)
    }

    /// All of a file of text, as it was at one moment.
    ///
    /// - Parameter limit: The most bytes that it may have.
    /// - Returns: Nil if there is no such file.
    /// - Throws: ``FileError``, as ``init(_:below:settleTime:)``; `.invalidData` if it is longer, `.changedMeanwhile` if it is being
    ///   written.
    static func contents(
        of name: FilePath.Component, in directory: OpenDirectory, limit: Int64
    ) throws -> FileContents? {
        let opened: ServedFile
        do { opened = try ServedFile([name], below: directory, settleTime: .zero) } catch let error
            as FileError
            where error.code == .notFound
        {
            return nil
        }
        let size = opened.identity.size
        guard size <= limit else {
            throw FileError(
                .invalidData, "has \(size) bytes, more than the limit of \(limit)", path: opened.path,
                cure: "check that this is the right file")
        }
        let bytes = try opened.read(at: 0, count: Int(size))
        guard try opened.file.regularStatus(at: opened.path).identity == opened.identity else {
            throw FileError(
                .changedMeanwhile, "changed while it was read", path: opened.path, cure: "try again")
        }
        return FileContents(contents: Array(bytes.readableBytesView), identity: opened.identity)
    }

    /// It, as conditions and ranges see it.
    var representation: Representation {
        Representation(
            size: identity.size, tag: tag, modified: HTTPDate(seconds: identity.modified.seconds),
            hasRested: hasRested)
    }

    /// The SHA-256 of all of it.
    ///
    /// - Throws: ``FileError``.
    /// - Complexity: O(size).
    func sha256() throws -> String {
        try explaining("read", path) { () throws(Errno) in try file.sha256() }
    }

    /// Up to `count` bytes from `offset`.
    ///
    /// - Throws: ``FileError``; `.changedMeanwhile` if the file has become shorter: nothing is padded.
    func read(at offset: Int64, count: Int) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        let read = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            // Sound: the space that is lent has at least as many bytes, and no more than are read are taken as written.
            let part = UnsafeMutableRawBufferPointer(rebasing: space[..<count])
            return try explaining("read", path) { () throws(Errno) in try file.read(into: part, at: offset) }
        }
        guard read == count else {
            throw FileError(.changedMeanwhile, "became shorter while it was sent", path: self.path)
        }
        return buffer
    }
}

/// The bytes of a file, as they are sent.
struct FileBytes: ResponseSource {
    private let file: ServedFile
    private var position: Int64
    private let end: Int64

    /// - Parameter range: Within the file.
    init(_ file: ServedFile, _ range: Range<Int64>) {
        self.file = file
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func next(atMost count: Int) throws -> ByteBuffer? {
        guard position < end else { return nil }
        let count = min(Int64(count), end - position)
        let bytes = try file.read(at: position, count: Int(count))
        position += count
        return bytes
    }
}
