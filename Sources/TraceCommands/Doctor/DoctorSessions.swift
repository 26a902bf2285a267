internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// The sessions, as far as the checks ask about them: of roots that a daemon watches by the index, of others by their files.
final class DoctorSessions {
    private let settings: TraceSettings
    private let known: KnownSessions?
    private var counts: [FilePath: Int] = [:]

    init(_ context: CommandContext) {
        settings = context.settings
        known = KnownSessions(
            of: context.roots, in: settings.indexDatabase, watched: context.watched)
    }

    /// How many there are in a root, those in roots within it among them.
    func count(in root: FilePath) -> Int {
        if let count = counts[root] { return count }
        let count = indexedCount(in: root) ?? SessionFinder.sessions(in: root).count
        counts[root] = count
        return count
    }

    private func indexedCount(in root: FilePath) -> Int? {
        let inner = settings.roots.filter { $0.lies(in: root) }
        guard let known, known.roots.isSuperset(of: inner) else { return nil }
        return (try? known.index.summary(below: inner))?.count
    }

    /// The first session that says of itself that it was changed after a moment.
    func session(updatedAfter moment: Timestamp) -> (path: FilePath, updatedAt: Timestamp)? {
        if let known, let session = try? known.index.session(below: Array(known.roots), updatedAfter: moment)
        {
            return session
        }
        let others = settings.roots.filter { known?.roots.contains($0) != true }
        return SessionLocator(roots: others).candidates().lazy.compactMap { candidate in
            candidate.session.updatedAt.map { (candidate.path, $0) }
        }.first { $0.1 > moment }
    }
}
