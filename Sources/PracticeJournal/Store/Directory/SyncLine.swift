internal import RecordFormat

/// When something was said, and by whom: what decides between two values of one member.
///
/// Source: practice.md, section 12.
struct SyncStamp: Equatable, Comparable {
    /// Of the clock of who said it.
    var milliseconds: Int64
    /// What keeps the order of what is said within a millisecond, and while a clock goes back.
    var counter: Int64
    /// The device; empty for what was there before anybody was noted.
    var device: String

    /// What this product writes has this name, on every machine.
    static let ownDevice = "trace"
    /// Who writes the document in its place without saying who they are: an app, an editor, a sync tool.
    static let documentDevice = "document"

    static func < (one: SyncStamp, other: SyncStamp) -> Bool {
        (one.milliseconds, one.counter, one.device) < (other.milliseconds, other.counter, other.device)
    }

    /// The next of our own stamps: later than the last one, whatever the clock says.
    static func own(after last: SyncStamp?, at now: Timestamp) -> SyncStamp {
        guard let last, now.milliseconds <= last.milliseconds else {
            return SyncStamp(milliseconds: now.milliseconds, counter: 0, device: ownDevice)
        }
        return SyncStamp(
            milliseconds: last.milliseconds, counter: last.counter + 1, device: ownDevice)
    }

    var json: JSONText {
        .array([JSONText(milliseconds), JSONText(counter), JSONText(device)])
    }

    init(milliseconds: Int64, counter: Int64, device: String) {
        self.milliseconds = milliseconds
        self.counter = counter
        self.device = device
    }

    init?(_ value: JSONValue) {
        let parts = Array(value.elements)
        guard parts.count == 3, let milliseconds = parts[0].integer, let counter = parts[1].integer,
            let device = parts[2].string
        else { return nil }
        self.init(milliseconds: milliseconds, counter: counter, device: device)
    }
}

/// A line of `sync.jsonl`: a write of ours, or a document that others have written.
///
/// A write begins with its id, has the checksums of the document before and after, and the changes (``DocumentChange/json(in:)``). What
/// others have written is there as a whole document: what it says is its difference to what the lines before it come to, with its stamp.
///
/// Source: practice.md, section 12.
struct SyncLine {
    let stamp: SyncStamp
    /// The last of our own stamps before this line; of a write, its own.
    let clock: SyncStamp?
    /// SHA-256 of the document; nil before there was one.
    let before: String?
    let after: String
    /// Of a write.
    let write: Write?

    struct Write {
        /// The id of the entry; of an undo, an id of its own.
        let id: ULID
        /// As entries name it, or `undo`, `repair`, ….
        let kind: String
        /// What must not change between two deliveries of the entry.
        let checksum: String?
    }

    /// What every line of a write begins with.
    static let writePrefix = Array(#"{"write":""#.utf8)

    /// What the line of a write begins with.
    static func prefix(of write: ULID) -> [UInt8] { writePrefix + write.bytes + Array(#"""#.utf8) }

    /// - Parameter changes: As ``DocumentChange/json(in:)`` has them.
    static func text(
        of write: Write, _ stamp: SyncStamp, before: String?, after: String, changes: JSONText
    ) -> [UInt8] {
        JSONText.object { object in
            object.member("write", JSONText(write.id))
            object.member("kind", write.kind)
            object.member("sha256", write.checksum.map { JSONText($0) })
            object.member("stamp", stamp.json)
            object.member("before", before.map { JSONText($0) })
            object.member("after", after)
            object.member("changes", changes)
        }.bytes
    }

    /// - Parameter document: The whole text of it.
    static func text(
        ofDocument document: [UInt8], _ stamp: SyncStamp, clock: SyncStamp?, before: String?, after: String
    ) -> [UInt8] {
        let mark = PracticeDocument.byteOrderMark
        let text = document.starts(with: mark) ? Array(document.dropFirst(mark.count)) : document
        return JSONText.object { object in
            object.member("stamp", stamp.json)
            object.member("clock", clock?.json)
            object.member("before", before.map { JSONText($0) })
            object.member("after", after)
            object.member("document", JSONText(verbatim: JSONText.compacted(text)))
        }.bytes
    }

    /// Nil if the line is not one.
    init?(_ line: [UInt8]) {
        guard let read = (try? JSONParser().withParsed(line) { SyncLine($0) }) ?? nil else { return nil }
        self = read
    }

    private init?(_ root: JSONValue) {
        guard let stamp = root[name: "stamp"].flatMap(SyncStamp.init),
            let after = root[name: "after"]?.string
        else { return nil }
        self.stamp = stamp
        self.after = after
        before = root[name: "before"]?.string
        if let id = root[name: "write"]?.utf8.flatMap(ULID.init(bytes:)) {
            write = Write(
                id: id, kind: root[name: "kind"]?.string ?? "", checksum: root[name: "sha256"]?.string)
            clock = stamp
        } else {
            write = nil
            clock = root[name: "clock"].flatMap(SyncStamp.init)
        }
    }

    /// The changes of a write.
    static func change(in line: [UInt8]) -> DocumentChange? {
        let read = try? JSONParser().withParsed(line) { root in
            root[name: "changes"].flatMap { DocumentChange($0, spelledIn: line) }
        }
        return read ?? nil
    }
}
