internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// The room that the bodies of all requests take together, in memory and on the disk.
///
/// What has come is counted, not what was announced: who announces much and sends nothing takes nothing from others.
///
/// Source: docs/http.md, "Limits".
final class BodyRoom: Sendable {
    /// How much there is, in bytes.
    struct Limits: Sendable {
        /// All that is in memory.
        var memory = 64 << 20
        /// Of that, what is there for small bodies alone: a mark is not refused because others send much.
        var kept = 8 << 20
        /// A body that is no larger is small.
        var smallSize = 64 << 10
        /// Of a larger body, no more than this is in memory while it comes; the rest is in a file without a name.
        var memorySize = 1 << 20
        /// All that is in such files.
        var files = 256 << 20
        /// What they leave free on the disk.
        var diskReserve = SpoolAllowance.reserve
        /// How many bodies may come from one client at the same time.
        var perClient = ConnectionTable.limitPerClient
    }

    fileprivate let limits: Limits
    private let state = Mutex(State())

    private struct State {
        var memory = 0
        /// Of ``memory``, that of bodies that are not small.
        var large = 0
        var files = 0
        var clients = ClientCounts()
    }

    init(_ limits: Limits = Limits()) { self.limits = limits }

    /// How much is taken now, in bytes.
    var taken: (memory: Int, files: Int) { state.withLock { ($0.memory, $0.files) } }

    /// Takes the place of a body that is about to come.
    ///
    /// - Parameters:
    ///   - client: Whom it is from; nil for this machine's own programs, which may send as many as they like.
    ///   - directory: Where there is room for large bodies.
    /// - Throws: ``Problem`` with 429 if too many come from there.
    func enter(_ client: String?, in directory: FilePath) throws(Problem) -> ReceivedBody {
        if let client {
            guard state.withLock({ $0.clients.add(client, upTo: limits.perClient) }) else {
                throw Problem(
                    .tooManyRequests, "too-many-requests",
                    "\(limits.perClient) requests of this client are being received",
                    cure: "send the next one when one of them has been answered", retryAfter: .seconds(1))
            }
        }
        return ReceivedBody(of: client, in: directory, self)
    }

    fileprivate func leave(_ client: String?) {
        if let client { state.withLock { $0.clients.remove(client) } }
    }

    /// What one body takes.
    fileprivate struct Share: Equatable {
        var memory = 0
        var files = 0
        var isLarge = false
    }

    /// Changes what a body takes.
    ///
    /// - Throws: ``Problem`` with 503 if there is not so much; then nothing has changed. Never where it becomes less.
    fileprivate func exchange(_ old: Share, for new: Share) throws(Problem) {
        let fits = state.withLock { state in
            var next = state
            next.memory += new.memory - old.memory
            next.large += (new.isLarge ? new.memory : 0) - (old.isLarge ? old.memory : 0)
            next.files += new.files - old.files
            let hasMemory =
                next.memory <= limits.memory && (!new.isLarge || next.large <= limits.memory - limits.kept)
            guard new.memory <= old.memory || hasMemory, new.files <= old.files || next.files <= limits.files
            else { return false }
            state = next
            return true
        }
        guard fits else {
            throw Problem(
                .serviceUnavailable, "too-many-bodies",
                "the bodies of other requests take up all the available space",
                cure: "send it again when they have been answered", retryAfter: .seconds(2))
        }
    }
}

/// The body of one request, as it comes and until it is answered: what it takes it gives back at the end of its life.
final class ReceivedBody: Sendable {
    private let room: BodyRoom
    private let client: String?
    private let directory: FilePath
    private let state = Mutex(State())

    private struct State {
        /// What has come and is not in the file.
        var bytes: [UInt8] = []
        /// How many bytes have come.
        var size = 0
        var share = BodyRoom.Share()
        var file: UnnamedFile?
    }

    /// Of a body that is in a file, so much is gathered before it is written.
    private static let pieceSize = 256 << 10

    fileprivate init(of client: String?, in directory: FilePath, _ room: BodyRoom) {
        self.room = room
        self.client = client
        self.directory = directory
    }

    deinit {
        try? room.exchange(state.withLock { $0.share }, for: BodyRoom.Share())
        room.leave(client)
    }

    /// Takes some more bytes.
    ///
    /// - Returns: Whether ``store()`` is to be called before the next ones.
    /// - Throws: ``Problem`` with 413 if there are more than `limit`, 503 if there is no room for them.
    func take(_ piece: ByteBuffer, upTo limit: Int) throws(Problem) -> Bool {
        try state.withLock { state throws(Problem) in
            let count = piece.readableBytes
            guard state.size + count <= limit else { throw BodyCheck.tooLarge(limit) }
            var share = state.share
            share.memory += count
            share.isLarge = state.size + count > room.limits.smallSize
            try room.exchange(state.share, for: share)
            state.share = share
            state.bytes += piece.readableBytesView
            state.size += count
            return state.file == nil
                ? state.size > room.limits.memorySize : state.bytes.count >= Self.pieceSize
        }
    }

    /// Brings what is in memory into the file. Blocks.
    ///
    /// - Throws: ``Problem`` with 503, ``FileError`` with `.diskFull`.
    func store() throws {
        try state.withLock { state in
            let count = state.bytes.count
            guard let free = PlaceCheck(of: directory)?.freeBytes,
                free - Int64(count) >= room.limits.diskReserve
            else {
                throw FileError(
                    .diskFull, "there is too little space left for large requests", path: directory,
                    cure: "free some space on this file system, then try again")
            }
            var share = state.share
            share.files += count
            try room.exchange(state.share, for: share)
            state.share = share
            let file = try state.file ?? UnnamedFile(in: directory)
            state.file = file
            try file.append(state.bytes)
            share.memory -= count
            try room.exchange(state.share, for: share)
            state.share = share
            state.bytes = []
        }
    }

    /// All of it, in memory from now on. Blocks if it is in a file.
    ///
    /// - Throws: ``Problem`` with 503 if there is no room for it, ``FileError``.
    func whole() throws -> [UInt8] {
        try state.withLock { state in
            guard let file = state.file else { return state.bytes }
            var share = state.share
            share.memory = state.size
            try room.exchange(state.share, for: share)
            state.share = share
            state.bytes = try file.bytes(at: 0, count: Int(file.size)) + state.bytes
            state.file = nil
            share.files = 0
            try room.exchange(state.share, for: share)
            state.share = share
            return state.bytes
        }
    }
}
