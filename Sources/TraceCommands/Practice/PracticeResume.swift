internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `resume GAME --rulesheet 0.4 --video HINT`
struct ResumeVerb: PracticeVerb {
    static let name = "resume"
    static let abstract = "Show or note where reading a rulesheet or watching the videos stopped."

    @Argument(help: "The game; without it the one that was looked at last.", transform: words)
    var game: String?
    @Option(help: "How far down the rulesheet was read: 0.4.")
    var rulesheet: Double?
    @Option(help: "Where watching stopped; an empty one is removed.", transform: words)
    var video: String?

    var operation: PracticeOperation { .resume }
    var typedGame: String? { game }

    func validate() throws {
        guard game != nil || rulesheet == nil && video == nil else {
            throw ValidationError("name the game of which this is to be noted")
        }
        guard rulesheet?.isFinite ?? true else { throw ValidationError("--rulesheet is not a number: 0.4") }
    }

    func payload(_ game: String?) throws -> JSONText {
        .object { text in
            text.member("game", game.map { JSONText($0) })
            text.member("rulesheet", rulesheet.map { DocumentNumber.json($0) })
            text.member("video", video.map { JSONText($0) })
        }
    }
}

/// `trace practice resume [GAME]`
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
            let journal = try context.openedPractice(options)
            let key = try journal.game(typed: verb.game)
            let (library, document) = try (journal.library, journal.document)
            func last<Value>(_ members: [(game: String, value: Value)]) -> Value? {
                members.last { library.canonical($0.game).id == key }?.value
            }
            let offset = last(document.resumeOffsets.map { ($0.game, $0.offset) })
            let hint = last(document.videoHints.map { ($0.game, $0.hint) })
            let answer = JSONText.object { text in
                text.member("game", key)
                text.member("name", library.name(of: key))
                text.member("rulesheet", offset.map { DocumentNumber.json($0) })
                text.member("video", hint.map { JSONText($0) })
            }
            if global.json { Output.json(answer) } else { try Output.members(of: answer) }
        }
    }
}

/// `slots NAME=VALUE…`
struct SlotsVerb: PracticeVerb {
    static let name = "slots"
    static let abstract = "Show or set with which games, filter and venue an app begins."

    @Argument(
        help: ArgumentHelp("Slots and what they are to hold; NAME= empties one.", valueName: "name=value"),
        transform: words)
    var changes: [String] = []

    var operation: PracticeOperation { .slots }

    func payload(_ game: String?) throws -> JSONText {
        let members = try changes.map { try KeyValue($0) }
        return .object { object in for member in members { object.member(member.key, member.value) } }
    }
}

/// `trace practice slots`
struct PracticeSlots: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: SlotsVerb.name, abstract: SlotsVerb.abstract,
        discussion: """
            The slots are \(ResumeSlots.Slot.allCases.map(\.rawValue).joined(separator: ", ")). Writes set those of the games that they \
            are about. Slots are not taken back by undo.
            """)

    @OptionGroup var verb: SlotsVerb
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            guard verb.changes.isEmpty else { return try context.write(verb, options, noQueue: false) }
            let journal = try context.openedPractice(options)
            let (slots, library) = try (journal.slots, journal.library)
            if global.json { return Output.json(slots.json(in: library)) }
            let zone = try journal.zone
            let rows = ResumeSlots.Slot.allCases.map { slot in
                [
                    slot.rawValue,
                    slots.game(slot, in: library).map { library.name(of: $0) } ?? slots[slot]
                        ?? "-",
                    slots.time(slot).map { zone.minuteText(Timestamp(flooring: $0)) } ?? "",
                ]
            }
            Output.paged(context.isPaged) {
                PracticeTable.show(
                    [.whole("SLOT"), .text("HOLDS", least: 16), .whole("SINCE", rank: 1)], rows)
            }
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
