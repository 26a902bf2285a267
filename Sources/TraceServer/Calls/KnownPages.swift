internal import Synchronization

/// The tags of pages that were made lately, by the tags of what they were made of.
///
/// A page shows some things of which no state of the index tells: that nothing has happened in a session for long, and what has come by
/// ways that no watcher sees, for which the sessions on it are compared (``AnswerFreshness/note(shown:)``). It is therefore made anew
/// after a second, however often it is asked for.
final class KnownPages: Sendable {
    private let pages = Mutex<[EntityTag: (tag: EntityTag, made: ContinuousClock.Instant)]>([:])

    private static let lifetime = Duration.seconds(1)
    /// How many pages are kept; with more, all of them are dropped.
    private static let capacity = 512

    /// Keeps the tag of a page.
    ///
    /// - Parameters:
    ///   - state: The tag of what it was made of.
    ///   - start: When its making began.
    func keep(_ tag: EntityTag, of state: EntityTag, since start: ContinuousClock.Instant) {
        pages.withLock { pages in
            if pages.count >= Self.capacity { pages = [:] }
            pages[state] = (tag, start)
        }
    }

    /// The tag of a page; nil if it must be made to tell.
    func recall(_ state: EntityTag) -> EntityTag? {
        guard let page = pages.withLock({ $0[state] }), page.made.duration(to: .now) < Self.lifetime else {
            return nil
        }
        return page.tag
    }
}
