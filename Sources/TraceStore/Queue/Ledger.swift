internal import Crypto
internal import Glibc
internal import SystemPackage
package import TraceFormat

/// The entries that have been applied, so that a record which the user deleted does not come back when its entry is
/// delivered once more, and that another entry of the same id is seen to be another one.
///
/// One JSON object a line in `applied.jsonl` of the state directory; a torn last line is a line that was not written.
package struct Ledger {
    private let lock: DirectoryLock
    /// The checksum of each entry, empty where a line has none.
    private var applied: [ULID: String] = [:]

    private static let file: FilePath.Component = "applied.jsonl"

    /// Reads the ledger of the locked state directory.
    ///
    /// - Throws: ``StoreError``.
    package init(in lock: DirectoryLock) throws {
        self.lock = lock
        guard let contents = try lock.directory.readFile(Self.file, limit: 1 << 30) else { return }
        let parser = try JSONParser()
        for line in contents.contents.split(separator: UInt8(ascii: "\n")) {
            let read = try? parser.withParsed(line) { root -> (ULID, String)? in
                guard let id = root[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) else { return nil }
                return (id, root[name: "sha256"]?.string ?? "")
            }
            if let (id, checksum) = read ?? nil { applied[id] = checksum }
        }
    }

    /// Whether an entry of that id has been applied.
    package func contains(_ id: ULID) -> Bool { applied[id] != nil }

    /// Whether it is this entry that has been applied, and not another of its id.
    package func contains(_ entry: SpoolEntry) -> Bool {
        applied[entry.id].map { $0.isEmpty || $0 == Self.checksum(of: entry) } ?? false
    }

    /// Of what must not change between two deliveries of one entry.
    private static func checksum(of entry: SpoolEntry) -> String {
        let text = Array("\(entry.kind.rawValue) \(entry.sessionID) ".utf8) + entry.payload
        return hexadecimal(SHA256.hash(data: text))
    }

    /// Notes that an entry has been applied.
    ///
    /// - Throws: ``StoreError``.
    /// - Note: Durable on return.
    package mutating func add(_ entry: SpoolEntry, at time: Timestamp) throws {
        guard !contains(entry.id) else { return }
        let checksum = Self.checksum(of: entry)
        let line = JSONText.object { object in
            object.member("id", JSONText(entry.id))
            object.member("kind", JSONText(entry.kind.rawValue))
            object.member("session_id", JSONText(entry.sessionID))
            object.member("sha256", JSONText(checksum))
            object.member("applied_at", JSONText(time))
        }
        _ = try lock.appendLine(line.bytes, to: Self.file, isWholeRecord: RecordCheck.isObject)
        applied[entry.id] = checksum
    }
}
