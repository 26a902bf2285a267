internal import RecordFormat
internal import TraceStore
internal import TraceText

enum ScoreVerb: DeclaredVerb {
    static let verb = Verb.logging(
        "score", "Log a score", .score,
        examples: [
            "'comet racer' 12,345,678", "'comet racer' 9000000 --context tournament --tournament Spring",
        ], [DeclaredParameter](.game, ScoreWrite.score, ScoreWrite.context, ScoreWrite.tournament)
    ) { asked in
        // Who names a tournament has played there.
        asked[ScoreWrite.context] == nil && asked[ScoreWrite.tournament] != nil
            ? asked.setting(ScoreWrite.context, ScoreContext.tournament.rawValue) : asked
    }
}

enum ReadVerb: DeclaredVerb {
    static let verb = Verb.logging(
        "read", "Log how much of a rulesheet has been read", .task,
        examples: ["'comet racer' 40% --note 'to the end of multiball'"],
        [DeclaredParameter](
            .game, TaskWrite.progress.with("How much of it: 40%", as: .argument), TaskWrite.note)
    ) { $0.setting(TaskWrite.task, StudyTask.rulesheet.rawValue) }
}

enum ViewVerb: DeclaredVerb {
    static let verb = Verb.logging(
        "view", "Log that a playfield has been viewed", .task, examples: ["'comet racer'"],
        [DeclaredParameter](.game, TaskWrite.note)
    ) { $0.setting(TaskWrite.task, StudyTask.playfield.rawValue) }
}

enum SessionVerb: DeclaredVerb {
    static let verb = Verb.logging(
        "session", "Log a practice session", .task,
        examples: ["'comet racer' --minutes 15 --focus multiball"],
        [DeclaredParameter](.game, TaskWrite.minutes, TaskWrite.focus, TaskWrite.note)
    ) { asked in
        // Put together here: a queue may be written by a version that knows no minutes.
        let note = ComposedText.practiceNote(
            minutes: asked[TaskWrite.minutes], category: asked[TaskWrite.focus] ?? .general,
            note: asked[TaskWrite.note])
        return asked.setting(TaskWrite.task, StudyTask.practice.rawValue).setting(TaskWrite.note, note)
            .setting(TaskWrite.minutes, nil).setting(TaskWrite.focus, nil)
    }
}

enum NoteVerb: DeclaredVerb {
    static let verb = Verb.logging(
        "note", "Write a note about a game", .note,
        examples: ["'comet racer' 'left orbit feeds the upper flipper' --category shots"],
        [DeclaredParameter](
            Parameter<String>.game.with("The game; - for all games"),
            NoteWrite.note.with("The note", as: .argument, placeholder: "text"), NoteWrite.category,
            NoteWrite.detail)
    ) { asked in
        asked[NoteWrite.category] == nil
            ? asked.setting(NoteWrite.category, NoteCategory.general.rawValue) : asked
    }
}

enum BrowseVerb: DeclaredVerb {
    static let verb = Verb.logging(
        "browse", "Log that a game has been looked at", .browse, examples: ["'comet racer'"],
        [DeclaredParameter](.game))
}

enum GameNoteVerb: DeclaredVerb {
    static let verb = Verb.logging(
        "gamenote", "Set the note about a game as a whole", .gameNote,
        examples: ["'comet racer' 'Lock two balls, then the ramp'"],
        [DeclaredParameter](
            .game,
            GameNoteWrite.note.with(
                "The note; an empty one is removed", as: .argument, placeholder: "text", presence: .required))
    )
}

enum WatchVerb: DeclaredVerb {
    private static let progress = VideoWrite.progress.with(
        "How much of it: 60%; by default, all", as: .argument)
    private static let tutorial = Parameter<Int?>("tutorial", "The number of the tutorial video")
    private static let gameplay = Parameter<Int?>("gameplay", "The number of the gameplay video")
    private static let at = Parameter<String?>("at", "Where in it: 10:00/1:00:00").with(
        placeholder: "time/length")

