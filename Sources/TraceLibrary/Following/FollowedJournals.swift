internal import Journals
internal import SystemPackage
internal import RecordFormat
internal import TraceFormat
internal import TraceFiles
internal import TraceStore

/// The journals other than sessions, as they were at the last look.
struct FollowedJournals {
    private var known: [FilePath: State] = [:]

    private struct State {
        let files: [JournalSnapshot.FileState]
        let id: ULID?
        let title: String?

        /// Nil if there is no journal, or a session.
        init?(of path: FilePath) {
            guard let snapshot = try? Journals.all.snapshot(at: path, settleTime: .zero),
                snapshot.format.layout.kind != .session
            else { return nil }
            files = snapshot.states
            let header = try? snapshot.format.header(of: snapshot)
            id = header?.id.flatMap { ULID($0) }
            title = header?.title
        }
    }

    /// Looks below directories for those that are not known.
    ///
    /// - Returns: What has come.
    mutating func look(below directories: [FilePath]) -> [LibraryEvent] {
        let found = directories.flatMap { JournalFinder.journals(in: $0, of: Journals.all) ?? [] }
        return found.filter { known[$0] == nil }.flatMap { look(at: $0) }
    }

    /// Looks at all that are known.
    mutating func lookAtKnown() -> [LibraryEvent] {
        known.keys.sorted { $0.string < $1.string }.flatMap { look(at: $0) }
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

    private mutating func look(at path: FilePath) -> [LibraryEvent] {
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
