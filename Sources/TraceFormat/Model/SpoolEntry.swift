public import RecordFormat
internal import TraceText

/// An entry of the offline queue: one record that waits to be written into its session, one change of what is there, or one write
/// that waits for another kind of journal.
///
/// Source: docs/queue.md#an-entry.
public struct SpoolEntry: Sendable, Hashable {
    /// The id of entry, file name and payload, and so the idempotency key.
    public var id: ULID
    /// What it asks for.
    public private(set) var kind: EntryOperation
    /// The journal that it belongs to.
    public var journalID: ULID
    /// When the entry was made.
    public var createdAt: Timestamp
    /// Who made it.
    public var device: String?
    /// The record as it is to be in the session, or what a change or the write of another kind of journal takes: one line of JSON,
    /// without line break.
    package private(set) var payload: [UInt8]
    /// The audio of a voice note.
    public var attachment: Attachment?
    /// Who delivered it, where it came over the network and waits for its session.
    package var deliveredBy: Deliverer?

    /// A file that is next to the entry.
    public struct Attachment: Sendable, Hashable {
        /// Its name in the spool.
        public var name: String
        /// Its length in bytes.
        public var size: Int64
        /// The SHA-256 of its bytes, in lower-case hexadecimal; nil while only an upload still to come can tell: until then no
        /// file counts as the audio.
        public var sha256: String?

        /// A file of that name, length and content.
        public init(name: String, size: Int64, sha256: String?) {
            self.name = name
            self.size = size
            self.sha256 = sha256
        }
    }

    /// Where a voice note's audio belongs, relative to the session directory; nil for other kinds.
    package private(set) var mediaPath: String?

    package init(
        id: ULID, kind: EntryOperation, journalID: ULID, createdAt: Timestamp, device: String? = nil,
        payload: JSONText,
        attachment: Attachment? = nil, deliveredBy: Deliverer? = nil
    ) {
        self.id = id
        self.kind = kind
        self.journalID = journalID
        self.createdAt = createdAt
        self.device = device
        self.payload = payload.bytes
        self.attachment = attachment
        self.deliveredBy = deliveredBy
        guard kind == .voiceNote else { return }
        mediaPath =
            (try? JSONParser().withParsed(payload.bytes) { $0[name: "media_path"]?.string }) ?? nil
    }

    /// The name of the entry's file.
    public var fileName: String { "\(id).json" }

    /// The entry as one JSON text.
    package var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("kind", JSONText(kind.rawValue))
            object.member(kind.journalKey, JSONText(journalID))
            object.member("created_at", JSONText(createdAt))
            object.member("device", device.map { JSONText($0) })
            object.member("payload", JSONText(verbatim: payload))
            object.member("attachment", attachment?.json)
            object.member("delivered_by", deliveredBy?.json)
        }
    }
}

extension SpoolEntry.Attachment {
    fileprivate var json: JSONText {
        .object { object in
            object.member("name", JSONText(name))
            object.member("size", JSONText(size))
            object.member("sha256", sha256.map { JSONText($0) } ?? .null)
        }
    }

    fileprivate init?(_ value: JSONValue) {
        guard let name = value[name: "name"]?.string, let size = value[name: "size"]?.integer, size >= 0,
            let stated = value[name: "sha256"]
        else { return nil }
        // A device that leaves it out has forgotten it; null says that it is not known yet.
        let sha256 = stated.isNull ? nil : stated.string
        guard stated.isNull || sha256.map(Self.isChecksum) == true else { return nil }
        // The name is one path component: an entry must not lead out of its spool.
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")),
            !name.utf8.contains(0)
        else { return nil }
        // Nor may it be the name of another entry, which would go away with this one.
        guard !name.lowercased().hasSuffix(".json") else { return nil }
        self.init(name: name, size: size, sha256: sha256)
    }

    /// Whether a text is a SHA-256 as entries have it: 64 digits in lower-case hexadecimal.
    package static func isChecksum(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}

extension SpoolEntry {
    /// Reads and checks an entry.
    ///
    /// - Parameter name: The ULID in the file's name, which the entry's own must equal.
    /// - Throws: ``FormatError`` with `.jsonMalformed` when the text is not (yet) one JSON object, or
    ///   `.recordInvalid` when it is one, but no entry, or its payload breaks the format.
    package init(parsing text: [UInt8], named name: ULID) throws(FormatError) {
        self = try Self.outer(of: text, named: name)
        try check()
    }

    /// Checks an entry that was made of parts, of which only the payload can be wrong.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid`, as ``init(parsing:named:)``.
    package mutating func check() throws(FormatError) {
        // A line of its own in the spool and in the journal.
        if payload.contains(UInt8(ascii: "\n")) { payload = JSONText.compacted(payload) }
        guard let recordKind = kind.recordKind else {
            // What a change takes is ``SessionChange``'s to know, and what a write of another kind of journal, that journal's format.
            guard attachment == nil else {
                throw Self.invalid("an entry of '\(kind)' has no attachment", "leave attachment out")
            }
            return
        }
        let payload = try Self.payload(payload, of: recordKind)
        if let finding = payload.findings.first(where: { $0.severity == .error }) {
            throw Self.invalid("payload: \(finding.message) [\(finding.rule.id)]", finding.rule.cure)
        }
        mediaPath = payload.mediaPath
        guard payload.id == id else {
            throw Self.invalid(
                "the payload has another id",
                "give entry, payload and file name one id, which no other record has")
        }
        if kind == .voiceNote, attachment == nil {
            throw Self.invalid(
                "a voice note needs its audio as attachment",
                "put the audio next to the entry, and its name, size and sha256 into attachment")
        }
        let started = ActionRun.Status.started.rawValue
        if kind == .actionRequest, payload.status != started {
            let status = payload.status ?? ""
            throw Self.invalid(
                "an action request has the status 'started', not '\(status)'", "write \"status\":\"started\"")
        }
    }

