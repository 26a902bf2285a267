/// What the index and the rules across lines keep of a line.
package struct RecordSummary: Sendable, Equatable {
    package let kind: EntryKind
    /// 1-based line number.
    package var line: Int
    /// Bytes from the start of the file, and the length of the line without its break.
    package var byteOffset: Int
    package var byteLength: Int
    /// Nil if the line has no valid id.
    package var id: ULID?
    /// An id that is no ULID, of a kind that has others.
    package var otherID: String?
    /// The id of what it is about.
    package var subject: String?
    package var offset: SessionOffset?
    package var duration: SessionOffset?
    package var createdAt: Timestamp?
    /// Of a timeline entry: when it happened, as its line says.
    package var wallTime: Timestamp?
    /// The voice note of a marker, or the marker of a voice note.
    package var reference: ULID?
    /// A timeline entry's kind, or an action run's status.
    package var detail: String?
    /// A marker's label, a voice note's transcript, a segment's text, or an action's name.
    package var text: String?
    /// A marker's note, or an action run's error.
    package var note: String?
    /// Of a voice note.
    package var mediaPath: String?
    package var tags: [String] = []

    package init(
        kind: EntryKind, line: Int, byteOffset: Int, byteLength: Int, id: ULID? = nil,
        offset: SessionOffset? = nil,
        duration: SessionOffset? = nil, createdAt: Timestamp? = nil, wallTime: Timestamp? = nil,
        reference: ULID? = nil, detail: String? = nil,
        text: String? = nil, note: String? = nil, mediaPath: String? = nil, tags: [String] = []
    ) {
        self.kind = kind
        self.line = line
        self.byteOffset = byteOffset
        self.byteLength = byteLength
        self.id = id
        self.offset = offset
        self.duration = duration
        self.createdAt = createdAt
        self.wallTime = wallTime
        self.reference = reference
        self.detail = detail
        self.text = text
        self.note = note
        self.mediaPath = mediaPath
        self.tags = tags
    }
}

/// The same without a copy: texts are UTF-8 where the checker keeps them, valid until it checks the next line.
package struct RecordFields {
    package let id: ULID?
    package let offset, duration: SessionOffset?
    package let createdAt, wallTime: Timestamp?
    package let reference: ULID?
    package let subject, detail, text, note, mediaPath: UnsafeRawBufferPointer?
    package let tags: JSONValue.Elements?
}

/// Extracts a ``RecordSummary`` from checked records of one kind.
package struct RecordSummarizer: Sendable {
    private let kind: EntryKind
    private let offset, duration, createdAt, wallTime, reference, subject, detail, text, note, mediaPath,
        tags: Int?
    /// Whether the offset is written as a moment.
    private let isMoment: Bool

    package init(_ schema: RecordSchema) {
        let columns = schema.columns
        kind = schema.kind
        offset = schema.slotIfPresent(columns.offset)
        duration = schema.slotIfPresent(columns.duration)
        createdAt = schema.slotIfPresent(columns.createdAt)
        wallTime = schema.slotIfPresent(columns.wallTime)
        reference = schema.slotIfPresent(columns.reference)
        subject = schema.slotIfPresent(columns.subject)
        detail = schema.slotIfPresent(columns.detail)
        text = schema.slotIfPresent(columns.text)
        note = schema.slotIfPresent(columns.note)
        mediaPath = schema.slotIfPresent(columns.mediaPath)
        tags = schema.slotIfPresent(columns.tags)
        isMoment = schema.hasMoments
    }

    /// What is kept of a record, as it is in the checker's memory.
    func fields(of record: RecordChecker.Record) -> RecordFields {
        RecordFields(
            id: record.id, offset: offset(of: record), duration: milliseconds(duration, record),
            createdAt: value(createdAt, record)?.timestamp, wallTime: value(wallTime, record)?.timestamp,
            reference: reference(of: record), subject: value(subject, record)?.utf8,
            detail: value(detail, record)?.utf8, text: value(text, record)?.utf8,
            note: value(note, record)?.utf8, mediaPath: value(mediaPath, record)?.utf8,
            tags: tags(of: record))
    }

    package func summary(of record: RecordChecker.Record, on line: Line) -> RecordSummary {
        let fields = fields(of: record)
        func string(_ bytes: UnsafeRawBufferPointer?) -> String? {
            bytes.map { String(decoding: $0, as: UTF8.self) }
        }
        return RecordSummary(
            kind: kind, line: line.number, byteOffset: line.offset, byteLength: line.content.count,
            id: fields.id, offset: fields.offset, duration: fields.duration, createdAt: fields.createdAt,
            wallTime: fields.wallTime, reference: fields.reference, detail: string(fields.detail),
            text: string(fields.text),
            note: string(fields.note), mediaPath: string(fields.mediaPath),
            tags: fields.tags?.compactMap(\.string) ?? [])
    }

    func offset(of record: RecordChecker.Record) -> SessionOffset? {
        guard isMoment else { return milliseconds(offset, record) }
        let moment = value(offset, record)?.timestamp?.milliseconds ?? -1
        return moment < 0 ? nil : SessionOffset(milliseconds: moment)
    }

    func tags(of record: RecordChecker.Record) -> JSONValue.Elements? { value(tags, record)?.elements }
    func reference(of record: RecordChecker.Record) -> ULID? {
        value(reference, record)?.utf8.flatMap(ULID.init(bytes:))
    }

    private func value(_ slot: Int?, _ record: RecordChecker.Record) -> JSONValue? {
        slot.flatMap { record[$0] }
    }

    private func milliseconds(_ slot: Int?, _ record: RecordChecker.Record) -> SessionOffset? {
        guard let count = value(slot, record)?.integer, count >= 0 else { return nil }
        return SessionOffset(milliseconds: count)
    }
}

extension JSONValue {
    /// The moment that a string represents, or nil.
    package var timestamp: Timestamp? {
        guard let utf8, case .moment(let moment) = Timestamp.read(utf8) else { return nil }
        return moment
    }
}
