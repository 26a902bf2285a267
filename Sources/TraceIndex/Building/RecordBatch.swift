internal import RecordFormat
internal import TraceStore

/// What is in a stretch of a file of records, as it goes to the database: for lines, from the thread that reads to the one that writes.
///
/// Texts lie one after the other in one memory, as SQLite gets them: no string is made of any.
struct RecordBatch: Sendable {
    private(set) var rows: [Row] = []
    private(set) var findings: [Finding] = []
    /// The texts of the rows, in UTF-8.
    private(set) var bytes: [UInt8] = []

    /// A record.
    struct Row: Sendable {
        /// Its line; of a document, a number that no other record of the file has.
        var line: Int
        var byteOffset, byteLength: Int
        var isAuthoritative: Bool
        var offset, duration, createdAt, wallTime: Int64?
        var id, reference, subject, detail, text, note, mediaPath, tags: Text
    }

    /// A text's place in ``bytes``, or none.
    struct Text: Sendable {
        fileprivate var range: Range<Int>?

        /// The text, in the memory of ``RecordBatch/bytes``.
        func bytes(in memory: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
            range.map { UnsafeRawBufferPointer(rebasing: memory[$0]) }
        }
    }

    private static let rowLimit = 512
    private static let byteLimit = 256 << 10

    /// A batch with room for what it will hold; a short reading needs little.
    init(isFirst: Bool) {
        guard !isFirst else { return }
        rows.reserveCapacity(Self.rowLimit)
        bytes.reserveCapacity(Self.byteLimit)
    }

    var isEmpty: Bool { rows.isEmpty && findings.isEmpty }
    /// Whether it is time to hand it over.
    var isFull: Bool {
        rows.count >= Self.rowLimit || findings.count >= Self.rowLimit || bytes.count >= Self.byteLimit
    }

    mutating func add(_ finding: Finding) { findings.append(finding) }

    mutating func add(_ line: CheckedLine) {
        let fields = line.fields
        rows.append(
            Row(
                line: line.line.number, byteOffset: line.line.offset, byteLength: line.line.content.count,
                isAuthoritative: fields.id != nil, offset: fields.offset?.milliseconds,
                duration: fields.duration?.milliseconds,
                createdAt: fields.createdAt?.milliseconds, wallTime: fields.wallTime?.milliseconds,
                id: text(fields.id),
                reference: text(fields.reference), subject: text(fields.subject), detail: text(fields.detail),
                text: text(fields.text),
                note: text(fields.note), mediaPath: text(fields.mediaPath), tags: text(fields.tags)))
    }

    /// - Parameter number: What stands for its line.
    mutating func add(_ record: DocumentRecord, number: Int) {
        rows.append(
            Row(
                line: number, byteOffset: record.range.lowerBound, byteLength: record.range.count,
                isAuthoritative: true, offset: record.time?.milliseconds, id: text(record.id),
                reference: text(record.reference), subject: text(record.subject), detail: text(record.detail),
                text: text(record.text), note: text(record.note), mediaPath: Text(),
                tags: text(record.tags.lazy.map(\.utf8))))
    }

    /// Empties it; its memory stays.
    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        findings.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func text(_ id: ULID?) -> Text {
        guard let id else { return Text() }
        let start = bytes.count
        id.append(to: &bytes)
        return Text(range: start..<bytes.count)
    }

    private mutating func text(_ utf8: UnsafeRawBufferPointer?) -> Text {
        guard let utf8 else { return Text() }
        let start = bytes.count
        bytes.append(contentsOf: utf8)
        return Text(range: start..<bytes.count)
    }

    private mutating func text(_ text: String?) -> Text {
        guard let text else { return Text() }
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        return Text(range: start..<bytes.count)
    }

    private mutating func text(_ tags: JSONValue.Elements?) -> Text {
        guard let tags else { return Text() }
        return text(tags.lazy.compactMap(\.utf8))
    }

    private mutating func text(_ tags: some Sequence<some Sequence<UInt8>>) -> Text {
        let start = bytes.count
        for tag in tags { TagText.append(tag, isFirst: bytes.count == start, to: &bytes) }
        return bytes.count == start ? Text() : Text(range: start..<bytes.count)
    }
}
