internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import TraceText

/// `score GAME SCORE`
struct ScoreVerb: PracticeVerb {
    static let name = "score"
    static let abstract = "Log a score."

    @Argument(help: "The game: its id, or the beginning of its name.", transform: words)
    var game: String
    @Argument(help: "The score: 12345678, 12,345,678.", transform: words)
    var score: String
    @Option(help: "Where it was played: practice, league or tournament.", transform: words)
    var context: String?
    @Option(help: "The tournament's name.", transform: words)
    var tournament: String?

    var operation: PracticeOperation { .score }
    var typedGame: String? { game }

    func payload(_ game: String?) throws -> JSONText {
        let number = try scoreNumber(score)
        return .object { text in
            text.member("game", game.map { JSONText($0) })
            text.member("score", number)
            text.member("context", (context ?? (tournament == nil ? nil : "tournament")).map { JSONText($0) })
            text.member("tournament", tournament.map { JSONText($0) })
        }
    }
}

/// A score that was typed: `12345678`, `12,345,678`.
private func scoreNumber(_ typed: String) throws -> JSONText {
    guard let number = ScoreText.number(typed) else {
        throw CommandFailure(.usage, "'\(typed)' is not a score", cure: "write it as 12345678 or 12,345,678")
    }
    return DocumentNumber.json(number)
}

/// A share of a task that was typed: `40`, `40%`.
private func percent(_ typed: String) throws -> Int {
    guard let percent = Int(typed.hasSuffix("%") ? String(typed.dropLast()) : typed),
        (0...100).contains(percent)
    else { throw CommandFailure(.usage, "'\(typed)' is not a percentage from 0 to 100") }
    return percent
}

/// `read GAME 40%`
struct ReadVerb: PracticeVerb {
    static let name = "read"
    static let abstract = "Log how much of a rulesheet has been read."

    @Argument(help: "The game.", transform: words)
    var game: String
    @Argument(help: "How much of it: 40%.", transform: words)
    var progress: String?
    @Option(help: "A note.", transform: words)
    var note: String?

    var operation: PracticeOperation { .task }
    var typedGame: String? { game }

    func payload(_ game: String?) throws -> JSONText {
        try taskPayload(.rulesheet, game, progress, note)
    }
}

/// `view GAME`
struct ViewVerb: PracticeVerb {
    static let name = "view"
    static let abstract = "Log that a playfield has been viewed."

    @Argument(help: "The game.", transform: words)
    var game: String
    @Option(help: "A note.", transform: words)
    var note: String?

    var operation: PracticeOperation { .task }
    var typedGame: String? { game }

    func payload(_ game: String?) throws -> JSONText { try taskPayload(.playfield, game, nil, note) }
}

private func taskPayload(
    _ task: StudyTask, _ game: String?, _ progress: String?, _ note: String?
) throws -> JSONText {
    let progress = try progress.map(percent)
    return .object { text in
        text.member("game", game.map { JSONText($0) })
        text.member("task", task.rawValue)
        text.member("progress", progress.map { DocumentNumber.json($0) })
        text.member("note", note.map { JSONText($0) })
    }
}

/// `session GAME`
struct SessionVerb: PracticeVerb {
    static let name = "session"
    static let abstract = "Log a practice session."

    @Argument(help: "The game.", transform: words)
    var game: String
    @Option(help: "How many minutes it took.", transform: words)
    var minutes: String?
    @Option(help: "What was practised: general, shots, modes, multiball or strategy.", transform: words)
    var focus: String?
    @Option(help: "A note.", transform: words)
    var note: String?

    var operation: PracticeOperation { .task }
    var typedGame: String? { game }

    func payload(_ game: String?) throws -> JSONText {
        guard let category = focus.map(NoteCategory.init(rawValue:)) ?? .general else {
            throw CommandFailure(.usage, "--focus is one of general, shots, modes, multiball, strategy")
        }
        let composed: String
        do throws(WriteRejection) {
            composed = try ComposedText.practiceNote(minutes: minutes ?? "", category: category, note: note)
        } catch { throw CommandFailure(.usage, error.message) }
        return try taskPayload(.practice, game, nil, composed)
    }
}

