internal import HTTPTypes
package import RecordFormat
internal import TraceFormat
internal import TraceMedia
internal import TraceStore
internal import TraceText

/// Makes the line that is to be written out of the body of a request.
///
/// The same body always gives the same line, so that a repeat is recognised.
package enum RecordBody {
    /// A marker on one line, with its id.
    ///
    /// - Parameters:
    ///   - id: The one in the address; the body may leave it out, and may not have another.
    ///   - place: The offset of a moment, for `at`, which may stand for `offset_ms`.
    /// - Returns: The marker. What the body leaves out of `created_at` and `source` is added: it was made when its id was, by a
    ///   person.
    /// - Throws: ``Problem`` with 400 for another id, 422 if it is not one JSON object.
    package static func marker(
        _ body: [UInt8], _ id: ULID, at place: (Timestamp) throws -> SessionOffset
    ) throws -> [UInt8] {
        var record = try prepared(body, id, at: place) { _ in }
        if try record.text(of: "source") == nil { try record.set("source", to: JSONText("user")) }
        return JSONText.compacted(record.bytes)
    }

    /// A voice note on one line, and what the body says of its audio.
    ///
    /// - Parameters:
    ///   - id: As for a marker.
    ///   - limit: The largest audio, in bytes.
    ///   - knownPath: Where the audio is, if that is known: no device does, and what the device says of its type may be wrong. Gets
    ///     what makes the line of a path.
    ///   - place: As for a marker.
    /// - Throws: ``Problem`` with 400 for another id, 413 if the audio is too large, 422 for another body; what `knownPath` throws.
    static func voiceNote(
        _ body: [UInt8], _ id: ULID, limit: Int64,
        knownPath: (_ line: (String) throws -> [UInt8]) throws -> String?,
        at place: (Timestamp) throws -> SessionOffset
    ) throws -> (payload: [UInt8], audio: SpoolEntry.Attachment) {
        var description: SpoolEntry.Attachment?
        var record = try prepared(body, id, at: place) { root in
            guard root[name: "media_path"] == nil else {
                throw Problem(
                    .unprocessableContent, "member-unknown", "'media_path' is chosen by the server",
                    cure: "leave it out")
            }
            description = try AudioDescription.read(root[name: "attachment"], of: id, limit: limit)
        }
        guard var audio = description else { throw AudioDescription.missing }
        try record.remove("attachment")
        let base = record
        func line(_ path: String) throws -> [UInt8] {
            var record = base
            try record.set("media_path", to: JSONText(path))
            return JSONText.compacted(record.bytes)
        }
        let known = try knownPath(line)
        if let known, known.hasPrefix("media/\(id).") { audio.name = String(known.dropFirst(6)) }
        return (try line(known ?? "media/\(audio.name)"), audio)
    }

    /// Where a voice note's line has its audio.
    static func mediaPath(of line: [UInt8]) -> String? {
        (try? JSONParser().withParsed(line) { $0[name: "media_path"]?.string }) ?? nil
    }

    /// The body with the id of the address, an offset for `at`, and the moment at which it was made.
    ///
    /// - Parameter look: Gets the body, valid for the length of the call.
    private static func prepared(
        _ body: [UInt8], _ id: ULID, at place: (Timestamp) throws -> SessionOffset,
        _ look: (JSONValue) throws -> Void
    ) throws -> JSONObjectEditor {
        let members: (id: String?, at: String?, names: Set<String>)
        var editor: JSONObjectEditor
        do {
            editor = try JSONObjectEditor(body)
            members = try JSONParser().withParsed(body) { root in
                try requireDistinct(root)
                try look(root)
                return (
                    id: root[name: "id"].map { $0.string ?? "" }, at: root[name: "at"]?.string,
                    names: Set(root.members.map { String(decoding: $0.0, as: UTF8.self) })
                )
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(
                .unprocessableContent, "json-malformed",
                "the body is not one JSON object: \(error.anyMessage)",
                cure: "send one object in UTF-8")
        }
        if let written = members.id {
            guard ULID(written.uppercased()) == id else { throw Problem.idDiffers }
            // One spelling, so that a repeat in the other is the same record.
            if written != id.description { try editor.set("id", to: JSONText(id)) }
        } else {
            try editor.set("id", to: JSONText(id))
        }
        if let at = members.at {
            guard let moment = Timestamp(at) else {
                throw Problem.member("at", "a time such as 2026-02-04T20:15:00.000Z")
            }
            try editor.remove("at")
            if !members.names.contains("offset_ms") {
                try editor.set("offset_ms", to: JSONText(try place(moment)))
            }
        }
        if !members.names.contains("created_at") {
            try editor.set("created_at", to: JSONText(Timestamp(milliseconds: Int64(id.time))))
        }
        return editor
    }

    /// Two programs may take either of two members of a name for the one that counts.
    private static func requireDistinct(_ root: JSONValue) throws(Problem) {
        var seen: Set<String> = []
        for (name, _) in root.members {
            let name = String(decoding: name, as: UTF8.self)
            guard seen.insert(name).inserted else { throw .memberRepeated(name) }
        }
    }
}

/// What the body of a voice note says of its audio, which is sent by itself.
enum AudioDescription {
    static let missing = Problem(
        .unprocessableContent, "member-malformed", "'attachment' does not describe the audio",
        cure: #"send {"size":BYTES,"type":"audio/mp4"}, and the "sha256" if it is known"#)

    /// Reads `attachment`.
    ///
    /// - Parameters:
    ///   - id: The voice note's, which its audio is named after.
    ///   - limit: The largest audio, in bytes.
    /// - Throws: ``Problem`` with 413 if it is too large, 422 if it is anything else.
    static func read(_ value: JSONValue?, of id: ULID, limit: Int64) throws(Problem) -> SpoolEntry.Attachment
    {
        guard let value, value.kind == .object else { throw missing }
        var seen: Set<String> = []
        for (name, _) in value.members {
            let name = String(decoding: name, as: UTF8.self)
            guard ["size", "sha256", "type"].contains(name) else {
                throw Problem(
                    .unprocessableContent, "member-unknown",
                    "'attachment' has no member '\(name.prefix(60))'", cure: "use size, sha256 and type")
            }
            guard seen.insert(name).inserted else { throw .memberRepeated(name) }
        }
        guard let size = try value.whole("size"), size > 0 else {
            throw Problem.member("size", "a positive number of bytes")
        }
        guard size <= limit else { throw .audioTooLarge(limit) }
        let checksum = try value.text("sha256")?.lowercased()
        guard checksum.map(SpoolEntry.Attachment.isChecksum) ?? true else {
            throw Problem.member("sha256", "64 hexadecimal digits")
        }
        guard let type = try value.text("type") else {
            throw Problem.member("type", "the media type of the audio, such as audio/mp4")
        }
        guard let ending = MediaType.fileExtension(ofAudio: type) else {
            throw Problem(
                .unprocessableContent, "member-malformed",
                "a voice note can't be of type '\(type.prefix(60))'", cure: AudioContainer.cure)
        }
        return SpoolEntry.Attachment(name: "\(id).\(ending)", size: size, sha256: checksum)
    }
}

extension AudioContainer {
    /// What helps where the audio is in none of them.
    static let cure: Cure = "use a recording in MP4 (M4A), 3GP, QuickTime, WebM, Ogg, WAV, FLAC or MP3"
}

extension Problem {
    /// Audio of more bytes than are accepted.
    static func audioTooLarge(_ limit: Int64) -> Problem {
        Problem(
            .contentTooLarge, "audio-too-large", "the audio is larger than \(limit) bytes",
            cure: "record for a shorter time, or at a lower bit rate")
    }

    /// A body that is about another record than the address.
    static let idDiffers = Problem(
        .badRequest, "id-differs", "the id in the body is not the one in the address",
        cure: "leave it out, or send the same")
}

extension Error {
    /// What it says, without a place.
    var anyMessage: String { (self as? FormatError)?.message ?? "\(self)" }
}
