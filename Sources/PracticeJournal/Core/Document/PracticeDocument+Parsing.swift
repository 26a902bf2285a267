package import RecordFormat
internal import TraceText

extension PracticeDocument {
    /// Hands the document's object to `body`, with all members, known or not.
    ///
    /// - Throws: ``FormatError`` with `.jsonMalformed` or `.memory`.
    package func withRoot(_ body: (JSONValue) -> Void) throws(FormatError) {
        let parser = try JSONParser()
        let isMarked = bytes.starts(with: Self.byteOrderMark)
        let text = isMarked ? bytes.dropFirst(Self.byteOrderMark.count) : bytes[...]
        do {
            try parser.withParsed(text, body)
        } catch {
            throw FormatError(.jsonMalformed, "the document is not JSON", cure: "fix it in an editor")
        }
    }
}