/// `watch GAME --tutorial 1 60%`
struct WatchVerb: PracticeVerb {
    static let name = "watch"
    static let abstract = "Log how much of a video has been watched."

    @Argument(help: "The game.", transform: words)
    var game: String
    @Argument(help: "How much of it: 60%; by default, all.", transform: words)
    var progress: String?
    @Option(help: "The number of the tutorial video.")
    var tutorial: Int?
    @Option(help: "The number of the gameplay video.")
    var gameplay: Int?
    @Option(help: ArgumentHelp("Where in it: 10:00/1:00:00.", valueName: "time/length"), transform: words)
    var at: String?
    @Option(help: "A note.", transform: words)
    var note: String?

    var operation: PracticeOperation { .video }
    var typedGame: String? { game }

    func validate() throws {
        if tutorial != nil, gameplay != nil {
            throw ValidationError("give --tutorial or --gameplay, not both")
        }
        if at != nil, progress != nil { throw ValidationError("give a percentage or --at, not both") }
        guard tutorial ?? gameplay ?? 1 > 0 else {
            throw ValidationError("videos are counted from 1: --tutorial 1")
        }
    }

    func payload(_ game: String?) throws -> JSONText {
        let isGameplay = gameplay != nil
        let source = "\(isGameplay ? "Gameplay" : "Tutorial") \(gameplay ?? tutorial ?? 1)"
        let watched: VideoProgress
        do throws(WriteRejection) { watched = try progress(of: source) } catch {
            throw CommandFailure(.usage, error.message)
        }
        return .object { text in
            text.member("game", game.map { JSONText($0) })
            text.member("action", (isGameplay ? RowAction.gameplayWatch : .tutorialWatch).rawValue)
            text.member("kind", watched.kind.rawValue)
            text.member("value", watched.value)
            text.member("progress", DocumentNumber.json(watched.percent))
            text.member("note", note.map { JSONText($0) })
        }
    }

    private func progress(of source: String) throws(WriteRejection) -> VideoProgress {
        if let progress {
            guard let share = try? percent(progress) else {
                throw WriteRejection("'\(progress)' is not a percentage from 0 to 100")
            }
            return try VideoProgress(source: source, percent: Double(share))
        }
        // A time without hours is one of less than an hour.
        let times = (at ?? "").split(separator: "/", omittingEmptySubsequences: false).map { time in
            time.split(separator: ":").count == 2 ? "0:\(time)" : String(time)
        }
        return try VideoProgress(
            source: source, watched: times.first ?? "", total: times.count > 1 ? times[1] : "")
    }
}

/// `note GAME TEXT`
struct NoteVerb: PracticeVerb {
    static let name = "note"
    static let abstract = "Write a note about a game."

    @Argument(help: "The game; - for all games.", transform: words)
    var game: String
    @Argument(help: "The note.", transform: words)
    var text: String
    @Option(help: "general, shots, modes, multiball or strategy.", transform: words)
    var category: String?
    @Option(help: "What of it the note is about.", transform: words)
    var detail: String?

    var operation: PracticeOperation { .note }
    var typedGame: String? { game == "-" ? nil : game }

    func payload(_ game: String?) throws -> JSONText {
        .object { object in
            object.member("game", game ?? "")
            object.member("category", category ?? NoteCategory.general.rawValue)
            object.member("detail", detail.map { JSONText($0) })
            object.member("note", text)
        }
    }
}

/// `browse GAME`
struct BrowseVerb: PracticeVerb {
    static let name = "browse"
    static let abstract = "Log that a game has been looked at."

    @Argument(help: "The game.", transform: words)
    var game: String

