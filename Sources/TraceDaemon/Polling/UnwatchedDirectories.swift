internal import SystemPackage
internal import TraceFiles
internal import TraceText
internal import TraceWatch

/// The directories that inotify can't watch, which are polled, with the reasons.
struct UnwatchedDirectories {
    private var errors: [FilePath: WatchError] = [:] { didSet { topsAreKnown = false } }
    private var topsAreKnown = true

    var count: Int { errors.count }

    func contains(_ directory: FilePath) -> Bool { errors[directory] != nil }

    /// Those that are in no other, where they are others than at the last call; nil if they are not.
    mutating func takeNewTops() -> [FilePath]? {
        if topsAreKnown { return nil }
        topsAreKnown = true
        // With slashes that sort before every other byte, what is in a directory follows it at once.
        let slash = UInt8(ascii: "/")
        let paths = errors.keys.map { path in (path: path, key: path.bytes.map { $0 == slash ? 0 : $0 }) }
        var tops: [FilePath] = []
        for (path, _) in paths.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            if let last = tops.last, path.lies(in: last) { continue }
            tops.append(path)
        }
        return tops
    }

    /// Why one of them can't be watched, and what to do about it; nil if there is none.
    var problem: ErrorReport? {
        errors.min { $0.key.description < $1.key.description }.map { _, error in
            ErrorReport(code: error.code.rawValue, message: error.message, cure: error.cure)
        }
    }

    /// How a root is watched that is not watched all over; nil if it is.
    func watching(of root: FilePath) -> String? {
        if errors.keys.contains(where: { root.lies(in: $0) }) { return "polled" }
        return errors.keys.contains { $0.lies(in: root) } ? "watched, in parts polled" : nil
    }

    /// - Returns: Whether no other directory is unwatched for that reason, so that it should be reported.
    mutating func insert(_ directory: FilePath, _ error: WatchError) -> Bool {
        let isNews = !errors.values.contains { $0.code == error.code }
        errors[directory] = error
        return isNews
    }

    mutating func remove(atOrBelow directory: FilePath) {
        if !errors.isEmpty { errors = errors.filter { !$0.key.lies(in: directory) } }
    }
}
