internal import RecordFormat
internal import TraceStore

extension Shape<TimelineItem> {
    static let row = Shape(
        "PracticeRow", "What was practised",
        [
            .always("id", "app- and the id of the row, or library- and that of the log's entry", \.id),
            .always("time", "milliseconds since 1970, with fractions", \.time.asWritten),
            .always("the day and the time of day in the journal's zone", ["day": \.day, "clock": \.clock]),
            .always("text", "what it says, in lines", \.text),
            .sometimes("game", "the id of the game that it is about") { $0.game.isEmpty ? nil : $0.game },
            .sometimes("name", "the name of that game") { $0.name.isEmpty ? nil : $0.name },
            .sometimes(
                "action",
                "rulesheetRead, tutorialWatch, gameplayWatch, playfieldViewed, gameBrowse, practiceSession, scoreLogged or noteAdded; of the library's log browseGame, openRulesheet, openPlayfield or tapVideo",
                \.values.action),
            .sometimes(
                "task", "playfield, rulesheet, tutorialVideo, gameplayVideo or practice", \.values.task),
            .sometimes("progress", "how much of it was done, in percent", \.values.progress),
            .sometimes("video", "how far a video was watched", video, \.values.video),
            .sometimes("minutes", "how many minutes a practice session took", \.values.minutes),
            .sometimes("focus", "what was practised, as a category of notes", \.values.focus?.rawValue),
            .sometimes("score", "the score", \.values.score?.asWritten),
            .sometimes(
                "where it was played: practice, league or tournament, and which one",
                ["context": \.values.context, "tournament": \.values.tournament]),
            .sometimes(
                "whether the score came from the table of a league, and whether the game has no higher one",
                ["league_imported": \.values.isLeagueImported, "is_best": \.values.isBest]),
            .sometimes(
                "what a note is about: general, shots, modes, multiball or strategy, and what of it",
                ["category": \.values.category, "detail": \.values.detail]),
            .sometimes("skill", "the flipper skill that a note is about", \.values.skill),
            .sometimes("competency", "how well that went, from 1 to 5", \.values.competency),
            .sometimes("note", "what was noted, without what the other members say", \.values.note),
            .sometimes(
                "editable",
                "the members of the row in the document that can be changed; without it none, and it can't be deleted",
                \.values.editable),
        ])

    private static let video = Shape<WatchedVideo>(
        "PracticeVideo", "How far a video was watched",
        [
            .always("value", "as it is written", \.value), .sometimes("kind", "clock or percent", \.kind),
            .sometimes("source", "which video", \.source),
            .sometimes(
                "milliseconds, if the value has times",
                ["watched_ms": \.watched, "length_ms": \.length]),
        ])
}

extension Question {
    private static let filter = Parameter<TimelineFilter?>(
        "filter", "all, study, practice, score, notes or league", standard: .all)
    private static let style = Parameter<RowText.Style?>(
        "style", "structured, a line for each part of a row; line, a sentence", standard: .structured)

    static let timeline = list(
        "journal", "What was practised, newest first", of: .row,
        columns: [
            .time("TIME") { Timestamp(flooring: $0.time) }, .part("ROW", rank: 2, of: \.id, \.shortID),
            .text("GAME", least: 12, rank: 1, \.name), .text("TEXT", least: 24, \.brief),
        ], nothing: "no rows", [DeclaredParameter](filter, .onlyGame, style)
    ) { (journal: OpenedPractice, asked) in
        try journal.answers.timeline(
            asked[filter] ?? .all, game: asked[.onlyGame].map(journal.game(named:)),
            style: asked[style] ?? .structured)
    }
}
