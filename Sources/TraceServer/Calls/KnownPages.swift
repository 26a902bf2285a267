internal import RecordFormat
internal import Synchronization
internal import SystemPackage
internal import TraceConfiguration
internal import TraceIndex
internal import TraceLibrary

/// What answers about many sessions are made of, while a daemon watches them all: two states that are equal have the same sessions, and
/// the same index of them.
struct ArchiveState: Sendable, Hashable {
    private let roots: WatchedRoots
    private let index: IndexFileState

    /// - Returns: Nil if the daemon does not know all roots, or if a later change of the index could leave the same.
    init?(_ watched: WatchedRoots?, of roots: SessionRoots, in index: JournalIndex) {
        guard let watched, let state = index.fileState(), state.isOf(watched.database),
            watched.known(of: roots).count == roots.paths.count
        else { return nil }
        self.roots = watched
        self.index = state
    }
}

/// The tags of pages that were made lately, by the questions and by what they were made of.
///
/// A page shows some things of which no state of the index tells: that nothing has happened in a session for long, and what has come by
/// ways that no watcher sees, for which the sessions on it are compared (``AnswerFreshness/note(shown:)``). It is therefore made again
/// after a second, however often it is asked for.
final class KnownPages: Sendable {
    /// What is asked, of what.
    struct Key: Hashable {
        let question: EntityTag
        let state: ArchiveState
    }

    private let pages = Mutex<[Key: (tag: EntityTag, made: ContinuousClock.Instant)]>([:])

    private static let lifetime = Duration.seconds(1)
    /// How many pages are kept; with more, all of them are dropped.
    private static let capacity = 512

    /// Keeps the tag of a page.
    ///
    /// - Parameter start: When its making began.
    func keep(_ tag: EntityTag, _ key: Key, since start: ContinuousClock.Instant) {
        pages.withLock { pages in
            if pages.count >= Self.capacity { pages = [:] }
            pages[key] = (tag, start)
        }
    }

    /// The tag of a page; nil if it must be made to tell.
    func recall(_ key: Key) -> EntityTag? {
        guard let page = pages.withLock({ $0[key] }), page.made.duration(to: .now) < Self.lifetime else {
            return nil
        }
        return page.tag
    }
}
