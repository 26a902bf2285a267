/// What a token lets its holder do.
package enum AccessScope: String, Sendable, Hashable, CaseIterable {
    /// Listen, read and search.
    case read
    /// Also mark, speak notes, start and end sessions.
    case mark
    /// Also approve actions, change digests, manage the queue and tokens.
    case admin
    /// Read one feed, and nothing else.
    case feed
    /// Deliver a waterline, and nothing else.
    case waterline

    /// Whether a token of this scope may do what needs `needed`: `read`, `mark` and `admin` contain each other in this order;
    /// `feed` and `waterline` contain nothing and are contained in nothing.
    package func allows(_ needed: AccessScope) -> Bool {
        switch (level, needed.level) {
        case (let own?, let other?): own >= other
        default: self == needed
        }
    }

    /// The place among those that contain each other; nil for those that stand alone.
    private var level: Int? {
        switch self {
        case .read: 1
        case .mark: 2
        case .admin: 3
        case .feed, .waterline: nil
        }
    }
}
