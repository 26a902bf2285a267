internal import Glibc
internal import SystemPackage
package import TraceFormat

/// The ids of the entries that have been applied, so that a record which the user deleted does not come back when its
/// entry is delivered once more.
///
/// One JSON object a line in `applied.jsonl` of the state directory; a torn last line is a line that was not written.
package struct Ledger {
    private let lock: DirectoryLock
    private var applied: Set<ULID> = []

    private static let file: FilePath.Component = "applied.jsonl"

    /// Reads the ledger of the locked state directory.
    ///
    /// - Throws: ``StoreError``.
    package init(in lock: DirectoryLock) throws {
        self.lock = lock
        guard let contents = try lock.directory.readFile(Self.file, limit: 1 << 30) else { return }
        let parser = try JSONParser()
        for line in contents.contents.split(separator: UInt8(ascii: "\n")) {
            let id = try? parser.withParsed(line) { $0[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) }
            if let id = id ?? nil { applied.insert(id) }
        }
    }

    /// Whether the entry of that id has been applied.
    package func contains(_ id: ULID) -> Bool { applied.contains(id) }

    /// Notes that an entry has been applied.
    ///
    /// - Throws: ``StoreError``.
    /// - Note: Durable on return.
    package mutating func add(_ entry: SpoolEntry, at time: Timestamp) throws {
        guard !applied.contains(entry.id) else { return }
        let line = JSONText.object { object in
            object.member("id", JSONText(entry.id))
            object.member("kind", JSONText(entry.kind.rawValue))
            object.member("session_id", JSONText(entry.sessionID))
            object.member("applied_at", JSONText(time))
        }
        _ = try lock.appendLine(line.bytes, to: Self.file, isWholeRecord: RecordCheck.isObject)
        applied.insert(entry.id)
    }
}