    private static func invalid(_ message: String, _ cure: Cure) -> FormatError {
        FormatError(.recordInvalid, message, cure: cure)
    }

    private static func outer(of text: [UInt8], named name: ULID) throws(FormatError) -> SpoolEntry {
        let payload = try JSONObjectEditor(text).text(of: "payload").map { JSONText.compacted(Array($0)) }
        let parser = try JSONParser()
        let read = try? parser.withParsed(text) { root -> Result<SpoolEntry, FormatError> in
            Result { () throws(FormatError) in try entry(root, named: name, payload) }
        }
        guard let read else { throw invalid("it can't be read", "write one JSON object") }
        return try read.get()
    }

    private static func entry(
        _ root: JSONValue, named name: ULID, _ payload: [UInt8]?
    ) throws(FormatError) -> SpoolEntry {
        let id: ULID = try member("id", of: root, "write the 26 characters of the file's name") {
            $0.utf8.flatMap(ULID.init(bytes:))
        }
        guard id == name else {
            throw invalid(
                "the entry has the id \(id), and its file's name \(name)",
                "name the file \(id).json, or give it that id")
        }
        let kinds = EntryOperation.ofSessions.map(\.rawValue).joined(separator: ", ")
        let kind = try member("kind", of: root, "write one of \(kinds)") {
            $0.string.flatMap(EntryOperation.init(ofEntry:))
        }
        let journal = try journal(root, of: kind)
        let createdAt = try member("created_at", of: root, "write a time such as 2026-02-04T20:01:00.000Z") {
            $0.timestamp
        }
        guard let payload else {
            throw invalid(
                "payload is missing", "put the record there, as the line to write into the session")
        }
        var attachment: Attachment?
        if let value = root[name: "attachment"], !value.isNull {
            attachment = try member(
                "attachment", of: root,
                "write name (of a file next to the entry, not ending in .json), size in bytes and sha256 in lower-case hexadecimal"
            ) { Attachment($0) }
        }
        return SpoolEntry(
            id: id, kind: kind, journalID: journal, createdAt: createdAt,
            device: root[name: "device"]?.string,
            payload: JSONText(verbatim: payload), attachment: attachment,
            deliveredBy: root[name: "delivered_by"].flatMap(Deliverer.init))
    }

    /// The id of the journal; either of the two keys is read.
    private static func journal(_ root: JSONValue, of kind: EntryOperation) throws(FormatError) -> ULID {
        let isNamed = root[name: "journal_id"] != nil
        if isNamed || !kind.isOfSession, root[name: "session_id"] == nil || isNamed {
            return try member("journal_id", of: root, "write the id from the journal's header") {
                $0.utf8.flatMap(ULID.init(bytes:))
            }
        }
        return try member("session_id", of: root, "write the id from session.json") {
            $0.utf8.flatMap(ULID.init(bytes:))
        }
    }

    /// What `read` makes of a member that must be there.
    ///
    /// - Parameter cure: What to do where it is missing, or is something else.
    private static func member<Value>(
        _ key: StaticString, of root: JSONValue, _ cure: Cure, _ read: (JSONValue) -> Value?
    ) throws(FormatError) -> Value {
        guard let value = root[name: key] else { throw invalid("\(key) is missing", cure) }
        guard let result = read(value) else {
            let shown = value.string.map { " '\($0.prefix(80))'" } ?? ""
            throw invalid("\(key)\(shown) is malformed", cure)
        }
        return result
    }

    /// What a payload is found to be, in one parse of it.
    private static func payload(
        _ payload: [UInt8], of kind: RecordKind
    ) throws(FormatError) -> (findings: [Finding], id: ULID?, status: String?, mediaPath: String?) {
        let schema = RecordSchema.of(kind)
        let checker = try RecordChecker(schema: schema)
        var findings: [Finding] = []
        return PaddedBytes.withLine(payload) { line in
            let record = checker.check(line) { findings.append($0) }
            func string(_ name: StaticString?) -> String? {
                name.flatMap { record?[schema.slot($0)]?.string }
            }
            return (
                findings, record?.id, kind == .action ? string(schema.columns.detail) : nil,
                string(schema.columns.mediaPath)
            )
        }
    }
}

extension SpoolEntry {
    /// The id that an entry says it has; nil if it is not one JSON object, or says none.
    package static func statedID(in text: [UInt8]) -> ULID? {
        (try? JSONParser().withParsed(text) { $0[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) }) ?? nil
    }
}

extension SpoolEntry {
    /// The line that it is to change; nil if it is not about one that is there, or can't be read.
    package var changedRecord: (kind: RecordKind, id: ULID)? {
        guard kind.isChange else { return nil }
        return (try? SessionChange(payload, of: kind, for: journalID, madeAt: createdAt))?.record
    }
}
