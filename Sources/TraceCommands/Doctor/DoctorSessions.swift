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
    private let roots: SessionRoots
    private let known: KnownSessions?
    private var counts: [FilePath: [JournalKind: Int]] = [:]

    init(_ context: CommandContext) {
        roots = context.roots
        known = KnownSessions(
            of: context.roots, in: context.settings.indexDatabase, watched: context.watched)
    }

    /// How many journals there are in a root, without those of roots within it.
    func count(in root: FilePath) -> Int { kinds(in: root).values.reduce(0, +) }

    /// How many there are of each kind; sessions also if there are none. A root to which another path leads has those of that one.
    func text(in root: FilePath) -> String {
        let own = roots.ownPath(of: root)
        guard own == root else { return "the same directory as the root \(own.escaped)" }
        return JournalCounts(kinds(in: root)).text
    }

    private func kinds(in root: FilePath) -> [JournalKind: Int] {
        if let known = counts[root] { return known }
        let found = indexed(in: root) ?? found(in: root)
        counts[root] = found
        return found
    }

    private func indexed(in root: FilePath) -> [JournalKind: Int]? {
        guard let known, known.roots.contains(root) else { return nil }
        return try? known.index.counts(below: [root])
    }

    private func found(in root: FilePath) -> [JournalKind: Int] {
        // A header that can't be looked at is a session's, which is what most of them are.
        roots.journals(of: root).reduce(into: [:]) { counts, path in
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
        let others = roots.paths.filter { known?.roots.contains($0) != true }
        return SessionLocator(roots: others).candidates().lazy.compactMap { candidate in
            candidate.session.updatedAt.map { (candidate.path, $0) }
        }.first { $0.1 > moment }
    }
}
