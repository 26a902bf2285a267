internal import Journals
internal import SystemPackage
internal import RecordFormat
internal import TraceFormat
internal import TraceFiles
internal import TraceStore

/// The journals other than sessions, as they were at the last look.
struct FollowedJournals {
    private let roots: SessionRoots
    private let only: FilePath?
    private var known: [FilePath: State] = [:]

    private struct State {
        let kind: JournalKind
        let files: [JournalSnapshot.FileState]
        let id: ULID?
        let title: String?

        /// Nil if there is no journal, or a session.
        init?(of path: FilePath) {
            guard let snapshot = try? Journals.all.snapshot(at: path, settleTime: .zero),
                snapshot.format.layout.kind != .session
            else { return nil }
            kind = snapshot.format.layout.kind
            files = snapshot.states
            let header = try? snapshot.format.header(of: snapshot)
            id = header?.id.flatMap { ULID($0) }
            title = header?.title
        }
    }

    /// - Parameter only: The one directory or file that is followed, nil for all below the roots; where a session is, nothing is
    ///   reported.
    init(_ roots: SessionRoots, only: FilePath?) {
        self.roots = roots
        self.only = only
    }

    /// How many there are of each kind.
    var counts: [JournalKind: Int] { known.values.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 } }

    /// Looks everywhere for those that are not known.
    ///
    /// - Returns: What has come.
    mutating func lookEverywhere() -> [LibraryEvent] { look(below: only.map { [$0] } ?? roots.paths) }

    /// Looks below directories for those that are not known.
    ///
    /// - Returns: What has come.
    mutating func look(below directories: [FilePath]) -> [LibraryEvent] {
        let found: [FilePath]
        if let only {
            found = directories.contains { only.starts(with: $0) } ? [only] : []
        } else {
            found = directories.flatMap { JournalFinder.journals(in: $0, of: Journals.all) ?? [] }
        }
        return found.filter { known[$0] == nil }.flatMap { look(at: $0) }
    }

    /// Looks at those that are known.
    ///
    /// - Parameter directories: Only at those below them; nil for all.
    mutating func lookAtKnown(below directories: Set<FilePath>? = nil) -> [LibraryEvent] {
        let paths = known.keys.filter { path in directories?.contains { path.starts(with: $0) } ?? true }
        return paths.sorted { $0.string < $1.string }.flatMap { look(at: $0) }
    }

    /// Looks where something was seen: at the journal in which the directory lies, and at a file that may be one on its own.
    mutating func look(in directory: FilePath, _ name: FilePath.Component?) -> [LibraryEvent] {
        var path = directory
        var events: [LibraryEvent] = []
        if let name, Journals.all.isSingleFile(name) { events += look(at: directory.appending(name)) }
        if let name, Journals.all.isHeader(name) {
            for file in Journals.all.singleFiles(in: directory) where known[file] != nil {
                events += look(at: file)
            }
            return events + look(at: directory)
        }
        while known[path] == nil {
            guard path.removeLastComponent(), !path.isEmpty else { return events }
        }
        return events + look(at: path)
    }

    /// Whether a journal at that path is reported. One that is being made has another name until it is whole.
    private func follows(_ path: FilePath) -> Bool {
        if let only { return path == only }
        return roots.root(of: path).map { JournalFinder.searches(path, below: $0) } ?? false
    }

    private mutating func look(at path: FilePath) -> [LibraryEvent] {
        guard follows(path) else { return [] }
        let old = known[path]
        let new = State(of: path)
        known[path] = new
        let change: LibraryEvent.Change
        switch (old, new) {
        case (nil, nil): return []
        case (nil, _): change = .appeared
        case (_, nil): change = .vanished
        case (let old?, let new?):
            // What comes to the directory beside its files concerns nobody.
            guard old.files.dropFirst(2) != new.files.dropFirst(2) else { return [] }
            change = .changed
        }
        var event = LibraryEvent(.journal, change)
        event.session = path
        event.sessionID = (new ?? old)?.id
        event.title = (new ?? old)?.title
        return [event]
    }
}
