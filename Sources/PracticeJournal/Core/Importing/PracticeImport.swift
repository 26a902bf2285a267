package import RecordFormat

/// A file that a person brings: a document in one of its shapes, or an object of an app's stored keys with one in it.
///
/// Source: practice.md, section 1.
package struct PracticeImport {
    /// What the document has, and what is wrong with it; its places are those in its own text.
    package let reading: PracticeReading
    /// The text of the document, as it came.
    package let document: [UInt8]
    /// The log of the library, if the file has it.
    package let log: [UInt8]?
    /// Of the file and of the document in it.
    package let findings: [Finding]

    /// - Parameter file: The name in findings; those in a document under a stored key have its name behind it.
    /// - Throws: ``FormatError`` with `.memory`.
    package init(
        _ bytes: [UInt8], file: String, library: GameLibrary = GameLibrary(), now: Timestamp
    ) throws(FormatError) {
        let keys = Self.storedKeys(bytes)
        document = keys?.document ?? bytes
        log = keys?.log
        let name = keys.map { "\(file)#\($0.key)" } ?? file
        reading = try PracticeReading(document, file: name, library: library, now: now)
        var findings: [Finding] = []
        if let keys, let other = keys.other {
            findings.append(
                Finding(
                    .practiceKeysBoth, at: Finding.Place(file: file),
                    "'\(keys.key)' and '\(other)' both hold a document; '\(keys.key)' is read"))
        }
        self.findings = findings + reading.findings
    }

    private static func storedKeys(_ bytes: [UInt8]) -> StoredKeys? {
        let mark = PracticeDocument.byteOrderMark
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return try? JSONParser().withParsed(text) { StoredKeys($0) }
    }
}
