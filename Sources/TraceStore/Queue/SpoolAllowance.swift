internal import RecordFormat
internal import Synchronization
internal import SystemPackage
package import TraceFiles
internal import TraceFormat

/// How much of what comes over the network may wait in the local spool: for journals that are not known here, so much of each token; for those
/// that are, as long as the disk keeps a reserve, whatever else waits.
///
/// What is added is counted. Entries leave the spool without being counted, so that it is looked at again where a limit seems to be reached. One
/// is shared by all requests of a process.
package final class SpoolAllowance: Sendable {
    /// How much of one token may wait.
    package struct Limits: Sendable {
        /// How many entries.
        package var count = 10_000
        /// How many bytes they have, without the audio beside them.
        package var size: Int64 = 64 << 20
        /// What is left free on the file system by those that are beyond.
        package var reserve = Uploads.reserve

        package init() {}
    }

    private let limits: Limits
    private let state = Mutex(State())

    private struct Amount {
        var count = 0
        var size: Int64 = 0

        init() {}

        init(of entry: SpoolEntry) {
            count = 1
            // With the newline.
            size = Int64(entry.json.bytes.count) + 1
        }

        static func += (sum: inout Amount, more: Amount) {
            sum.count += more.count
            sum.size += more.size
        }

        static func -= (sum: inout Amount, less: Amount) {
            sum.count -= less.count
            sum.size -= less.size
        }
    }

    /// An entry as it was found.
    private struct Found {
        var token: ULID?
        var amount = Amount()
    }

    private struct State {
        /// The entries as they were found; nil before the first look.
        var entries: [FilePath.Component: Found]?
        /// The spool then; nil if it had just changed, and may have done so again since.
        var identity: FileIdentity?
        /// What each token had there, and what has been added since.
        var waiting: [ULID: Amount] = [:]
        /// What is about to be added: a look may or may not have found it.
        var coming: [ULID: Amount] = [:]
    }

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Adds an entry to a spool, if it may wait there.
    ///
    /// - Parameters:
    ///   - isKnown: Whether its journal is known, although it can't be written now.
    ///   - add: Adds it.
    /// - Throws: ``FileError`` with `.queueFull`, or `.diskFull` if there is no reserve; nothing is added then. What `add` throws.
    /// - Complexity: O(1) beside adding; at the first time, and where a limit seems to be reached, O(names in the spool + new entries).
    func adding(
        _ entry: SpoolEntry, to spool: Spool, isKnown: Bool, _ add: () throws -> Void
    ) throws {
        guard let token = entry.deliveredBy?.token else { return try add() }
        let amount = Amount(of: entry)
        try state.withLock { state in
            if state.entries == nil { try Self.look(at: spool, &state) }
            if !fits(amount, of: token, state), !isKnown || !hasReserve(for: amount, in: spool) {
                try Self.look(at: spool, &state)
                guard fits(amount, of: token, state) else { throw refusal(isKnown, spool) }
            }
            state.coming[token, default: Amount()] += amount
        }
        defer { state.withLock { $0.coming[token]? -= amount } }
        try add()
        state.withLock { $0.waiting[token, default: Amount()] += amount }
    }

    private func fits(_ amount: Amount, of token: ULID, _ state: State) -> Bool {
        var sum = amount
        sum += state.waiting[token] ?? Amount()
        sum += state.coming[token] ?? Amount()
        return sum.count <= limits.count && sum.size <= limits.size
    }

    private func hasReserve(for amount: Amount, in spool: Spool) -> Bool {
        guard let free = PlaceCheck(of: spool.path)?.freeBytes else { return true }
        return free - amount.size >= limits.reserve
    }

    private func refusal(_ isKnown: Bool, _ spool: Spool) -> FileError {
        isKnown
            ? FileError(
                .diskFull, "there is too little space left for more entries that wait", path: spool.path,
                hint: "free some space on this file system, or let the journals appear for which they wait")
            : FileError(
                .queueFull, "too much that this token has sent waits for journals that were not found",
                path: spool.path,
                hint:
                    "send it again when those journals are there, or what waits for them was dropped on the server"
            )
    }

    /// Counts what waits. Entries that were there the last time are not read again: nobody changes one of the local spool but to say what its audio is.
    private static func look(at spool: Spool, _ state: inout State) throws {
        try OpenDirectory.make(spool.path)
        let directory = try OpenDirectory(spool.path)
        // Before the names: what comes behind it is seen by the next look.
        let identity = try directory.status().identity
        guard state.identity != identity else { return }
        let isSettled = !identity.isTooFresh(at: .now())
        let old = state.entries ?? [:]
        var entries: [FilePath.Component: Found] = [:]
        var waiting: [ULID: Amount] = [:]
        for file in try spool.files() {
            let found =
                old[file.name]
                ?? (try? spool.read(file)).map { Found(token: $0.deliveredBy?.token, amount: Amount(of: $0)) }
                ?? Found()
            entries[file.name] = found
            if let token = found.token { waiting[token, default: Amount()] += found.amount }
        }
        state.entries = entries
        state.identity = isSettled ? identity : nil
        state.waiting = waiting
    }
}

extension FileError.Code {
    /// One sender has too much in the queue that can't be written.
    package static let queueFull = FileError.Code(rawValue: "queue-full")
}
