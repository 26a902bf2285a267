package import RecordFormat
internal import TraceFiles
package import TraceFormat
internal import TraceText

/// A marker or a voice note whose session is not known: a queue entry without a session, with the moment that it is about.
///
/// Source: docs/queue.md#moments-without-a-session.
package struct UnplacedMoment: Sendable, Hashable {
    /// The entry that it becomes. While it is not known into which session and where, both are placeholders.
    let entry: SpoolEntry
    /// The moment that it is about.
    package let wallTime: Timestamp
    /// What was typed for the session where sessions could not be looked for.
    package let typedSession: String?
    /// The session into which it is being placed; nil while that is not decided.
    package let session: ULID?

    package var id: ULID { entry.id }
    package var kind: EntryOperation { entry.kind }
    /// When it was made.
    package var createdAt: Timestamp { entry.createdAt }

    /// A marker that is kept; its offset does not count.
    package init(_ marker: Marker, at moment: Timestamp, typedSession: String?) {
        self.init(
            SpoolEntry(
                id: marker.id, kind: .marker, journalID: Self.nowhere, createdAt: marker.createdAt ?? moment,
                payload: marker.json), at: moment, typedSession: typedSession)
    }

    /// A voice note that is kept, with its audio; its offset does not count.
    package init(
        _ note: VoiceNote, _ audio: SpoolEntry.Attachment, at moment: Timestamp, typedSession: String?
    ) {
        self.init(
            SpoolEntry(
                id: note.id, kind: .voiceNote, journalID: Self.nowhere, createdAt: note.createdAt ?? moment,
                payload: note.json, attachment: audio), at: moment, typedSession: typedSession)
    }

    private init(
        _ entry: SpoolEntry, at moment: Timestamp, typedSession: String?, session: ULID? = nil
    ) {
        self.entry = entry
        wallTime = moment
        self.typedSession = typedSession
        self.session = session
    }

    /// The id in the place of one that is not known; no session has it.
    private static let nowhere = ULID(time: 0, randomHigh: 0, randomLow: 0)
    private static let zero = JSONText(Int64(0))

    /// Reads and checks the text of a file.
    ///
    /// - Parameter name: The id in the file's name.
    /// - Throws: ``FormatError``, as ``SpoolEntry/init(parsing:named:)``.
    init(parsing text: [UInt8], named name: ULID) throws(FormatError) {
        let stated =
            (try? JSONParser().withParsed(text) { root in
                (
                    root[name: "wall_time"]?.timestamp, root[name: "typed_session"]?.string,
                    root[name: "session_id"]?.utf8.flatMap(ULID.init(bytes:))
                )
            }) ?? (nil, nil, nil)
        var editor = try JSONObjectEditor(text)
        if stated.2 == nil {
            try editor.set("session_id", to: JSONText(Self.nowhere))
            try editor.set("payload", to: Self.payload(of: editor, at: Self.zero))
        }
        let entry = try SpoolEntry(parsing: editor.bytes, named: name)
        guard entry.kind == .marker || entry.kind == .voiceNote else {
            throw FormatError(
                .recordInvalid, "an entry of '\(entry.kind)' is not kept without a journal",
                cure: "put it into the queue")
        }
        guard let moment = stated.0 else {
            throw FormatError(
                .recordInvalid, "wall_time is missing or malformed",
                cure: "write a time such as 2026-02-04T20:01:00.000Z")
        }
        self.init(entry, at: moment, typedSession: stated.1, session: stated.2)
    }

    /// The text of its file.
    var text: [UInt8] {
        get throws(FormatError) {
            var editor = try JSONObjectEditor(entry.json.bytes)
            if session == nil {
                try editor.remove("session_id")
                try editor.set("payload", to: JSONText(verbatim: record))
            }
            try editor.set("wall_time", to: JSONText(wallTime))
            if let typedSession { try editor.set("typed_session", to: JSONText(typedSession)) }
            return editor.bytes + [newline]
        }
    }

    /// The record; while its place is not known, its offset is null.
    package var record: [UInt8] {
        guard session == nil, var editor = try? JSONObjectEditor(entry.payload) else { return entry.payload }
        // Of an object, this can't fail.
        try? editor.set("offset_ms", to: .null)
        return editor.bytes
    }

    /// The same, once it is known where it belongs.
    ///
    /// - Throws: ``FormatError`` if the record can't be there.
    func decided(_ session: ULID, at offset: SessionOffset) throws(FormatError) -> UnplacedMoment {
        var editor = try JSONObjectEditor(entry.json.bytes)
        try editor.set("session_id", to: JSONText(session))
        try editor.set("payload", to: Self.payload(of: editor, at: JSONText(offset)))
        return UnplacedMoment(
            try SpoolEntry(parsing: editor.bytes, named: id), at: wallTime, typedSession: typedSession,
            session: session)
    }

    /// The payload of an entry with its record at an offset.
    private static func payload(
        of entry: JSONObjectEditor, at offset: JSONText
    ) throws(FormatError) -> JSONText {
        guard let payload = try entry.text(of: "payload"), payload.first == UInt8(ascii: "{") else {
            throw FormatError(
                .recordInvalid, "payload is missing", cure: "put the record there, without its offset")
        }
        var editor = try JSONObjectEditor(Array(payload))
        try editor.set("offset_ms", to: offset)
        return JSONText(verbatim: editor.bytes)
    }
}
