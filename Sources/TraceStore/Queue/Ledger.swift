internal import Crypto
internal import Glibc
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
/// not written.
package struct LedgerContents: Sendable {
    private var memories: [ULID: Memory] = [:]

    static let file: FilePath.Component = "applied.jsonl"

    private struct Memory {
        /// The checksum of the entry that was applied, empty if a line has none.
        var applied: String?
        /// The session into which it was applied.
        var session: ULID?
        var isRemoved = false
        var dropped: Set<String> = []
    }

    /// Nothing.
    static let empty = LedgerContents()

    private init() {}

    /// Reads the ledger of a state directory.
    ///
    /// - Throws: ``FileError``.
    package init(in directory: OpenDirectory) throws {
        guard let contents = try directory.readFile(Self.file, limit: 1 << 30) else { return }
        let parser = try JSONParser()
        for line in contents.contents.split(separator: newline) {
            try? parser.withParsed(line) { root in
                guard let id = root[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) else { return }
                let checksum = root[name: "sha256"]?.string ?? ""
                if root[name: "removed_at"] != nil {
                    noteRemoved(id)
                } else if root[name: "dropped_at"] != nil {
                    noteDropped(id, checksum)
                } else {
                    noteApplied(id, checksum, root[name: "session_id"]?.utf8.flatMap(ULID.init(bytes:)))
                }
            }
        }
    }

    fileprivate mutating func noteApplied(_ id: ULID, _ checksum: String, _ session: ULID?) {
        memories[id, default: Memory()].applied = checksum
        memories[id]?.session = session
        memories[id]?.isRemoved = false
        memories[id]?.dropped.remove(checksum)
    }

    fileprivate mutating func noteRemoved(_ id: ULID) {
        var memory = memories[id] ?? Memory()
        memory.applied = memory.applied ?? ""
        memory.isRemoved = true
        memories[id] = memory
    }

    fileprivate mutating func noteDropped(_ id: ULID, _ checksum: String) {
        memories[id, default: Memory()].dropped.insert(checksum)
    }

    /// Whether an entry of that id has been applied, or its record removed.
    package func contains(_ id: ULID) -> Bool { memories[id]?.applied != nil }

    /// Whether it is this entry that has been applied, and not another of its id.
    package func contains(_ entry: SpoolEntry) -> Bool {
        memories[entry.id]?.applied.map { $0.isEmpty || $0 == Self.checksum(of: entry) } ?? false
    }

    /// The entries that have been applied to a session, and whose records the user did not remove.
    func applied(to session: ULID) -> Set<ULID> {
        Set(memories.lazy.filter { $0.value.session == session && !$0.value.isRemoved }.map(\.key))
    }

    /// Whether the user removed the record of that id.
    package func isRemoved(_ id: ULID) -> Bool { memories[id]?.isRemoved ?? false }

    /// Whether the user dropped this entry.
    package func isDropped(_ entry: SpoolEntry) -> Bool {
        memories[entry.id]?.dropped.contains(Self.checksum(of: entry)) ?? false
    }

    /// Of what must not change between two deliveries of one entry.
    fileprivate static func checksum(of entry: SpoolEntry) -> String {
        let text = Array("\(entry.kind.rawValue) \(entry.sessionID) ".utf8) + entry.payload
        return hexadecimal(SHA256.hash(data: text))
    }
}

/// The ledger of a locked state directory, to which lines are added.
package struct Ledger {
    private let lock: DirectoryLock
    /// What it says.
    package private(set) var contents: LedgerContents

    /// Reads the ledger of the locked state directory.
    ///
    /// - Throws: ``FileError``.
    package init(in lock: DirectoryLock) throws {
        self.lock = lock
        contents = try LedgerContents(in: lock.directory)
    }

    /// Whether an entry of that id has been applied.
    package func contains(_ id: ULID) -> Bool { contents.contains(id) }

    /// Whether it is this entry that has been applied, and not another of its id.
    package func contains(_ entry: SpoolEntry) -> Bool { contents.contains(entry) }

    /// Notes that an entry has been applied.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    package mutating func add(_ entry: SpoolEntry, at time: Timestamp) throws {
        let isKnown = contains(entry.id) && !contents.isRemoved(entry.id) && !contents.isDropped(entry)
        guard !isKnown else { return }
        let checksum = LedgerContents.checksum(of: entry)
        try append(entry, checksum, "applied_at", time)
        contents.noteApplied(entry.id, checksum, entry.sessionID)
    }

    /// Notes that the user dropped an entry: delivered once more, it is not written.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    package mutating func addDropped(_ entry: SpoolEntry, at time: Timestamp) throws {
        guard !contents.isDropped(entry) else { return }
        let checksum = LedgerContents.checksum(of: entry)
        try append(entry, checksum, "dropped_at", time)
        contents.noteDropped(entry.id, checksum)
    }

    /// Notes that the user removes the records of these ids: no entry brings them back.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return, with one sync for all.
    package mutating func addRemoved(_ ids: some Sequence<ULID>, at time: Timestamp) throws {
        let new = Set(ids.filter { !contents.isRemoved($0) }).sorted()
        guard !new.isEmpty else { return }
        let lines = new.map { id in
            JSONText.object { object in
                object.member("id", JSONText(id))
                object.member("removed_at", JSONText(time))
            }.bytes
        }
        _ = try lock.appendLines(
            Array((lines + [[]]).joined(separator: [newline])), count: lines.count, to: LedgerContents.file,
            isWholeRecord: RecordCheck.isObject
        ) { line in
            lines.contains { $0.elementsEqual(line) }
        }
        for id in new { contents.noteRemoved(id) }
    }

    private func append(
        _ entry: SpoolEntry, _ checksum: String, _ what: String, _ time: Timestamp
    ) throws {
        try append(
            JSONText.object { object in
                object.member("id", JSONText(entry.id))
                object.member("kind", JSONText(entry.kind.rawValue))
                object.member("session_id", JSONText(entry.sessionID))
                object.member("sha256", JSONText(checksum))
                object.member(what, JSONText(time))
            })
    }

    private func append(_ line: JSONText) throws {
        _ = try lock.appendLine(line.bytes, to: LedgerContents.file, isWholeRecord: RecordCheck.isObject)
    }
}
