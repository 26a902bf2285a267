internal import Logging
internal import SystemPackage
internal import TraceFiles
internal import TraceIndex
internal import TraceText

/// Logs what fails about a path, and about the index: once, until it has gone well again or fails otherwise. Every other time
/// is logged at the level `debug`.
struct FailureLog {
    private let log: Logger
    /// What failed last about each path.
    private var reasons: [FilePath: String] = [:]
    /// What failed last about the index, which is the same for all sessions.
    private var indexReason: String?

    init(_ log: Logger) { self.log = log }

    /// The paths about which something has failed that has not gone well since.
    var paths: Set<FilePath> { Set(reasons.keys) }

    /// Logs that something has failed; what was interrupted, because the daemon stops, has not.
    ///
    /// - Parameter what: What could not be done, such as "write the metrics".
    mutating func note(_ what: String, _ path: FilePath, _ error: any Error) {
        let isNews: Bool
        if let error = error as? IndexError {
            if error.code == .interrupted { return }
            isNews = indexReason != "\(error)"
            indexReason = "\(error)"
        } else {
            isNews = reasons.updateValue("\(error)", forKey: path) != "\(error)"
        }
        log.log(
            level: isNews ? .error : .debug, "could not \(what)", error: error,
            metadata: ["path": "\(path.escaped)"])
    }

    /// Something has gone well: the same failure is news when it comes again.
    mutating func noteSuccess(_ path: FilePath) { reasons[path] = nil }

    /// The index has been written: what was wrong with it is over. That it could be read says nothing of a full disk.
    mutating func noteIndexWritten() {
        guard indexReason != nil else { return }
        indexReason = nil
        log.notice("the index can be written again")
    }
}
