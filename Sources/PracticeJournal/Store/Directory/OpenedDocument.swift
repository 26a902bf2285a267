internal import TraceCrypto
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
    /// What our next stamp is to be later than.
    let clock: SyncStamp?

    enum Known: Sendable {
        /// It is the document that the log ends with.
        case inStep
        /// Others have written it, or there is no log; the checksum that the log ends with.
        case foreign(after: String?)
    }

    /// A document without anything.
    static let empty = Array(#"{"schemaVersion":4}"#.utf8)

    /// Notes the document as a whole, if the log does not end with it: where the log begins, and where what others have written can't be
    /// compared with it.
    ///
    /// - Returns: Whether a line was written.
    @discardableResult
    func note(in log: SyncLog, by lock: DirectoryLock, now: Timestamp) throws -> Bool {
        guard case .foreign(let after) = known, let checksum else { return false }
        try log.append(
            SyncLine.text(
                ofDocument: document.bytes, stamp(isFirst: after == nil, now: now), clock: clock,
                before: after, after: checksum), by: lock)
        return true
    }

    /// When what others have written was said: by the file's time; of what was there before anybody was noted, by its newest date.
    private func stamp(isFirst: Bool, now: Timestamp) -> SyncStamp {
        if isFirst { return .unnoted(newest: document.newestTime) }
        let modified = identity?.modified.timestamp ?? now
        return SyncStamp(
            milliseconds: min(modified, now).milliseconds, device: SyncStamp.documentDevice)
    }

    static func checksum(of bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }
}
