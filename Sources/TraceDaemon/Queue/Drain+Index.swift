internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceStore

extension Drain {
    /// A drain of the queue that the settings name, which asks the index where sessions are, once for each of
    /// them, and which of their ids are taken.
    init(_ settings: TraceSettings, _ index: SessionIndex) {
        let roots = settings.roots
        var known: [ULID: [FilePath]] = [:]
        self.init(QueueDirectories(settings), runtimeDirectory: settings.runtimeDirectory) { id in
            if let paths = known[id] { return paths }
            let paths = Self.sessions(bearing: id, in: index, below: roots)
            known[id] = paths
            return paths
        }
        records = index
    }

    /// The directories of the sessions that have an id, as the index knows them.
    private static func sessions(
        bearing id: ULID, in index: SessionIndex, below roots: [FilePath]
    ) -> [FilePath] {
        let known = (try? index.sessions(withIDPrefix: id.description)) ?? []
        return known.filter(\.isOnline).map(\.path).filter { path in
            roots.contains { path.lies(in: $0) } && mayBeSession(path)
        }
    }

    /// Whether there is a session, as far as can be seen: one that can't be looked at is to fail by that, and not as if it
    /// were not there.
    private static func mayBeSession(_ path: FilePath) -> Bool {
        do { return try Journals.all.isJournal(path) } catch {
            return (error as? FileError)?.code != .notFound
        }
    }
}

extension QueueDirectories {
    /// The queue that the settings name.
    init(_ settings: TraceSettings) {
        self.init(state: settings.stateDirectory, spools: Array(settings.spools.dropFirst()))
    }
}
