internal import Crypto
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// The document of a journal that is locked, as it was when it was read, and what the log said of it then.
struct OpenedDocument: Sendable {
    static let file: FilePath.Component = "practice-state.json"
    /// The largest document, in bytes.
    static let limit: Int64 = 64 << 20

    let document: PracticeDocument
    /// Nil before the first document is written.
    let identity: FileIdentity?
    /// SHA-256; nil before the first document is written.
    let checksum: String?
    let library: GameLibrary
    /// What the last line of the log says of the document.
    let known: Known
    /// The last of our own stamps.
    let clock: SyncStamp?

    enum Known: Sendable {
        /// It is the document that the log ends with.
        case inStep
        /// Others have written it, or there is no log; the checksum that the log ends with.
        case foreign(after: String?)
    }

    /// A document without anything.
    static let empty = Array(#"{"schemaVersion":4}"#.utf8)

    static func checksum(of bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }
}
