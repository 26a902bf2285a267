package import RecordFormat

extension Array<UInt8> {
    /// The bytes as text; what is not UTF-8 is replaced.
    package var text: String { String(decoding: self, as: UTF8.self) }
}

extension JSONText {
    package var text: String { bytes.text }
}

/// What the parser says of a text.
package func parserFailure(_ text: [UInt8]) throws -> JSONParser.Failure? {
    do {
        try JSONParser().withParsed(text) { _ in }
        return nil
    } catch let failure as JSONParser.Failure {
        return failure
    }
}

/// What the scanner says of a text.
package func scannerFailure(_ text: [UInt8]) -> JSONScanner.Failure? {
    text.withUnsafeBytes { JSONScanner.failure(in: $0) }
}
