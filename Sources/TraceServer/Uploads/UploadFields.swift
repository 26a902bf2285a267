internal import HTTPTypes
internal import TraceFiles
internal import TraceFormat
internal import RecordFormat
internal import TraceText

/// The header fields of uploads.
///
/// Source: draft-ietf-httpbis-resumable-upload; RFC 9530, section 3; RFC 9651, sections 3.2 and 3.3.
enum UploadFields {
    static let offset = known("Upload-Offset")
    static let complete = known("Upload-Complete")
    static let length = known("Upload-Length")
    static let digest = known("Repr-Digest")

    /// A name that the standard ones don't have. One that is not a token can't be sent, which a test would see.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .server }

    /// A field that is a whole number; nil if it is not there.
    ///
    /// - Throws: ``Problem`` with 400.
    static func number(_ name: HTTPField.Name, in fields: HTTPFields) throws(Problem) -> Int64? {
        guard fields.contains(name) else { return nil }
        let values = fields[values: name]
        let text = values.first ?? ""
        guard values.count == 1, !text.isEmpty, text.utf8.count <= 15, text.utf8.allSatisfy(\.isASCIIDigit),
            let number = Int64(text)
        else { throw malformed(name, "a number of bytes") }
        return number
    }

    /// Whether the request sends the last byte; true if it does not say.
    ///
    /// - Throws: ``Problem`` with 400.
    static func isLast(in fields: HTTPFields) throws(Problem) -> Bool {
        guard fields.contains(complete) else { return true }
        switch fields[values: complete] {
        case ["?1"]: return true
        case ["?0"]: return false
        default: throw malformed(complete, "?1 or ?0")
        }
    }

    /// The SHA-256 that the audio is to have, in lower-case hexadecimal; nil if the request says none.
    ///
    /// - Throws: ``Problem`` with 400.
    static func sha256(in fields: HTTPFields) throws(Problem) -> String? {
        var found: String?
        for member in fields[values: digest].flatMap({ $0.split(separator: ",") }) {
            let member = member.filter { $0 != " " && $0 != "\t" }
            guard member.lowercased().hasPrefix("sha-256=") else { continue }
            let value = member.dropFirst(8)
            guard value.count > 2, value.first == ":", value.last == ":",
                let bytes = bytes(ofBase64: value.dropFirst().dropLast()), bytes.count == 32
            else { throw malformed(digest, "sha-256=:BASE64:") }
            // Of several of one name, the last one counts.
            found = hexadecimal(bytes)
        }
        return found
    }

    private static func bytes(ofBase64 text: some StringProtocol) -> [UInt8]? {
        let end = text.firstIndex(of: "=") ?? text.endIndex
        guard text[end...].count == (4 - text[..<end].utf8.count % 4) % 4 else { return nil }
        return Base64URL.bytes(
            of: String(text[..<end]).replacing("+", with: "-").replacing("/", with: "_"))
    }

    private static func malformed(_ name: HTTPField.Name, _ form: String) -> Problem {
        Problem(
            .badRequest, "field-malformed", "'\(name.canonicalName)' is not \(form)",
            cure: "send \(form), once, or leave it out")
    }
}
