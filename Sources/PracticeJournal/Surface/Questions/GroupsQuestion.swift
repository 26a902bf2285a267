internal import RecordFormat
internal import TraceStore

extension Shape<PracticeAnswers.Group> {
    static let group = Shape(
        "PracticeGroup", "A group of games",
        [
            .sometimes("id", "its id", \.group.id),
            .always("bank, location or custom", ["name": \.group.name, "type": \.group.type.text]),
            .always("games", "ids of games", \.group.games),
            .always(
                "its state",
                [
                    "active": \.group.isActive, "archived": \.group.isArchived,
                    "priority": \.group.isPriority, "selected": \.isSelected,
                ]),
            .sometimes(
                "milliseconds since 1970",
                [
                    "start": \.group.start?.asWritten,
                    "end": \.group.end?.asWritten,
                ]),
            .sometimes(
                "the days of these in the journal's zone",
                ["first_day": \.firstDay, "last_day": \.lastDay]),
            .always(
                "how its games are doing",
                [
                    "completion": \.overview.completionAverage, "stale_games": \.overview.staleGames,
                    "weaker_games": \.overview.weakerGames,
                ]),
            .sometimes("recommended", "the game that needs practice most", \.overview.recommended),
        ])
}

extension Question {
    static let groups = list(
        "groups", "The groups of games", of: .group,
        columns: [
            .part("ID", rank: 1, of: { $0.group.id ?? "" }, \.shortID),
            .whole("STATE") { $0.group.isArchived ? "archived" : $0.group.isActive ? "active" : "inactive" },
            .text("NAME", least: 16, \.group.name),
            .text("GAMES", least: 24) { $0.names.joined(separator: ", ") },
        ], nothing: "no groups"
    ) { (journal: OpenedPractice, _) in try journal.answers.groups }
}
