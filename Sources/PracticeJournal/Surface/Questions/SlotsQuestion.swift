internal import RecordFormat
internal import TraceStore
internal import TraceText

/// Slots, with the library that says which games they hold.
struct HeldSlots {
    let slots: ResumeSlots
    let library: GameLibrary

    subscript(game slot: ResumeSlots.Slot) -> String? { slots.game(slot, in: library) }

    /// A game that was looked at.
    struct Viewed {
        let game: String
        let time: Double?
    }

    subscript(viewed slot: ResumeSlots.Slot) -> Viewed? {
        self[game: slot].map { Viewed(game: $0, time: slots.time(slot)) }
    }
}

extension Shape<HeldSlots> {
    static let slots = Shape(
        "PracticeSlots", "With which games, filter and venue an app begins",
        [
            .always("quick", "the games of quick entry", quick, \.self),
            .sometimes(
                "the games that were looked at last", viewed,
                [
                    "practice_viewed": \.[viewed: .practiceViewed],
                    "library_viewed": \.[viewed: .libraryViewed],
                ]),
            .sometimes("journal_filter", "all, study, practice, score, notes or league") {
                $0.slots[.journalFilter]
            },
            .sometimes("library_source", "the id of a venue or category") { $0.slots[.librarySource] },
            .sometimes("league_auto_fill", "`on` if league scores are imported by themselves") {
                $0.slots[.leagueAutoFill]
            },
            .sometimes("resume", "the id of the game to continue with") {
                $0.slots.resumeGame(in: $0.library)
            },
        ])

    private static let quick = Shape<HeldSlots>(
        "PracticeQuickGames", "The games of quick entry",
        [
            .sometimes(
                "the ids of the games",
                [
                    "score": \.[game: .quickScore], "study": \.[game: .quickStudy],
                    "practice": \.[game: .quickPractice], "mechanics": \.[game: .quickMechanics],
                ])
        ])

    private static let viewed = Shape<HeldSlots.Viewed>(
        "PracticeViewedGame", "A game that was looked at",
        [
            .always("game", "its id", \.game),
            .sometimes("time", "milliseconds since 1970", \.time?.asWritten),
        ])
}

extension Question {
    static let slots = one(
        "slots", "With which games, filter and venue an app begins", of: .slots
    ) { (journal: OpenedPractice, _) in
        HeldSlots(slots: try journal.slots, library: try journal.library)
    } screen: { held, reader in
        let rows = ResumeSlots.Slot.allCases.map { slot in
            [
                slot.rawValue,
                held[game: slot].map { held.library.name(of: $0) } ?? held.slots[slot] ?? "-",
                held.slots.time(slot).map { reader.zone.minuteText(Timestamp(flooring: $0)) } ?? "",
            ]
        }
        return [.table([.whole("SLOT"), .text("HOLDS", least: 16), .whole("SINCE", rank: 1)], rows)]
    }
}