    static let verb = Verb.logging(
        "watch", "Log how much of a video has been watched", .video,
        examples: ["'comet racer' --tutorial 1 60%", "'comet racer' --gameplay 2 --at 10:00/1:00:00"],
        [DeclaredParameter](.game, progress, tutorial, gameplay, at, VideoWrite.note)
    ) { asked in
        let isGameplay = asked[gameplay] != nil
        let source = "\(isGameplay ? "Gameplay" : "Tutorial") \(asked[gameplay] ?? asked[tutorial] ?? 1)"
        let watched = try watched(asked, source)
        return asked.setting(
            VideoWrite.action, (isGameplay ? RowAction.gameplayWatch : .tutorialWatch).rawValue
        ).setting(VideoWrite.kind, watched.kind.rawValue).setting(VideoWrite.value, watched.value).setting(
            VideoWrite.progress, to: .integer(watched.percent))
    } check: { asked throws(ArgumentProblem) in
        if asked[tutorial] != nil, asked[gameplay] != nil {
            throw .refused("give --tutorial or --gameplay, not both")
        }
        if asked[at] != nil, asked[progress] != nil { throw .refused("give a percentage or --at, not both") }
        guard asked[tutorial] ?? asked[gameplay] ?? 1 > 0 else {
            throw .refused("videos are counted from 1: --tutorial 1")
        }
    }

    private static func watched(_ asked: Arguments, _ source: String) throws -> VideoProgress {
        if let share = asked[progress] { return try VideoProgress(source: source, percent: Double(share)) }
        // A time without hours is one of less than an hour.
        let times = (asked[at] ?? "").split(separator: "/", omittingEmptySubsequences: false).map { time in
            time.split(separator: ":").count == 2 ? "0:\(time)" : String(time)
        }
        return try VideoProgress(
            source: source, watched: times.first ?? "", total: times.count > 1 ? times[1] : "")
    }
}

enum MechanicsVerb: DeclaredVerb {
    private static let typed = Parameter<[String]>(
        "typed", "The game, if it was one, and the competency from 1 to 5", as: .argument
    ).with(placeholder: "game level")
    private static let summary = Parameter<Bool>(
        "summary", "List the skills: logs, latest, average and trend")

    static let verb = Verb(
        "mechanics", "Log how well a flipper skill went, from 1 to 5",
        discussion: "With --summary, lists the skills that are logged, and writes nothing.",
        examples: ["--skill 'Live Catch' 3", "'comet racer' --skill 'Drop Catch' 4 --note 'late'"],
        [DeclaredParameter](typed, MechanicsWrite.skill, MechanicsWrite.note),
        own: [DeclaredParameter](summary, .noQueue) + Verb.tableForm, at: .perhapsAway, isQueued: true
    ) { asked, place in
        guard !asked[summary] else { return .ask(.mechanics, Arguments()) }
        let words = asked[typed]
        guard (1...2).contains(words.count), let level = words.last.flatMap({ Int($0) }) else {
            throw ArgumentProblem.refused(
                "give the competency from 1 to 5, with the game before it if it was one")
        }
        let played = asked.setting(Parameter<String>.game, words.count > 1 ? words.first : "-")
        return .write(
            Verb.Write(
                .mechanics,
                try played.setting(MechanicsWrite.competency, to: .integer(level)).namingGame(
                    in: place)))
    }
}

enum EditVerb: DeclaredVerb {
    static let verb = Verb.logging(
        "edit", "Change a row of the journal, and the record that it stands for", .edit,
        discussion: """
            A row is given as 'trace practice journal' shows it: by its id, by the beginning of that, or as 'last', the newest that can be \
            changed. What can be changed: \(RowEdit.told). A game is given by its id, or by the beginning of its name.
            """,
        examples: [
            "911A91B3-1391-80F6-9208-AFA1AD85A4C0 score=12345678", "911a note='two balls first'",
            "last score=12,345,678 scoreContext=league",
        ],
        [DeclaredParameter](EditWrite.namedRow, EditWrite.patch)
    ) {
        $0
    } check: { asked throws(ArgumentProblem) in
        guard !asked[EditWrite.patch].isEmpty else { throw .refused("give what is to be changed: key=value") }
    }
}

