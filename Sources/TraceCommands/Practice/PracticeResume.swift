internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// `resume GAME --rulesheet 0.4 --video HINT`
struct ResumeVerb: PracticeVerb {
    static let name = "resume"
    static let abstract = "Show or note where reading a rulesheet or watching the videos stopped."

    @Argument(help: "The game.", transform: words)
    var game: String
    @Option(help: "How far down the rulesheet was read: 0.4.")
    var rulesheet: Double?
    @Option(help: "Where watching stopped; an empty one is removed.", transform: words)
    var video: String?

    var operation: PracticeOperation { .resume }
    var typedGame: String? { game }

    func payload(_ game: String?) throws -> JSONText {
        .object { text in
            text.member("game", game.map { JSONText($0) })
            text.member("rulesheet", rulesheet.map { DocumentNumber.json($0) })
            text.member("video", video.map { JSONText($0) })
        }
    }
}

/// `trace practice resume GAME`
struct PracticeResume: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: ResumeVerb.name, abstract: ResumeVerb.abstract,
        discussion: "Without an option, shows what is noted.")

    @OptionGroup var verb: ResumeVerb
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            guard verb.rulesheet == nil, verb.video == nil else {
                return try context.write(verb, options, noQueue: false)
            }
            let journal = try OpenPracticeJournal(options, context)
            let key = try journal.library.key(typed: verb.game)
            func last<Value>(_ members: [(game: String, value: Value)]) -> Value? {
                members.last { journal.library.canonical($0.game).id == key }?.value
            }
            let offset = last(journal.document.resumeOffsets.map { ($0.game, $0.offset) })
            let hint = last(journal.document.videoHints.map { ($0.game, $0.hint) })
            let answer = JSONText.object { text in
                text.member("game", key)
                text.member("rulesheet", offset.map { DocumentNumber.json($0) })
                text.member("video", hint.map { JSONText($0) })
            }
            if global.json { Output.json(answer) } else { try Output.members(of: answer) }
        }
    }
}

/// `trace practice undo`
struct PracticeUndo: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back the last write into the journal.")

    @Flag(name: [.customShort("n"), .long], help: "Only show what would be done.")
    var dryRun = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.practiceJournal(options)
            try UndoCommand.undo(in: target.id, isDryRun: dryRun, isJSON: global.json, context)
        }
    }
}
