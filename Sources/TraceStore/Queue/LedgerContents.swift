internal import Crypto
package import RecordFormat
internal import SystemPackage
package import TraceFiles
package import TraceFormat

/// What the ledger remembers of entries and records, so that a record which the user deleted does not come
/// back when its entry is delivered once more, and that another entry of the same id is seen to be another
/// one.
///
/// One JSON object a line in `applied.jsonl` of the state directory, distinguished by their last key: `applied_at`,
/// `removed_at` (the user removed the record) or `dropped_at` (the user dropped the entry). A torn last line is a line that was
/// not written. To note a line once more changes nothing, if those behind it are noted once more, too.
///
/// It takes some 50 bytes a line: a daemon keeps it as long as it lives.
package struct LedgerContents: Sendable {
    static let file: FilePath.Component = "applied.jsonl"

    private var memories: [ULID: Memory] = [:]
    /// The sessions into which entries were applied; a memory names one by its number.
    private var sessions: [ULID] = []
    private var sessionNumbers: [ULID: UInt32] = [:]
    private var dropped: [ULID: Set<Checksum>] = [:]
    private var deliverers: [ULID: Deliverer] = [:]

    private struct Memory {
        /// Of the entry that was applied; nil where a line has none, which stands for any entry of the id.
        var checksum: Checksum?
        /// The number of the session into which it was applied, if it was.
        var session: UInt32?
        var isApplied = false
        var isRemoved = false
    }

    /// What must not change between two deliveries of one entry: the first half of a SHA-256, enough to tell the entries of
    /// one id apart.
    private struct Checksum: Hashable {
        private let high, low: UInt64

        init(_ text: String) {
            // What nobody of us has written is the checksum of no entry.
            let known = text.utf8.count == 64 ? text : hexadecimal(SHA256.hash(data: Array(text.utf8)))
            high = UInt64(known.prefix(16), radix: 16) ?? 0
            low = UInt64(known.dropFirst(16).prefix(16), radix: 16) ?? 0
        }
    }

    /// Nothing.
    static let empty = LedgerContents()

    private init() {}

    /// Reads the ledger of a state directory.
    ///
    /// - Throws: ``FileError``.
    package init(in directory: OpenDirectory) throws {
        let memory = LedgerMemory()
        try memory.read(in: directory) { _ in }
        self = memory.contents
    }

    // MARK: - Taking lines in

    /// Notes what a line says; one that is not whole, or says nothing of the kind, is skipped.
    mutating func note(line: ArraySlice<UInt8>, _ parser: JSONParser) {
        try? parser.withParsed(line) { root in
            guard let id = root[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) else { return }
            let checksum = root[name: "sha256"]?.string ?? ""
            if root[name: "removed_at"] != nil {
                noteRemoved(id)
            } else if root[name: "dropped_at"] != nil {
                noteDropped(id, checksum)
            } else {
                let session = root[name: "session_id"]?.utf8.flatMap(ULID.init(bytes:))
                noteApplied(id, checksum, session, deliveredBy: Deliverer(root))
            }
        }
    }

    mutating func noteApplied(
        _ id: ULID, _ checksum: String, _ session: ULID?, deliveredBy deliverer: Deliverer?
    ) {
        let sum = checksum.isEmpty ? nil : Checksum(checksum)
        memories[id] = Memory(checksum: sum, session: session.map { number(of: $0) }, isApplied: true)
        // An entry that is put back keeps the deliverer that it had first.
        if let deliverer { deliverers[id] = deliverer }
        // Once one is applied, any other entry of its id is a conflict, dropped before or not.
        if sum != nil { dropped[id] = nil }
    }

    mutating func noteRemoved(_ id: ULID) {
        var memory = memories[id] ?? Memory()
        memory.isApplied = true
        memory.isRemoved = true
        memories[id] = memory
    }

    mutating func noteDropped(_ id: ULID, _ checksum: String) {
        dropped[id, default: []].insert(Checksum(checksum))
    }

    private mutating func number(of session: ULID) -> UInt32 {
        if let number = sessionNumbers[session] { return number }
        let number = UInt32(truncatingIfNeeded: sessions.count)
        sessions.append(session)
        sessionNumbers[session] = number
        return number
    }

    // MARK: - Questions

    /// Whether an entry of that id has been applied, or its record removed.
    package func contains(_ id: ULID) -> Bool { memories[id]?.isApplied ?? false }

    /// Whether it is this entry that has been applied, and not another of its id.
    package func contains(_ entry: SpoolEntry) -> Bool {
        guard let memory = memories[entry.id], memory.isApplied else { return false }
        return memory.checksum.map { Self.checksums(of: entry).contains($0) } ?? true
    }

    /// The entries that have been applied to a session, and whose records the user did not remove.
    func applied(to session: ULID) -> Set<ULID> {
        guard let number = sessionNumbers[session] else { return [] }
        return Set(memories.lazy.filter { $0.value.session == number && !$0.value.isRemoved }.map(\.key))
    }

    /// Whether the user removed the record of that id.
    package func isRemoved(_ id: ULID) -> Bool { memories[id]?.isRemoved ?? false }

    /// Whether the user dropped this entry.
    package func isDropped(_ entry: SpoolEntry) -> Bool {
        guard let sums = dropped[entry.id] else { return false }
        return Self.checksums(of: entry).contains { sums.contains($0) }
    }

    /// Who delivered the record of that id; nil if it did not come over the network, or the ledger does not know it.
    package func deliverer(of id: ULID) -> Deliverer? { deliverers[id] }

    /// Of what must not change between two deliveries of one entry: what its payload means, and not how it is spelled.
    static func checksum(of entry: SpoolEntry) -> String {
        checksum(of: entry, JSONText.canonical(entry.payload) ?? entry.payload)
    }

    private static func checksum(of entry: SpoolEntry, _ payload: [UInt8]) -> String {
        let text = Array("\(entry.kind.rawValue) \(entry.sessionID) ".utf8) + payload
        return hexadecimal(SHA256.hash(data: text))
    }

    /// Those by which a line may know an entry: that of today, and that of the bytes of its payload, which older lines have.
    private static func checksums(of entry: SpoolEntry) -> some Sequence<Checksum> {
        [{ checksum(of: entry) }, { checksum(of: entry, entry.payload) }].lazy.map { Checksum($0()) }
    }
}
