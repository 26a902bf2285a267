package import RecordFormat
internal import TraceText

/// What an entry of the queue changes in a session.
///
/// Source: docs/queue.md#changes.
package struct SessionChange: Sendable, Hashable {
    package let action: Action
    /// When that was done.
    package let moment: Timestamp

    package enum Action: Sendable, Hashable {
        /// To give members of a record other values, be it a line or `session.json`.
        case edit(RecordKind, ULID, [MemberWish])
        /// To take a record out that is as these say.
        case remove(RecordKind, ULID, [MemberWish])
        /// To begin the session.
        case start(title: String)
        /// To stop its clock.
        case pause
        /// To let its clock continue.
        case resume
        /// To end it.
        case close
    }

    /// The line that it is about, which must be there; nil for a session as a whole.
    package var record: (kind: RecordKind, id: ULID)? {
        switch action {
        case .edit(.session, _, _), .start, .pause, .resume, .close: nil
        case .edit(let kind, let id, _), .remove(let kind, let id, _): (kind, id)
        }
    }

    /// The members of a kind of record that can get other values.
    static func members(of kind: RecordKind) -> [String] {
        switch kind {
        case .session: ["title"]
        case .marker: ["offset_ms", "duration_ms", "label", "note", "tags"]
        case .voiceNote: ["offset_ms", "transcript_text"]
        case .timeline, .transcript, .action: []
        }
    }

    /// The change that the payload of an entry describes.
    ///
    /// - Parameters:
    ///   - session: The one that the entry is for.
    ///   - createdAt: When the entry was made, and the change, where the payload does not say otherwise.
    /// - Throws: ``FormatError`` with `.recordInvalid`. Whether the values are such as a record can have is not looked at.
    package init(
        _ payload: [UInt8], of kind: EntryOperation, for session: ULID, madeAt createdAt: Timestamp
    ) throws(FormatError) {
        let payload = try ChangePayload(payload, of: kind)
        if let other = try payload.id("session_id"), other != session {
            throw ChangePayload.invalid(
                "payload: session_id is another than that of the entry", "leave it out of the payload")
        }
        moment = try payload.moment("at") ?? createdAt
        switch kind {
        case .editMarker: action = try .edit(.marker, payload.record, payload.wishes(of: .marker))
        case .editVoiceNote: action = try .edit(.voiceNote, payload.record, payload.wishes(of: .voiceNote))
        case .editSession: action = try .edit(.session, session, payload.wishes(of: .session))
        case .removeMarker: action = try .remove(.marker, payload.record, payload.seen(of: .marker))
        case .removeVoiceNote:
            action = try .remove(.voiceNote, payload.record, payload.seen(of: .voiceNote))
        case .startSession: action = .start(title: try payload.text("title") ?? "")
        case .pauseSession: action = .pause
        case .resumeSession: action = .resume
        case .closeSession: action = .close
        default: throw ChangePayload.invalid("'\(kind)' is not a change of a session", "write another kind")
        }
    }

    /// The kind of record that a kind of entry gives other values, or takes out; nil for what is done with a session as a whole.
    package static func subject(of kind: EntryOperation) -> RecordKind? {
        switch kind {
        case .editMarker, .removeMarker: .marker
        case .editVoiceNote, .removeVoiceNote: .voiceNote
        case .editSession: .session
        default: nil
        }
    }

    /// The members that the payload of an entry can have.
    static func payloadMembers(of kind: EntryOperation) -> [String] {
        switch kind {
        case .editMarker, .editVoiceNote: ["record_id", "set", "was", "at", "session_id"]
        case .removeMarker, .removeVoiceNote: ["record_id", "was", "at", "session_id"]
        case .editSession: ["set", "was", "at", "session_id"]
        case .startSession: ["title", "at", "session_id"]
        default: ["at", "session_id"]
        }
    }
}

/// The payload of a change, member by member.
private struct ChangePayload {
    private let editor: JSONObjectEditor

