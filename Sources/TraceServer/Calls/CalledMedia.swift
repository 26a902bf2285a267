internal import RecordFormat
internal import Synchronization
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// The paths of the media items of a session, as `session.json` has them, read once for as long as that file stays as it is: players ask
/// for a recording range by range.
final class CalledMedia: Sendable {
    private let paths = Mutex<[ULID: String]?>(nil)

    /// The path of an item; nil if there is none of that id. Of several with one id, the first counts.
    ///
    /// - Parameter directory: The session's.
    /// - Throws: ``FileError`` if `session.json` can't be read.
    func path(of id: ULID, in directory: OpenDirectory) throws -> String? {
        if let known = paths.withLock({ $0 }) { return known[id] }
        let items = try SessionReader(directory).readableHeader().session.media
        let read = Dictionary(
            items.compactMap { item in item.id.map { ($0, item.path) } },
            uniquingKeysWith: { first, _ in first })
        paths.withLock { $0 = read }
        return read[id]
    }
}
