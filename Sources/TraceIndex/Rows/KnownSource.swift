internal import GRDB
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// The index's row of a source: its key, and the state in which its files were read.
struct KnownSource {
    let id: Int64
    let kind: JournalKind
    var rootID: Int64?
    /// By slot, as far as there are any.
    private var files: [KnownFile?] = []

    init(id: Int64, kind: JournalKind, rootID: Int64?) {
        self.id = id
        self.kind = kind
        self.rootID = rootID
    }

    subscript(slot: FileSlot) -> KnownFile? {
        get { slot.number < files.count ? files[slot.number] : nil }
        set {
            if slot.number >= files.count {
                files += Array(repeating: nil, count: slot.number + 1 - files.count)
            }
            files[slot.number] = newValue
        }
    }

    /// Whether a file is as it was read, so that nothing is to be done about it.
    func isCurrent(_ slot: FileSlot, _ seen: JournalSnapshot.FileState, _ verification: Verification) -> Bool
    {
        switch (seen, self[slot]) {
        case (.absent, nil): return true
        case (.present(let identity), let known?), (.leadsNowhere(let identity), let known?):
            guard IndexedIdentity(identity) == known.identity, !known.isInTransit else { return false }
            return known.isProven || (verification == .quick && known.isLarge)
        default: return false
        }
    }

    /// Whether all files are.
    func isCurrent(_ snapshot: JournalSnapshot, _ verification: Verification) -> Bool {
        kind == snapshot.format.layout.kind
            && snapshot.slots.allSatisfy { isCurrent(FileSlot($0), snapshot[FileSlot($0)], verification) }
    }

    /// Whether nothing is left to be looked at while no file changes.
    var isSettled: Bool {
        files.allSatisfy { file in file.map { $0.isProven && !$0.isInTransit } ?? true }
    }
}

/// What the index keeps of a file's identity, which is for telling whether the file is the same as before and for nothing
/// else: of its times it has the stamps, out of which no moment can be made.
struct IndexedIdentity: Equatable {
    let device, inode, size, modified, changed: Int64

    init(device: Int64, inode: Int64, size: Int64, modified: Int64, changed: Int64) {
        (self.device, self.inode, self.size) = (device, inode, size)
        (self.modified, self.changed) = (modified, changed)
    }

    init(_ identity: FileIdentity) {
        self.init(
            device: Int64(bitPattern: identity.device), inode: Int64(bitPattern: identity.inode),
            size: identity.size, modified: identity.modified.stamp, changed: identity.changed.stamp)
    }

    /// Whether both are states of one and the same file, whatever its contents.
    func isSameFile(as other: FileIdentity) -> Bool {
        device == Int64(bitPattern: other.device) && inode == Int64(bitPattern: other.inode)
    }
}

/// The row of a file.
struct KnownFile {
    let id: Int64
    /// The file as it was before it was read; nil if it could not be read to its end.
    var identity: IndexedIdentity?
    /// Whether the rows are what the file held, and no change can have left the same identity.
    var isProven = false
    /// Whether its last line was taken for one that is still being written, a judgement that time alone
    /// changes.
    var isInTransit = false
    var resumePoint = RecordStream.ResumePoint.start
    /// The number of ids among its records.
    var idCount = 0

    /// Whether comparing all that is indexed would be felt right after an event.
    var isLarge: Bool { resumePoint.byteOffset > 1 << 20 }
}

extension KnownSource {
    /// What is known of the source at `path`.
    init?(_ database: Database, at path: FilePath) throws {
        var found: KnownSource?
        try database.query("SELECT \(Self.columns) WHERE source.path = ?").with(path.bytes).forEach {
            row in
            if found == nil {
                found = KnownSource(
                    id: row.int(0), kind: JournalKind(name: row.text(15) ?? ""), rootID: row.optionalInt(1))
            }
            try found?.take(row)
        }
        guard let found else { return nil }
        self = found
    }

    private static let columns = """
        source.id, source.root_id, file.id, file.slot, device, inode, size, modified_ns, changed_ns,
        is_proven, is_in_transit, bytes_indexed, next_line, last_offset_ms, id_count, source.kind
        FROM source LEFT JOIN file ON file.source_id = source.id
        """

    /// More files than any kind of journal has.
    private static let mostSlots: Int64 = 64

