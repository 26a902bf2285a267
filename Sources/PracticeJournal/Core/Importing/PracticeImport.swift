package import RecordFormat

/// A file that a person brings: a document in one of its shapes, or an object of an app's stored keys with one in it.
///
/// Source: docs/spec/practice.md#what-an-app-hands-over.
package struct PracticeImport {
    /// What the document has, and what is wrong with it; its places are those in its own text.
    package let reading: PracticeReading
    /// The text of the document, as it came.
    package let document: [UInt8]
    /// The log of the library, if the file has it.
    package let log: [UInt8]?
    /// Where the person took up again, as `slots.json`, if the file says so.
    package let slots: [UInt8]?
    /// Of the file and of the document in it.
    package let findings: [Finding]
    /// What the document is called in findings.
    let name: String
    /// Whether the document is a text within another: no bytes of the file are its records.
    let isStored: Bool

    /// - Parameter file: The name in findings; those in a document under a stored key have its name behind it.
    /// - Throws: ``FormatError`` with `.memory`.
    package init(
        _ bytes: [UInt8], file: String, library: GameLibrary = GameLibrary(), now: Timestamp
    ) throws(FormatError) {
        var keys: StoredKeys?
        let whole = try PracticeReading(
            bytes, file: file, library: library, now: now, looksForKeys: true, keys: &keys)
        document = keys?.document ?? bytes
        isStored = keys != nil
        name = keys.map { "\(file)#\($0.key)" } ?? file
        log = keys?.log
        slots = keys.flatMap { ResumeSlots(stored: $0.values) }?.bytes
        let name = name
        reading =
            try keys.map { keys throws(FormatError) in
                try PracticeReading(keys.document, file: name, library: library, now: now)
            } ?? whole
        var findings: [Finding] = []
        if let keys, let other = keys.other {
            findings.append(
                Finding(
                    .practiceKeysBoth, at: Finding.Place(file: file),
                    "'\(keys.key)' and '\(other)' both hold a document; '\(keys.key)' is read"))
        }
        self.findings = findings + reading.findings
    }
}
