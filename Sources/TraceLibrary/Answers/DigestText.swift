package import RecordFormat
package import SystemPackage

/// `digest.md` of a session as it is.
package struct DigestText: Sendable {
    private let session: FilePath
    private let id: ULID?
    /// Nil if there is none.
    let bytes: [UInt8]?

    /// The text of a session.
    ///
    /// - Parameter id: The session's; nil if it is missing or broken.
    package init(_ bytes: [UInt8]?, of session: FilePath, _ id: ULID?) {
        self.bytes = bytes
        self.session = session
        self.id = id
    }

    /// The text with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.session(at: session, id, form)
            object.member("text", bytes.map { JSONText(String(decoding: $0, as: UTF8.self)) } ?? .null)
        }
    }
}
