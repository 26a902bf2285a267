internal import Glibc
internal import SystemPackage
internal import TraceFiles

/// How long a write waits while other programs keep writing the document; after that, it waits in the queue.
struct DocumentPatience {
    /// For how long, since it began; zero tries once.
    static let limit = Duration.seconds(2)
    /// How long nobody must have written the document before the next attempt. An app may save every 20 ms while somebody drags a slider; an
    /// attempt between two of these would be for nothing, and leave a line in the log.
    private static let restMicroseconds: UInt32 = 50_000

    private let deadline: ContinuousClock.Instant

    init(_ limit: Duration = Self.limit) { deadline = .now + limit }

    /// Waits until the document rests.
    ///
    /// - Parameter pause: Takes as long as nobody must have written it.
    /// - Returns: False once the time is over.
    /// - Throws: ``FileError`` if it can't be looked at.
    func awaitRest(
        in directory: OpenDirectory, pause: () -> Void = { usleep(Self.restMicroseconds) }
    ) throws -> Bool {
        func identity() throws -> FileIdentity? {
            try directory.statusIfPresent(of: OpenedDocument.file, followingLinks: true)?.identity
        }
        var seen = try identity()
        while ContinuousClock.now < deadline {
            pause()
            let now = try identity()
            if now == seen { return true }
            seen = now
        }
        return false
    }
}
