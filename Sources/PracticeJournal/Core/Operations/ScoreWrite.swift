internal import RecordFormat

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

    static let score = Parameter<Double>(
        "score", "The score: 12345678, 12,345,678", reading: TypedNumber.score)
    static let context = Parameter<ScoreContext?>(
        "context", "Where it was played: practice, league or tournament")
    static let tournament = Parameter<String?>("tournament", "The tournament's name")

    init(_ asked: Arguments) {
        self.init(
            game: asked[.game], score: asked[Self.score], context: asked[Self.context] ?? .practice,
            tournament: asked[Self.tournament])
    }

    package var remembered: [ResumeSlots.Change] { [ResumeSlots.Change(.quickScore, game)] }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
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