enum DeleteVerb: DeclaredVerb {
    static let verb = Verb.logging(
        "delete", "Delete a row of the journal, and the record that it stands for", .delete,
        discussion: """
            A row is given as 'trace practice journal' shows it: by its id, by the beginning of that, or as 'last', the newest that can be \
            changed. 'trace practice undo' brings it back.
            """,
        examples: ["911A91B3-1391-80F6-9208-AFA1AD85A4C0", "last"],
        [DeclaredParameter](EditWrite.namedRow))
}

// MARK: - Of one form

extension Verb {
    /// A write that waits in the queue where the journal can't be written now.
    ///
    /// - Parameters:
    ///   - discussion: Before what is said of writes that wait.
    ///   - fill: What it has beside what was typed.
    ///   - check: Refuses arguments that don't go together.
    fileprivate static func logging(
        _ name: String, _ abstract: String, _ operation: TraceStore.Operation, discussion: String? = nil,
        examples: [String], _ parameters: [DeclaredParameter],
        fill: @escaping @Sendable (Arguments) throws -> Arguments = { $0 },
        check: @escaping @Sendable (Arguments) throws(ArgumentProblem) -> Void = { _ in }
    ) -> Verb {
        Verb(
            name, abstract,
            discussion: discussion.map { "\($0) \(waiting)" } ?? waiting, examples: examples, parameters,
            own: [DeclaredParameter](.noQueue), at: .perhapsAway, isQueued: true, check: check
        ) { asked, place in
            let named = try asked.namingGame(in: place).namingRow(in: place)
            do { return .write(Write(operation, try fill(named))) } catch let
                rejection as WriteRejection
            { throw ArgumentProblem.refused(rejection.message) }
        }
    }
}

extension Arguments {
    /// The same with the id of the game that was typed, by the library of the journal if that is here; `-` is none.
    func namingGame(in place: VerbPlace) throws -> Arguments {
        guard let typed = text(Parameter<String>.game.declared.name) else { return self }
        if typed == "-" { return setting(Parameter<String>.game, "") }
        guard !typed.isBlank else {
            throw ArgumentProblem.refused("name the game", cure: "'-' is none in particular")
        }
        let library = try place.practice?.library ?? GameLibrary()
        return setting(Parameter<String>.game, try library.key(named: typed))
    }

    /// The same with the id of the row that was typed, by the document of the journal if that is here, and with that of the game to which it
    /// is changed.
    fileprivate func namingRow(in place: VerbPlace) throws -> Arguments {
        guard let typed = text(EditWrite.row.declared.name) else { return self }
        let (journal, plain) = (try place.practice, RowName.plain(typed))
        let library = try journal?.library ?? GameLibrary()
        var named = setting(EditWrite.row, plain)
        if !UUIDText.isUUID(plain) {
            // Where the journal is away, nobody knows which row was the last.
            guard let journal else { throw VerbPlace.away }
            let row = try journal.document.row(named: typed, library: library, redaction: journal.redaction)
            named = setting(EditWrite.row, row)
        }
        let members = try self[EditWrite.patch].map { member in
            guard member.name == RowPatch.gameName, let game = member.value.string else { return member }
            return ArgumentValue.Member(member.name, .text(try library.key(named: game)))
        }
        if !members.isEmpty { named = named.setting(EditWrite.patch, to: .object(members)) }
        return named
    }
}

extension VerbPlace {
    /// The journal; nil if it is away.
    var practice: OpenedPractice? { get throws { try journal as? OpenedPractice } }
}
