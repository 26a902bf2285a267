/// What is asked of a practice journal.
extension AnswerShape {
    /// A row of `trace practice journal`.
    package static let practiceRow = AnswerShape(
        "PracticeRow", "What was practised",
        [
            .always("id", .string, "app- and the id of the row, or library- and that of the log's entry"),
            .always("time", .number, "milliseconds since 1970, with fractions"),
            .always("day", .string, "the local day"),
            .always("text", .string, "what it says, in lines"),
            .sometimes("game", .string, "the id of the game that it is about"),
        ])

    /// `trace practice game`.
    package static let practiceGame = AnswerShape(
        "PracticeGame", "The numbers of a game, its alerts, and what is noted about it",
        [
            .game,
            .sometimes("scores", .object(practiceScores), "of its scores, if there are any"),
            .always("score_timeline", .object(practiceGaps), "how they are spread over time"),
            .always("progress", .object(practiceProgress), "how far each task is done"),
            .always("completion", .integer, "their mean"),
            .sometimes("days_since_practice", .integer, "whole days"),
            .always("focus", .number, "how much the game needs practice"),
            .always("alerts", .array(.object(practiceAlert)), "what there is to look at"),
            .sometimes("group", .string, "the id of the group in which it is practised"),
            .sometimes(["note", "video_hint"], .string, "what is noted"),
            .sometimes("rulesheet_offset", .number, "where reading stopped"),
        ])

    private static let practiceScores = AnswerShape(
        "PracticeScores", "The scores of a game",
        [
            .always("count", .integer, "how many there are"),
            .always(
                ["average", "median", "floor", "lower_quartile", "upper_quartile", "spread"], .number,
                "the spread in medians"),
            .always("consistency", .string, "Stable or High Risk"),
        ])

    private static let practiceGaps = AnswerShape(
        "PracticeGaps", "How the scores of a game are spread over time",
        [
            .always(
                ["active_sessions", "long_gaps", "longest_gap_days"], .integer,
                "a gap is long from 14 days on")
        ])

    private static let practiceProgress = AnswerShape(
        "PracticeProgress", "How far each task of a game is done",
        [
            .always(
                ["playfield", "rulesheet", "tutorialVideo", "gameplayVideo", "practice"], .integer,
                "in percent")
        ])

    private static let practiceAlert = AnswerShape(
        "PracticeAlert", "What there is to look at",
        [.always(["severity", "message"], .string, "info, caution or warning, and the text")])

    /// `trace practice slots`.
    package static let practiceSlots = AnswerShape(
        "PracticeSlots", "With which games, filter and venue an app begins",
        [
            .always("quick", .object(practiceQuickGames), "the games of quick entry"),
            .sometimes(
                ["practice_viewed", "library_viewed"], .object(practiceViewed),
                "the games that were looked at last"),
            .sometimes("journal_filter", .string, "all, study, practice, score, notes or league"),
            .sometimes("library_source", .string, "the id of a venue or category"),
            .sometimes("resume", .string, "the id of the game to continue with"),
        ])

    private static let practiceQuickGames = AnswerShape(
        "PracticeQuickGames", "The games of quick entry",
        [.sometimes(["score", "study", "practice", "mechanics"], .string, "the ids of the games")])

    private static let practiceViewed = AnswerShape(
        "PracticeViewedGame", "A game that was looked at",
        [
            .always("game", .string, "its id"),
            .sometimes("time", .number, "milliseconds since 1970"),
        ])

    /// A row of `trace practice focus`.
    package static let practiceFocus = AnswerShape(
        "PracticeFocus", "How much a game needs practice",
        [
            .game, .always("focus", .number, "how much it needs practice"),
            .always("completion", .integer, "in percent"),
        ])

    /// A row of `trace practice groups`.
    package static let practiceGroup = AnswerShape(
        "PracticeGroup", "A group of games",
        [
            .sometimes("id", .string, "its id"),
            .always(["name", "type"], .string, "bank, location or custom"),
            .always("games", .array(.string), "ids of games"),
            .always(["active", "archived", "priority", "selected"], .boolean, "its state"),
            .sometimes(["start", "end"], .number, "milliseconds since 1970"),
            .always(
                ["completion", "stale_games", "weaker_games"], .integer, "how its games are doing"),
            .sometimes("recommended", .string, "the game that needs practice most"),
        ])

    /// A row of `trace practice mechanics --summary`.
    package static let practiceSkill = AnswerShape(
        "PracticeSkill", "How a flipper skill has been",
        [
            .always("skill", .string, "its name"), .always("logs", .integer, "how many there are"),
            .sometimes("latest", .integer, "1 to 5"),
            .sometimes(["average", "trend"], .number, "of all, and of the later half less the earlier one"),
        ])

    /// A row of `trace practice library list`.
    package static let libraryGame = AnswerShape(
        "LibraryGame", "A game of the library",
        [
            .always(
                ["game", "id", "slug", "name", "source"], .string,
                "its key, the id of the entry, and where it stands"),
            .sometimes("source_name", .string, "the venue or category"),
            .sometimes(["bank", "group", "position"], .integer, "its place there"),
            .sometimes("area", .string, "where it stands in the venue"),
            .always("played", .boolean, "whether there is a score of it"),
            .always(["tutorials", "gameplays"], .integer, "how many videos there are"),
            .sometimes(
                ["rulesheet_url", "playfield_url"], .string, "what to read and to look at, on the web"),
            .sometimes(["rulesheet_file", "playfield_file"], .string, "the same as paths below `library/`"),
            .always("videos", .array(.object(libraryVideo)), "the videos, in their order"),
        ])

    /// A video of a game.
    private static let libraryVideo = AnswerShape(
        "LibraryVideo", "A video of a game",
        [
            .always("kind", .string, "`tutorial` or `gameplay`"),
            .sometimes(["label", "url"], .string, "its name and its address"),
        ])
}

extension [AnswerShape.Member] {
    fileprivate static var game: Self { .always(["game", "name"], .string, "its id and its name") }
}
