package import RecordFormat
internal import SystemPackage
internal import TraceCrypto
internal import TraceFiles
package import TraceFormat

/// What the ledger remembers of entries and records, so that a record which the user deleted does not come
/// back when its entry is delivered once more, and that another entry of the same id is seen to be another
/// one.
///
/// One JSON object a line in `applied.jsonl` of the state directory, distinguished by their last key: `applied_at`,
/// `removed_at` (the user removed the record), `kept_at` (that removal did not happen), `dropped_at` (the user dropped the entry) or
/// `announced_at` (somebody delivers the entry, whose record may not stand yet). A torn last line is a line that was
/// not written. To note a line once more changes nothing, if those behind it are noted once more, too.
///
/// It takes 50 to 130 bytes a line, by how full the table is: a daemon keeps it as long as it lives.
package struct LedgerContents: Sendable {
    static let file: FilePath.Component = "applied.jsonl"

    private var memories: [ULID: Memory] = [:]
    /// The sessions into which entries were applied.
    private var sessions = Numbered<ULID>()
    private var deliverers = Numbered<Deliverer>()
    private var dropped: [ULID: Set<Checksum>] = [:]
    /// Who delivers entries that have not been applied yet.
    private var announced: [ULID: (checksum: Checksum, deliverer: Deliverer)] = [:]

    /// 32 bytes: the flags stand where the optional checksum leaves room.
    private struct Memory {
        /// Of the entry that was applied; nil where a line has none, which stands for any entry of the id.
        var checksum: Checksum?
        var isApplied = false
        var isRemoved = false
        /// The session into which it was applied, and who delivered it.
        var session = Numbered<ULID>.Number.none
        var deliverer = Numbered<Deliverer>.Number.none
    }

    /// Values of which there are few, each under a number, so that a memory need not repeat it.
    private struct Numbered<Value: Hashable & Sendable>: Sendable {
        private var values: [Value] = []
        private var numbers: [Value: UInt32] = [:]

        struct Number: Equatable {
            fileprivate let index: UInt32

            static var none: Self { Self(index: .max) }
        }

        subscript(number: Number) -> Value? { number == .none ? nil : values[Int(number.index)] }

        /// The number of a value that is known.
        func number(of value: Value) -> Number? { numbers[value].map(Number.init) }

        mutating func add(_ value: Value) -> Number {
            if let known = number(of: value) { return known }
            let index = UInt32(truncatingIfNeeded: values.count)
            values.append(value)
            numbers[value] = index
            return Number(index: index)
        }
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
    init(in directory: OpenDirectory) throws {
        let memory = LedgerMemory()
        try memory.read(in: directory) { _ in }
        self = memory.contents
    }

    // MARK: - Taking lines in

    /// Notes what a line says; one that is not whole, or says nothing of the kind, is skipped.
    mutating func note(line: ArraySlice<UInt8>, _ parser: JSONParser) {
        try? parser.withParsed(line) { root in
            if let id = root[name: "announces"]?.utf8.flatMap(ULID.init(bytes:)) {
                if let checksum = root[name: "sha256"]?.string, let deliverer = Deliverer(root) {
                    noteAnnounced(id, checksum, by: deliverer)
                }
                return
            }
            guard let id = root[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) else { return }
            let checksum = root[name: "sha256"]?.string ?? ""
            if root[name: "removed_at"] != nil {
                noteRemoved(id)
            } else if root[name: "kept_at"] != nil {
                noteKept(id)
            } else if root[name: "dropped_at"] != nil {
                noteDropped(id, checksum)
            } else {
                let journal = root[name: "session_id"] ?? root[name: "journal_id"]
                noteApplied(
                    id, checksum, journal?.utf8.flatMap(ULID.init(bytes:)), deliveredBy: Deliverer(root))
            }
        }
    }

    mutating func noteAnnounced(_ id: ULID, _ checksum: String, by deliverer: Deliverer) {
        announced[id] = (Checksum(checksum), deliverer)
    }

    mutating func noteApplied(
        _ id: ULID, _ checksum: String, _ session: ULID?, deliveredBy deliverer: Deliverer?
    ) {
        let sum = checksum.isEmpty ? nil : Checksum(checksum)
        var memory = Memory(checksum: sum, isApplied: true)
        if let session { memory.session = sessions.add(session) }
        // An entry that is put back keeps the deliverer that it had first; another of its id has its own, or none.
        let before = memories[id].flatMap { sum != nil && $0.checksum == sum ? $0.deliverer : nil }
        memory.deliverer = deliverer.map { deliverers.add($0) } ?? before ?? .none
        memories[id] = memory
        announced[id] = nil
        // Once one is applied, any other entry of its id is a conflict, dropped before or not.
        if sum != nil { dropped[id] = nil }
    }

    mutating func noteRemoved(_ id: ULID) {
        var memory = memories[id] ?? Memory()
        memory.isApplied = true
        memory.isRemoved = true
        memories[id] = memory
    }

    /// What was known of the id before its removal was noted.
    mutating func noteKept(_ id: ULID) {
        memories[id]?.isRemoved = false
        // That of a record which no entry brought is there for its removal alone.
        if let memory = memories[id], memory.checksum == nil, memory.session == .none { memories[id] = nil }
    }

    mutating func noteDropped(_ id: ULID, _ checksum: String) {
        dropped[id, default: []].insert(Checksum(checksum))
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
        guard let number = sessions.number(of: session) else { return [] }
        return Set(memories.lazy.filter { $0.value.session == number && !$0.value.isRemoved }.map(\.key))
    }

    /// The session into which an entry was applied.
    func session(of id: ULID) -> ULID? { memories[id].flatMap { sessions[$0.session] } }

    /// Whether the user removed the record of that id.
    package func isRemoved(_ id: ULID) -> Bool { memories[id]?.isRemoved ?? false }

    /// Whether the user dropped this entry.
    func isDropped(_ entry: SpoolEntry) -> Bool {
        guard let sums = dropped[entry.id] else { return false }
        return Self.checksums(of: entry).contains { sums.contains($0) }
    }

    /// Who delivered the record of that id into a journal; nil if it did not come over the network, or the ledger does not know it.
    ///
    /// Another journal may have a record of the same id, which nobody has delivered.
    package func deliverer(of id: ULID, in journal: ULID) -> Deliverer? {
        guard let memory = memories[id], sessions[memory.session] == journal else { return nil }
        return deliverers[memory.deliverer]
    }

    /// Who was about to have an entry written, as far as it is not noted as applied.
    func announcer(of entry: SpoolEntry) -> Deliverer? {
        guard let known = announced[entry.id], known.checksum == Checksum(Self.checksum(of: entry)) else {
            return nil
        }
        return known.deliverer
    }

    /// Of what must not change between two deliveries of one entry: what its payload means, and not how it is spelled.
    static func checksum(of entry: SpoolEntry) -> String {
        checksum(of: entry, JSONText.canonical(entry.payload) ?? entry.payload)
    }

    private static func checksum(of entry: SpoolEntry, _ payload: [UInt8]) -> String {
        let text = Array("\(entry.kind.rawValue) \(entry.journalID) ".utf8) + payload
        return hexadecimal(SHA256.hash(data: text))
    }

    /// Those by which a line may know an entry: that of today, and that of the bytes of its payload, which older lines have.
    private static func checksums(of entry: SpoolEntry) -> some Sequence<Checksum> {
        [{ checksum(of: entry) }, { checksum(of: entry, entry.payload) }].lazy.map { Checksum($0()) }
    }
}

extension SpoolEntry {
    /// What must not change between two deliveries of it.
    var checksum: String { LedgerContents.checksum(of: self) }
}
