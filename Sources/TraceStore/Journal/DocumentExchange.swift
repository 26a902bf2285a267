package import RecordFormat
package import SystemPackage

/// What devices exchange of journals of a kind that keep one document.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package protocol DocumentExchange: Sendable {
    /// The document's file in the journal's directory, and the most bytes that are read of it.
    var file: FilePath.Component { get }
    var limit: Int64 { get }

    /// The document that a file comes to which is a journal on its own.
    ///
    /// - Throws: ``FileError`` if it can't be read.
    func ofSingleFile(_ journal: any OpenedJournal) throws -> [UInt8]

    /// The document for a reader that fails on a word it does not know: as it can read it.
    ///
    /// - Throws: ``FileError`` if it can't be read.
    func forStrictReader(_ journal: any OpenedJournal) throws -> [UInt8]

    /// Merges the document of a device.
    ///
    /// - Throws: What the kind says if most is gone from the document: then nothing is merged. ``FileError``, ``FormatError``, ``StoreError``.
    /// - Note: Durable on return.
    func merge(_ brought: BroughtDocument, into writer: JournalWriter) throws -> DocumentForDevice
}

/// What a device brings.
package struct BroughtDocument: Sendable {
    package let contents: [UInt8]
    /// The device's name.
    package let device: String
    /// The SHA-256 of the document that the device got last, in hexadecimal digits; nil if it does not say, so that nothing is removed.
    package let base: String?
    /// When the device wrote it; nil for now.
    package let written: Timestamp?
    /// Whether the device fails on a word that it does not know.
    package let isStrict: Bool

    package init(
        contents: [UInt8], device: String, base: String?, written: Timestamp?, isStrict: Bool
    ) {
        self.contents = contents
        self.device = device
        self.base = base
        self.written = written
        self.isStrict = isStrict
    }
}

/// What a device gets.
package struct DocumentForDevice: Sendable {
    package let contents: [UInt8]
    /// How it was merged, in a word.
    package let method: String

    package init(contents: [UInt8], method: String) {
        self.contents = contents
        self.method = method
    }
}
