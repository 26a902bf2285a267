internal import RecordFormat
internal import TraceStore

extension Shape<PracticeAnswers.Focus> {
    static let focus = Shape(
        "PracticeFocus", "How much a game needs practice",
        [
            .always("its id and its name", ["game": \.game, "name": \.name]),
            .always("focus", "how much it needs practice", \.priority),
            .always("completion", "in percent", \.completion),
        ])
}

extension Question {
    static let focus = list(
        "focus", "The games, those that need practice most first", of: .focus,
        columns: [
            .number("PRIORITY") { DocumentNumber.text(($0.priority * 1000).rounded() / 1000) },
            .number("COMPLETE") { "\($0.completion)%" }, .text("GAME", least: 20, \.name),
        ], nothing: "no games: there is no library"
    ) { (journal: OpenedPractice, _) in try journal.answers.focus }
}
