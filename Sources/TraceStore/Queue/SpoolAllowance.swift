internal import RecordFormat
internal import Synchronization
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// How much of what comes over the network may wait in the local spool: for journals that are not known here, so much of each token; for those
/// that are, as long as the disk keeps a reserve, whatever else waits.
///
/// What is added is counted. Entries leave the spool without being counted, so that it is looked at again (``SpoolListing``) where a limit seems
/// to be reached. One is shared by all requests of a process.
package final class SpoolAllowance: Sendable {
    /// How many bytes of the file system what comes over the network leaves to everything else.
    package static let reserve: Int64 = 1 << 30

    /// How much of one token may wait.
    package struct Limits: Sendable {
        /// How many entries.
        package var count = 10_000
        /// How many bytes they have, without the audio beside them.
        var size: Int64 = 64 << 20
        /// What is left free on the file system by those that are beyond.
        package var reserve = SpoolAllowance.reserve

        package init() {}
    }

    /// What waits, as it was found.
    let listing = SpoolListing()
    private let limits: Limits
    private let state = Mutex(State())

    private struct Amount {
        var count = 0
        var size: Int64 = 0

        init() {}

        init(_ entry: SpoolListing.Entry) {
            count = 1
            size = entry.size
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

    private struct State {
        /// Whether the spool was looked at.
        var hasLooked = false
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
    /// - Throws: ``StoreError`` with `.queueFull`, ``FileError`` with `.diskFull` if there is no reserve; nothing is added then. What `add` throws.
    /// - Complexity: O(1) beside adding; at the first time, and where a limit seems to be reached, O(names in the spool + new entries).
    func adding(
        _ entry: SpoolEntry, to spool: Spool, isKnown: Bool, _ add: () throws -> Void
    ) throws {
        guard let token = entry.deliveredBy?.token else { return try add() }
        let amount = Amount(SpoolListing.Entry(entry))
        try state.withLock { state in
            if !state.hasLooked { try look(at: spool, &state) }
            if !fits(amount, of: token, state), !isKnown || !hasReserve(for: amount, in: spool) {
                try look(at: spool, &state)
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

    private func refusal(_ isKnown: Bool, _ spool: Spool) -> any StructuredError {
        isKnown
            ? FileError(
                .diskFull, "there is too little space left for more entries that wait", path: spool.path,
                cure: "free some space on this file system, or bring back the journals that they wait for")
            : StoreError(
                .queueFull,
                "too much of what this token has sent is waiting for journals that were not found",
                path: spool.path,
                cure:
                    "send it again when those journals are there, or when what waits for them has been dropped on the server"
            )
    }

    /// Counts what waits.
    private func look(at spool: Spool, _ state: inout State) throws {
        state.waiting = [:]
        for entry in try listing.entries(of: spool) {
            if let token = entry.token { state.waiting[token, default: Amount()] += Amount(entry) }
        }
        state.hasLooked = true
    }
}