    var operation: PracticeOperation { .browse }
    var typedGame: String? { game }

    func payload(_ game: String?) throws -> JSONText {
        .object { $0.member("game", game.map { JSONText($0) }) }
    }
}

/// `edit ROW key=value…`
struct EditVerb: PracticeVerb {
    static let name = "edit"
    static let abstract = "Change a row of the journal, and the record that it stands for."

    @Argument(help: "The id of the row.", transform: words)
    var row: String
    @Argument(
        help: ArgumentHelp("Members and their values; key= clears one.", valueName: "key=value"),
        transform: words)
    var changes: [String]

    var operation: PracticeOperation { .edit }

    func payload(_ game: String?) throws -> JSONText {
        var members: [(String, JSONText)] = []
        for change in changes {
            let member = try KeyValue(change)
            members.append((member.key, try Self.json(member.key, member.value)))
        }
        return .object { object in
            object.member("row", row)
            object.member(
                "patch", .object { patch in for (key, value) in members { patch.member(key, value) } })
        }
    }

    private static func json(_ key: String, _ value: String) throws -> JSONText {
        if value.isEmpty { return .null }
        switch key {
        case "score": return try scoreNumber(value)
        case "progressPercent": return DocumentNumber.json(try percent(value))
        default: return JSONText(value)
        }
    }
}

/// `key=value`, as a person types it.
struct KeyValue {
    let key: String
    let value: String

    /// - Throws: ``CommandFailure`` with `.usage` if there is no key.
    init(_ typed: String) throws {
        guard let equals = typed.firstIndex(of: "="), equals != typed.startIndex else {
            throw CommandFailure(.usage, "'\(typed)' is not of the form key=value")
        }
        key = String(typed[..<equals])
        value = String(typed[typed.index(after: equals)...])
    }
}

/// `delete ROW`
struct DeleteVerb: PracticeVerb {
    static let name = "delete"
    static let abstract = "Delete a row of the journal, and the record that it stands for."

    @Argument(help: "The id of the row.", transform: words)
    var row: String

    var operation: PracticeOperation { .delete }

    func payload(_ game: String?) throws -> JSONText { .object { $0.member("row", row) } }
}

/// `gamenote GAME TEXT`
struct GameNoteVerb: PracticeVerb {
    static let name = "gamenote"
    static let abstract = "Set the note about a game as a whole."

    @Argument(help: "The game.", transform: words)
    var game: String
    @Argument(help: "The note; an empty one is removed.", transform: words)
    var text: String

    var operation: PracticeOperation { .gamenote }
    var typedGame: String? { game }

    func payload(_ game: String?) throws -> JSONText {
        .object { object in
            object.member("game", game.map { JSONText($0) })
            object.member("note", text)
        }
    }
}

/// `mechanics [GAME] LEVEL --skill S`
struct MechanicsVerb: PracticeVerb {
    static let name = "mechanics"
    static let abstract = "Log how well a flipper skill went, from 1 to 5."

    @Argument(
        help: ArgumentHelp(
            "The game, if it was one, and the competency from 1 to 5.", valueName: "game level"),
        transform: words)
    var typed: [String] = []
    @Option(help: "The skill: Post Pass, Live Catch, ….", transform: words)
    var skill: String?
    @Option(help: "A note.", transform: words)
    var note: String?

    var operation: PracticeOperation { .mechanics }
    var typedGame: String? { typed.count > 1 ? typed.first : nil }

    func payload(_ game: String?) throws -> JSONText {
        guard (1...2).contains(typed.count), let level = typed.last.flatMap({ Int($0) }) else {
            throw CommandFailure(
                .usage, "give the competency from 1 to 5, with the game before it if it was one")
        }
        return .object { text in
            text.member("game", game ?? "")
            text.member("skill", skill.map { JSONText($0) })
            text.member("competency", DocumentNumber.json(level))
            text.member("note", note.map { JSONText($0) })
        }
    }
}
