internal import Journals
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceIndex
internal import TraceStore
internal import TraceText

/// Where sessions are, as the index knows it; each is asked for once.
package final class IndexedPlaces {
    private let index: JournalIndex
    private let roots: [FilePath]
    private var known: [ULID: [FilePath]] = [:]

    /// - Parameter roots: Sessions elsewhere are left out, and those of roots that are offline.
    package init(_ index: JournalIndex, below roots: [FilePath]) {
        self.index = index
        self.roots = roots
    }

    /// The directories of the sessions that have an id.
    func sessions(with id: ULID) -> [FilePath] {
        if let paths = known[id] { return paths }
        let found = (try? index.sessions(withIDPrefix: id.description)) ?? []
        let paths = found.filter(\.isOnline).map(\.path).filter { path in
            roots.contains { path.lies(in: $0) } && Self.mayBeSession(path)
        }
        known[id] = paths
        return paths
    }

    /// The directories of the journals of any kind that have an id.
    package func journals(with id: ULID) -> [FilePath] {
        let found = sessions(with: id)
        guard found.isEmpty else { return found }
        return ((try? index.onlineJournals(withID: id)) ?? []).filter { path in
            roots.contains { path.lies(in: $0) } && Self.mayBeSession(path)
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
