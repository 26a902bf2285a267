internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// The sessions and other journals, as far as the checks ask about them: of roots that a daemon watches by the index, of others by their files.
final class DoctorSessions {
    private let settings: TraceSettings
    private let known: KnownSessions?
    private var counts: [FilePath: [JournalKind: Int]] = [:]

    init(_ context: CommandContext) {
        settings = context.settings
        known = KnownSessions(
            of: context.roots, in: settings.indexDatabase, watched: context.watched)
    }

    /// How many journals there are in a root, those in roots within it among them.
    func count(in root: FilePath) -> Int { kinds(in: root).values.reduce(0, +) }

    /// How many there are of each kind; sessions also if there are none.
    func text(in root: FilePath) -> String {
        JournalCounts(kinds(in: root)).text
    }

    private func kinds(in root: FilePath) -> [JournalKind: Int] {
        if let known = counts[root] { return known }
        let found = indexed(in: root) ?? found(in: root)
        counts[root] = found
        return found
    }

    private func indexed(in root: FilePath) -> [JournalKind: Int]? {
        let inner = settings.roots.filter { $0.lies(in: root) }
        guard let known, known.roots.isSuperset(of: inner) else { return nil }
        return try? known.index.counts(below: inner)
    }

    private func found(in root: FilePath) -> [JournalKind: Int] {
        let journals = JournalFinder.journals(in: root, of: Journals.all) ?? []
        // A header that can't be looked at is a session's, which is what most of them are.
        return journals.reduce(into: [:]) { counts, path in
            let snapshot = try? Journals.all.snapshot(at: path, settleTime: .zero)
            counts[snapshot?.format.layout.kind ?? .session, default: 0] += 1
        }
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
