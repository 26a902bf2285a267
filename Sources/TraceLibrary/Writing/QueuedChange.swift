internal import Journals
package import RecordFormat
internal import SystemPackage
package import TraceFormat
package import TraceStore
internal import TraceText

/// A change of a session that waits in the queue, as a person asks for it.
package struct QueuedChange {
    /// What names the record; nil for the session itself.
    package var record: String?
    /// The members that get other values, and those that go.
    package var set: [(name: String, value: JSONText?)] = []
    /// What is there now, as an object; nil for what the session has.
    package var was: String?
    /// What a session that begins is called.
    package var title: String?
    /// When it was done, if not now.
    package var moment: Timestamp?
    /// Who asks for it.
    package var device: String?

    /// A change of nothing.
    package init() {}
}

extension LibraryWriter {
    /// Puts a change of a session into the spool of this machine.
    ///
    /// - Parameters:
    ///   - session: The session's id.
    ///   - target: The session, if it is here: a part of a record's id is looked up there, and what the record is now.
    /// - Returns: The entry.
    /// - Throws: ``LibraryError`` with `.recordNameMalformed`, `.recordNotFound` or `.recordAmbiguous`; ``FormatError`` with `.recordInvalid`
    ///   if no session can have the change; ``FileError``.
    package func enqueue(
        _ change: QueuedChange, _ kind: EntryOperation, for session: ULID, in target: SessionTarget?
    ) throws -> SpoolEntry {
        let now = Clock.now()
        let subject = SessionChange.subject(of: kind)
        let id = try change.record.map { try Self.id(of: $0, subject ?? .marker, in: target) }
        var was: JSONText?
        if let subject {
            was =
                try change.was.map { JSONText(verbatim: $0.utf8) }
                ?? Self.seen(subject, id, change.members(of: subject), in: target)
        }
        let payload = JSONText.object { object in
            object.member("record_id", id.map { JSONText($0) })
            if !change.set.isEmpty {
                object.member(
                    "set",
                    .object { set in for (name, value) in change.set { set.member(name, value ?? .null) } })
            }
            object.member("was", was)
            object.member("title", change.title.map { JSONText($0) })
            object.member("at", change.moment.map { JSONText($0) })
        }
        let entry = SpoolEntry(
            id: IDGenerator.next(), kind: kind, journalID: session, createdAt: now, device: change.device,
            payload: payload)
        try queue.local.add(CheckedEntry(read: entry, by: Journals.all))
        noteQueued([entry.id], .queueAdd, for: session)
        return entry
    }

    private static func id(of text: String, _ kind: RecordKind, in target: SessionTarget?) throws -> ULID {
        if let id = ULID(text.uppercased()) { return id }
        guard let target else {
            throw LibraryError(
                .recordNameMalformed, "'\(text)' is not a whole id, and the session is not available",
                cure: "write the 26 characters of the id")
        }
        return try RecordName.id(of: text, kind, in: target)
    }

    /// What a record, or `session.json`, has for some members now.
    private static func seen(
        _ kind: RecordKind, _ id: ULID?, _ members: [String], in target: SessionTarget?
    ) throws -> JSONText {
        guard let target else {
            throw LibraryError(
                .recordNotFound,
                "the session is not available, and does not say what the \(kind.noun) is now",
                cure: "give that with \(option: "was"), as an object: {\"\(members.first ?? "label")\":null}")
        }
        let line: [UInt8]?
        if let id {
            let lines = try SessionReader(target.directory).existing([id])[id] ?? []
            line = lines.last { $0.kind == kind }?.line
        } else {
            line = JSONText.object { $0.member("title", target.session.title.map { JSONText($0) }) }.bytes
        }
        guard let line else {
            throw LibraryError(
                .recordNotFound, "\(kind.noun) not found: \(id.map(\.description) ?? "")",
                cure: "give the session with \(option: "session"), or what is there now with \(option: "was")"
            )
        }
        let object = try JSONObjectEditor(line)
        let values = try members.map { ($0, try object.text(of: $0).map { JSONText(verbatim: $0) } ?? .null) }
        return .object { seen in for (name, value) in values { seen.member(name, value) } }
    }
}

extension QueuedChange {
    /// The members of which it says what they were: those that change, and of a record that goes what people know it by.
    fileprivate func members(of kind: RecordKind) -> [String] {
        guard set.isEmpty else { return set.map(\.name) }
        return kind == .marker ? ["label", "offset_ms"] : ["transcript_text", "offset_ms"]
    }
}
