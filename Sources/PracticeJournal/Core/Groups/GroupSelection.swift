package import RecordFormat

/// Which of the groups are meant where none is named.
///
/// Source: docs/spec/practice.md#groups.
extension Sequence<PracticeGroup> {
    /// The group that is shown: the stored one, else the first not archived that is active and has priority, else one that is
    /// active, else one not archived, else the first.
    package func selected(stored: String?) -> PracticeGroup? {
        let groups = Array(self)
        let key = stored.map { UUIDText.key($0.trimmed) }
        let open = groups.filter { !$0.isArchived }
        return groups.first { key != nil && $0.id.map(UUIDText.key) == key }
            ?? open.first { $0.isActive && $0.isPriority } ?? open.first(where: \.isActive) ?? open.first
            ?? groups.first
    }

    /// The group in which a game is practised now: not archived, active, with the game; one with priority first.
    ///
    /// - Parameter game: Its key.
    package func active(for game: String, in library: GameLibrary = GameLibrary()) -> PracticeGroup? {
        let groups = filter { group in
            !group.isArchived && group.isActive && group.games.contains { library.canonical($0).id == game }
        }
        return groups.first(where: \.isPriority) ?? groups.first
    }

    /// The groups that end by themselves: from the start of the day after their last one on.
    package func expired(at now: Timestamp, in zone: ZoneRules) -> [PracticeGroup] {
        filter { group in
            guard !group.isArchived, let end = group.end else { return false }
            return now >= zone.startOfDay(of: Timestamp(flooring: end), plus: 1)
        }
    }
}