    init(_ payload: [UInt8], of kind: EntryOperation) throws(FormatError) {
        do { editor = try JSONObjectEditor(payload) } catch {
            throw Self.invalid("payload: is not an object", "write an object")
        }
        let known = SessionChange.payloadMembers(of: kind)
        guard let other = try editor.names().first(where: { !known.contains($0) }) else { return }
        throw Self.invalid(
            "payload: '\(other.prefix(80))' is unknown",
            "leave it out; '\(kind)' takes \(known.joined(separator: ", "))")
    }

    static func invalid(_ message: String, _ cure: Cure) -> FormatError {
        FormatError(.recordInvalid, message, cure: cure)
    }

    /// What `read` makes of a member; nil if it is missing or null.
    private func member<Value>(
        _ name: String, _ cure: Cure, _ read: (JSONValue) -> Value?
    ) throws(FormatError) -> Value? {
        guard let text = try editor.given(name) else { return nil }
        guard let value = (try? JSONParser().withParsed(text, read)) ?? nil else {
            throw Self.invalid("payload: \(name) is malformed", cure)
        }
        return value
    }

    func id(_ name: String) throws(FormatError) -> ULID? {
        try member(name, "write the 26 characters of the id") { $0.utf8.flatMap(ULID.init(bytes:)) }
    }

    func moment(_ name: String) throws(FormatError) -> Timestamp? {
        try member(name, "write a time such as 2026-02-04T20:01:00.000Z") { $0.timestamp }
    }

    func text(_ name: String) throws(FormatError) -> String? {
        try member(name, "write a string") { $0.string }
    }

    /// The id of the line that it is about.
    var record: ULID {
        get throws(FormatError) {
            guard let id = try id("record_id") else {
                throw Self.invalid("payload: record_id is missing", "write the id of the record")
            }
            return id
        }
    }

    /// The members that are to get other values.
    func wishes(of kind: RecordKind) throws(FormatError) -> [MemberWish] {
        let was = try values("was", of: kind) ?? [:]
        guard let wanted = try values("set", of: kind), !wanted.isEmpty else {
            throw Self.invalid(
                "payload: set has nothing to set",
                "write the members that get other values: \(Self.names(of: kind))")
        }
        return wanted.keys.sorted().map {
            MemberWish(name: $0, was: was[$0] ?? nil, wanted: wanted[$0] ?? nil)
        }
    }

    /// The members that are to be as they were seen.
    func seen(of kind: RecordKind) throws(FormatError) -> [MemberWish] {
        let was = try values("was", of: kind) ?? [:]
        return was.sorted { $0.key < $1.key }.map {
            MemberWish(name: $0.key, was: $0.value, wanted: $0.value)
        }
    }

    private func values(_ name: String, of kind: RecordKind) throws(FormatError) -> [String: [UInt8]?]? {
        guard let text = try editor.given(name) else { return nil }
        let object: JSONObjectEditor
        do { object = try JSONObjectEditor(text) } catch {
            throw Self.invalid("payload: \(name) is not an object", "write the members with their values")
        }
        var values: [String: [UInt8]?] = [:]
        for member in try object.names() {
            guard SessionChange.members(of: kind).contains(member) else {
                throw Self.invalid(
                    "payload: \(name) has '\(member.prefix(80))'",
                    "of a \(kind.noun), write \(Self.names(of: kind))")
            }
            values.updateValue(try object.given(member), forKey: member)
        }
        return values
    }

    private static func names(of kind: RecordKind) -> String {
        SessionChange.members(of: kind).joined(separator: ", ")
    }
}

extension JSONObjectEditor {
    /// The text of a member; nil if it is missing or null.
    fileprivate func given(_ name: String) throws(FormatError) -> [UInt8]? {
        guard let text = try text(of: name), !text.elementsEqual("null".utf8) else { return nil }
        return Array(text)
    }
}
