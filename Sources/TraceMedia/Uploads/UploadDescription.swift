package import RecordFormat
internal import TraceFiles

/// What is known of the audio that is being sent, from its first byte on.
package struct UploadDescription: Sendable, Equatable {
    /// The session whose voice note it is of.
    package var sessionID: ULID
    /// How long it will be, in bytes; nil if its sender does not say.
    package var length: Int64?
    /// The SHA-256 that it will have, in lower-case hexadecimal; nil if its sender does not say.
    package var sha256: String?

    package init(sessionID: ULID, length: Int64? = nil, sha256: String? = nil) {
        self.sessionID = sessionID
        self.length = length
        self.sha256 = sha256
    }

    /// - Returns: Nil for anything but what ``text`` gives.
    init?(_ bytes: [UInt8]) {
        let read: UploadDescription?? = try? JSONParser().withParsed(bytes) { root in
            guard let id = root[name: "session_id"]?.utf8.flatMap(ULID.init(bytes:)) else { return nil }
            return UploadDescription(
                sessionID: id, length: root[name: "length"]?.integer, sha256: root[name: "sha256"]?.string)
        }
        guard let read, let read else { return nil }
        self = read
    }

    /// As it is in the file.
    var text: [UInt8] {
        JSONText.object { object in
            object.member("session_id", JSONText(sessionID))
            object.member("length", length.map { JSONText($0) })
            object.member("sha256", sha256.map { JSONText($0) })
        }.bytes + [newline]
    }
}
