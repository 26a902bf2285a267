internal import RecordFormat
internal import TraceText

/// What the file of a person in `positions/` holds.
struct PersonPositions {
    /// Whose they are.
    let person: String
    /// By the sessions' ids.
    var positions: [ULID: ListeningPosition] = [:]

    init(person: String) { self.person = person }

    /// Takes out the oldest positions.
    ///
    /// - Parameter kept: The session whose position stays, however old it is.
    mutating func forgetOldest(beyond limit: Int, but kept: ULID) {
        let excess = positions.count - limit
        guard excess > 0 else { return }
        for (session, _) in ordered.filter({ $0.key != kept }).prefix(excess) { positions[session] = nil }
    }

    /// The oldest first.
    private var ordered: [(key: ULID, value: ListeningPosition)] {
        positions.sorted { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
    }

    /// The text of the file.
    var json: JSONText {
        .object { object in
            object.member("person", person)
            object.member(
                "positions",
                .object { sessions in
                    for (session, position) in ordered {
                        sessions.member("\(session)", position.json)
                    }
                })
        }
    }

    /// Reads the text of a file.
    ///
    /// - Throws: ``FormatError`` with `.jsonMalformed`, or `.recordInvalid` if it is JSON and not such a file. It says where.
    init(_ text: [UInt8]) throws(FormatError) {
        // It says at which byte a text is broken; the parser is faster, and does not.
        _ = try JSONObjectEditor(text)
        let parser = try JSONParser()
        let read = try? parser.withParsed(text) { root -> Result<PersonPositions, FormatError> in
            Result { () throws(FormatError) in try PersonPositions(root) }
        }
        guard let read else { throw FormatError(.jsonMalformed, "it is not JSON") }
        self = try read.get()
    }

    private init(_ root: JSONValue) throws(FormatError) {
        guard let person = root[name: "person"]?.string else { throw Self.invalid("person is missing") }
        self.person = person
        guard let sessions = root[name: "positions"], sessions.kind == .object else {
            throw Self.invalid("positions is missing")
        }
        for (key, value) in sessions.members {
            guard let session = ULID(bytes: key) else {
                throw Self.invalid("'\(String(decoding: key, as: UTF8.self))' is not the id of a session")
            }
            guard let position = ListeningPosition(value) else {
                throw Self.invalid("the position in session \(session) is malformed")
            }
            positions[session] = position
        }
    }

    private static func invalid(_ problem: String) -> FormatError { FormatError(.recordInvalid, problem) }
}

extension ListeningPosition {
    fileprivate var json: JSONText {
        .object { object in
            object.member("offset_ms", offset)
            object.member("media_id", media.map { JSONText($0) })
            object.member("at", at)
        }
    }

    fileprivate init?(_ value: JSONValue) {
        guard let offset = value[name: "offset_ms"]?.integer, offset >= 0,
            let at = value[name: "at"]?.timestamp
        else { return nil }
        var media: ULID?
        if let named = value[name: "media_id"], !named.isNull {
            guard let id = named.utf8.flatMap(ULID.init(bytes:)) else { return nil }
            media = id
        }
        self.init(offset: SessionOffset(milliseconds: offset), media: media, at: at)
    }
}
