/// A score was played.
package struct ScoreWrite: PracticeWrite {
    private let game: String
    private let score: Double
    private let context: ScoreContext
    private let tournament: String?

    /// - Parameter tournament: Its name; counts in the context of a tournament only, and is required there.
    package init(game: String, score: Double, context: ScoreContext = .practice, tournament: String? = nil) {
        self.game = game
        self.score = score
        self.context = context
        self.tournament = context == .tournament ? tournament?.trimmedOrNil : nil
    }

    init(_ payload: WritePayload) throws(WriteRejection) {
        self.init(
            game: try payload.required("game", payload.text("game")),
            score: try payload.required("score", payload.number("score")),
            context: try payload.word("context", ScoreContext.self) ?? .practice,
            tournament: try payload.text("tournament"))
    }

    package var remembered: [ResumeSlots.Change] { [ResumeSlots.Change(.quickScore, game)] }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> WriteOutcome {
        guard score > 0, score.isFinite else { throw .score }
        if self.context == .tournament, tournament == nil { throw .tournament }
        let game = context.game(game)
        return .adding(
            .score(
                id: context.id(.score), game: game, score: score, context: self.context.rawValue,
                tournament: tournament, time: context.time),
            .row(
                id: context.id(.journal), game: game, action: .scoreLogged, score: score,
                scoreContext: self.context.rawValue, tournament: tournament, time: context.time))
    }
}
