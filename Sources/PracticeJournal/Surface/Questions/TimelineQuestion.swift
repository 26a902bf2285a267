internal import RecordFormat
internal import TraceStore

extension Shape<TimelineItem> {
    static let row = Shape(
        "PracticeRow", "What was practised",
        [
            .always("id", "app- and the id of the row, or library- and that of the log's entry", \.id),
            .always("time", "milliseconds since 1970, with fractions", \.time.asWritten),
            .always("day", "the local day", \.day),
            .always("text", "what it says, in lines", \.text),
            .sometimes("game", "the id of the game that it is about") { $0.game.isEmpty ? nil : $0.game },
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
            .time("TIME") { Timestamp(flooring: $0.time) }, .whole("ROW", rank: 1, \.id),
            .text("TEXT", least: 32) { $0.text.split(separator: "\n").joined(separator: " / ") },
        ], [DeclaredParameter](filter, .onlyGame, style)
    ) { (journal: OpenedPractice, asked) in
        try journal.answers.timeline(
            asked[filter] ?? .all, game: asked[.onlyGame].map(journal.game(named:)),
            style: asked[style] ?? .structured)
    }
}
