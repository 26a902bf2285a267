internal import HTTPTypes
package import RecordFormat
internal import TraceFormat

/// Makes a body the line that is to be written.
package enum RecordBody {
    /// The record on one line, with its id.
    ///
    /// - Parameters:
    ///   - id: That of the address; the body may leave it out, and may not have another one.
    ///   - place: The offset of a moment, for `at`, which may stand for `offset_ms`.
    /// - Returns: What a marker must have and the body leaves out is added: it was made when its id was, by a person. A repeat of the
    ///   body so makes the same line.
    /// - Throws: ``Problem`` with 400 for another id, 422 if it is not one JSON object.
    package static func marker(
        _ body: [UInt8], _ id: ULID, at place: (Timestamp) throws -> SessionOffset
    ) throws -> [UInt8] {
        let members: (id: String?, at: String?, lacking: Set<String>)
        var editor: JSONObjectEditor
        do {
            editor = try JSONObjectEditor(body)
            members = try JSONParser().withParsed(body) { root in
                try requireDistinct(root)
                let names = root.members.map { String(decoding: $0.0, as: UTF8.self) }
                return (
                    id: root[name: "id"].map { $0.string ?? "" }, at: root[name: "at"]?.string,
                    lacking: Set(["offset_ms", "created_at", "source"]).subtracting(names)
                )
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(
                .unprocessableContent, "json-malformed",
                "the body is not one JSON object: \(error.anyMessage)",
                hint: "send one object in UTF-8")
        }
        if let written = members.id {
            guard ULID(written.uppercased()) == id else {
                throw Problem(
                    .badRequest, "id-differs", "the id in the body is not that in the address",
                    hint: "leave it out, or send the same")
            }
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
            if members.lacking.contains("offset_ms") {
                try editor.set("offset_ms", to: JSONText(try place(moment)))
            }
        }
        if members.lacking.contains("created_at") {
            try editor.set("created_at", to: JSONText(Timestamp(milliseconds: Int64(id.time))))
        }
        if members.lacking.contains("source") { try editor.set("source", to: JSONText("user")) }
        return JSONText.compacted(editor.bytes)
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

extension Error {
    /// What it says, without a place.
    var anyMessage: String { (self as? FormatError)?.message ?? "\(self)" }
}
