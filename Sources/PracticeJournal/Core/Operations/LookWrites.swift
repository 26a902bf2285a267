internal import RecordFormat

/// A game was looked at.
package struct BrowseWrite: PracticeWrite {
    private let game: String

    /// How long after one a further look at a game is no other one, in milliseconds.
    static let pause = 45_000.0

    package init(game: String) { self.game = game }

    init(_ asked: Arguments) { self.init(game: asked[.gameIfAny] ?? "") }

    package var remembered: [ResumeSlots.Change] { [ResumeSlots.Change(.practiceViewed, game)] }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        let game = context.game(game)
        if game.isEmpty { return .nothing("no game") }
        let newest = context.document.rows.lazy.filter {
            $0.action?.known == .gameBrowse && $0.game == game
        }.compactMap(\.time).max()
        if let newest, abs(context.time - newest) < Self.pause {
            return .nothing("browsed less than 45 s ago")
        }
        return .adding(
            .row(id: context.id(.journal), game: game, action: .gameBrowse, time: context.time))
    }
}

/// Where reading a rule sheet or watching the videos stopped.
package struct ResumeWrite: PracticeWrite {
    private let game: String
    private let rulesheet: Double?
    private let video: String?

    /// - Parameters:
    ///   - rulesheet: How far down it was read, ≥ 0.
    ///   - video: A hint; a blank one is taken away.
    package init(game: String, rulesheet: Double? = nil, video: String? = nil) {
        self.game = game
        self.rulesheet = rulesheet
        self.video = video
    }

    static let rulesheet = Parameter<Double?>("rulesheet", "How far down the rulesheet was read: 0.4")
    static let video = Parameter<String?>("video", "Where watching stopped; an empty one is removed")

    init(_ asked: Arguments) {
        self.init(game: asked[.game], rulesheet: asked[Self.rulesheet], video: asked[Self.video])
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        let game = try context.requiredGame(game)
        var change = DocumentChange()
        if let rulesheet {
            guard rulesheet >= 0, rulesheet.isFinite else {
                throw WriteRejection("rulesheet must not be negative.")
            }
            change.members.append(.map(.rulesheetResumeOffsets, game, DocumentNumber.json(rulesheet)))
        }
        if let video {
            change.members.append(.map(.videoResumeHints, game, video.trimmedOrNil.map { JSONText($0) }))
        }
        return change.isEmpty ? .nothing("no position") : .change(change)
    }
}

/// Something was looked at in the library; it goes into the library's log.
struct LibraryWrite: PracticeWrite {
    private let game: String
    private let kind: LogKind
    private let detail: String?

    init(game: String, kind: LogKind, detail: String? = nil) {
        self.game = game
        self.kind = kind
        self.detail = detail?.trimmedOrNil
    }

    static let kind = Parameter<LogKind>(
        required: "kind", "What was looked at: browseGame, openRulesheet, openPlayfield or tapVideo",
        otherwise: .browseGame)
    static let detail = Parameter<String?>("detail", "Which video it was")

    init(_ asked: Arguments) {
        self.init(game: asked[.game], kind: asked[Self.kind], detail: asked[Self.detail])
    }

    package var remembered: [ResumeSlots.Change] { [ResumeSlots.Change(.libraryViewed, game)] }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        let game = try context.requiredGame(game)
        return .log(
            LogEntry(
                id: context.id(.library), game: game, gameName: context.library.name(of: game), kind: kind,
                detail: detail, time: context.time))
    }
}