    private mutating func take(_ row: Query.Columns) throws {
        guard let id = row.optionalInt(2) else { return }
        guard (0..<Self.mostSlots).contains(row.int(3)) else {
            throw IndexDamage(description: "a file that no kind of journal has")
        }
        let slot = FileSlot(Int(row.int(3)))
        var file = KnownFile(id: id)
        if let device = row.optionalInt(4) {
            file.identity = IndexedIdentity(
                device: device, inode: row.int(5), size: row.int(6), modified: row.int(7), changed: row.int(8)
            )
        }
        file.isProven = row.bool(9)
        file.isInTransit = row.bool(10)
        file.resumePoint = RecordStream.ResumePoint(
            byteOffset: Int(row.int(11)), lineNumber: Int(row.int(12)),
            lastOffset: row.optionalInt(13).map(SessionOffset.init(milliseconds:)))
        file.idCount = Int(row.int(14))
        guard file.resumePoint.byteOffset >= 0, file.resumePoint.lineNumber > 0 else {
            throw IndexDamage(description: "a file that was read to before its start")
        }
        self[slot] = file
    }
}

extension KnownSource {
    /// A new row for the journal at `path`.
    static func insert(_ path: FilePath, _ kind: JournalKind, in database: Database) throws -> KnownSource {
        try database.query("INSERT INTO source (kind, path, state) VALUES (?, ?, ?)").with(
            kind.name, path.bytes, JournalHeader.State.open.rawValue
        ).run()
        return KnownSource(id: database.lastInsertedRowID, kind: kind, rootID: nil)
    }

    /// Notes the root below which the source lies.
    mutating func move(to root: Int64, in database: Database) throws {
        try database.query("UPDATE source SET root_id = ? WHERE id = ?").with(root, id).run()
        rootID = root
    }

    /// Removes all rows of the source.
    func delete(from database: Database) throws {
        for case let file? in files { try file.delete(from: database) }
        for table in SessionRow.tables + ["shared_id", "finding"] {
            try database.query("DELETE FROM \(table) WHERE source_id = ?").with(id).run()
        }
        try database.query("DELETE FROM source WHERE id = ?").with(id).run()
    }
}

extension KnownFile {
    /// A new row for a file of a source.
    ///
    /// - Parameter isSearched: Whether the texts of its records are found by a search.
    static func insert(
        _ slot: FileSlot, isSearched: Bool = false, of source: Int64, in database: Database
    ) throws -> KnownFile {
        try database.query(
            """
            INSERT INTO file (source_id, slot, is_searched, is_proven, is_in_transit, bytes_indexed, next_line, id_count,
                rows_since, read_since)
            VALUES (?, ?, ?, 0, 0, 0, 1, 0, \(IndexRevision.next), \(IndexRevision.next))
            """
        ).with(source, slot.number, isSearched).run()
        return KnownFile(id: database.lastInsertedRowID)
    }

    /// Writes the row.
    func update(in database: Database) throws {
        try database.query(
            """
            UPDATE file SET device = ?, inode = ?, size = ?, modified_ns = ?, changed_ns = ?, is_proven = ?,
                is_in_transit = ?, bytes_indexed = ?, next_line = ?, last_offset_ms = ?, id_count = ? WHERE id = ?
            """
        ).with(
            identity?.device, identity?.inode, identity?.size, identity?.modified, identity?.changed,
            isProven,
            isInTransit, resumePoint.byteOffset, resumePoint.lineNumber, resumePoint.lastOffset?.milliseconds,
            idCount, id
        ).run()
    }

    /// Removes all that was read from the file, and its row too.
    func delete(from database: Database) throws {
        try deleteContents(from: database)
        try database.query("DELETE FROM file WHERE id = ?").with(id).run()
    }

    /// Removes all that was read from the file.
    func deleteContents(from database: Database) throws {
        try SearchText(database: database).remove(file: id)
        let keys = RecordKey.range(ofFile: id)
        try database.query("DELETE FROM record WHERE id BETWEEN ? AND ?").with(
            keys.lowerBound, keys.upperBound
        ).run()
        try database.query(
            "DELETE FROM finding WHERE source_id = (SELECT source_id FROM file WHERE id = ?1) AND file_id = ?1"
        ).with(id).run()
        try database.query("DELETE FROM block WHERE file_id = ?").with(id).run()
        try Self.noteChangedRows("id = ?", id, in: database)
        try database.query("UPDATE file SET read_since = \(IndexRevision.next) WHERE id = ?").with(id).run()
    }

    /// Notes that rows of files have changed that were there before, by this transaction.
    static func noteChangedRows(
        _ condition: String, _ argument: Int64, in database: Database
    ) throws {
        try database.query("UPDATE file SET rows_since = \(IndexRevision.next) WHERE \(condition)").with(
            argument
        ).run()
    }
}
