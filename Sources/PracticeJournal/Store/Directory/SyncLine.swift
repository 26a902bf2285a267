internal import RecordFormat

/// A line of `sync.jsonl`: a write of ours, what a device says, or a document that stood there.
///
/// Each has the checksums of the document before and after. A write begins with its id, and has the changes
/// (``DocumentChange/json(in:)``). What a device says is the difference between what it brings and what it had, as a state
/// (``SyncState/json``). A log that was shortened has a state of all lines that it had (``SyncSnapshot``). A whole document is there where a log begins, and where what others wrote can't be compared: what it says is its
/// difference to what the lines before it come to.
///
/// Source: docs/spec/practice.md#each-line-of-syncjsonl.
struct SyncLine {
    let stamp: SyncStamp
    /// What our next stamp is to be later than; of a write, its own.
    let clock: SyncStamp?
    /// SHA-256 of the document; nil before there was one.
    let before: String?
    let after: String
    /// Of a write.
    let write: Write?
    /// When it was written, in milliseconds; of a write, its stamp's.
    let written: Int64
    /// Whether it has a state.
    let hasState: Bool

    /// Whether it has what another program says that has written the document in its place.
    var isOfDocument: Bool { hasState && stamp.device == SyncStamp.documentDevice }

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
        written = root[name: "at"]?.integer ?? stamp.milliseconds
        hasState = root[name: "state"] != nil
        if let id = root[name: "write"]?.utf8.flatMap(ULID.init(bytes:)) {
            write = Write(
                id: id, kind: root[name: "kind"]?.string ?? "", checksum: root[name: "sha256"]?.string)
            clock = stamp
        } else {
            write = nil
            clock = root[name: "clock"].flatMap(SyncStamp.init)
        }
    }

    /// - Parameter state: What the device says.
    static func text(
        of state: SyncState, _ stamp: SyncStamp, at now: Timestamp, clock: SyncStamp?, before: String?,
        after: String
    ) -> [UInt8] {
        JSONText.object { object in
            object.member("stamp", stamp.json)
            object.member("at", JSONText(now.milliseconds))
            object.member("clock", clock?.json)
            object.member("before", before.map { JSONText($0) })
            object.member("after", after)
            object.member("state", state.json)
        }.bytes
    }

    /// - Parameters:
    ///   - state: What all lines came to.
    ///   - document: SHA-256 of the document that they end with.
    ///   - earlier: When the documents before it were written that no other line names, in milliseconds, by their checksums.
    static func text(
        ofSnapshot state: SyncState, _ stamp: SyncStamp, at written: Int64, clock: SyncStamp?,
        document: String, earlier: [String: Int64]
    ) -> [UInt8] {
        JSONText.object { object in
            object.member("stamp", stamp.json)
            object.member("at", JSONText(written))
            object.member("clock", clock?.json)
            object.member("before", document)
            object.member("after", document)
            // Versions that did not keep what values there were have not written this.
            object.member("complete", state.lacksPast ? nil : JSONText(true))
            object.member(
                "documents",
                .object { documents in
                    for (checksum, written) in earlier.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) })
                    {
                        documents.member(checksum, JSONText(written))
                    }
                })
            object.member("state", state.json)
        }.bytes
    }

    /// The changes of a write.
    static func change(in line: [UInt8]) -> DocumentChange? {
        let read = try? JSONParser().withParsed(line) { root in
            root[name: "changes"].flatMap { DocumentChange($0, spelledIn: line) }
        }
        return read ?? nil
    }
}
