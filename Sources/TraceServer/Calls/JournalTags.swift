internal import Synchronization

/// The tags of answers about journals that were made lately, by what the answers are made of: a client that has one gets 304
/// without its being made again.
final class JournalTags: Sendable {
    private let tags = Mutex<[EntityTag: EntityTag]>([:])

    /// How many tags are kept; with more, all of them are dropped.
    private static let capacity = 1024

    /// The tag of the answer's bytes, by that of its ingredients; nil if it must be made to tell.
    subscript(ingredients: EntityTag) -> EntityTag? {
        get { tags.withLock { $0[ingredients] } }
        set {
            tags.withLock { tags in
                if tags.count >= Self.capacity { tags = [:] }
                tags[ingredients] = newValue
            }
        }
    }
}
