internal import RecordFormat

/// A task of a game was done.
package struct TaskWrite: PracticeWrite {
    private let game: String
    private let task: StudyTask
    private let progress: Int?
    private let note: String?

    /// - Parameter progress: In percent; clamped to 0 ... 100.
    package init(game: String, task: StudyTask, progress: Int? = nil, note: String? = nil) {
        self.game = game
        self.task = task
        self.progress = progress.map(percentClamped)
        self.note = note
    }

    static let task = Parameter<StudyTask>(
        required: "task", "What was done: playfield, rulesheet, tutorialVideo, gameplayVideo or practice",
        otherwise: .practice)
    static let progress = Parameter<Int?>(
        "progress", "How much of it: 40%", as: .argument, reading: TypedNumber.percentage)
    static let note = Parameter<String?>("note", "A note")
    /// Blank for none.
    static let minutes = Parameter<Int?>(
        "minutes", "How many minutes it took", .integer(1 ... .max)
    ) { typed throws(ArgumentProblem) in
        do throws(WriteRejection) {
            return try ComposedText.minutes(entered: typed).map(ArgumentValue.integer) ?? .null
        } catch { throw ArgumentProblem(error) }
    }
    static let focus = Parameter<NoteCategory?>(
        "focus", "What was practised: general, shots, modes, multiball or strategy")

    /// The minutes and the focus of a practice session become part of its note.
    init(_ asked: Arguments) throws(ArgumentProblem) {
        let (task, minutes, focus) = (asked[Self.task], asked[Self.minutes], asked[Self.focus])
        var note = asked[Self.note]
        if minutes != nil || focus != nil {
            let name = minutes == nil ? "focus" : "minutes"
            guard task == .practice else {
                throw ArgumentProblem(name, .refused("\(name) belongs to the task 'practice' alone."))
            }
            note = ComposedText.practiceNote(minutes: minutes, category: focus ?? .general, note: note)
        }
        self.init(game: asked[.game], task: task, progress: asked[Self.progress], note: note)
    }

    package var remembered: [ResumeSlots.Change] {
        [ResumeSlots.Change(task == .practice ? .quickPractice : .quickStudy, game)]
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        let game = context.game(game)
        return .adding(
            progress.map {
                .studyEvent(id: context.id(.study), game: game, task: task, percent: $0, time: context.time)
            },
            .row(
                id: context.id(.journal), game: game, action: task.action, task: task, percent: progress,
                note: note, time: context.time))
    }
}

/// A video of a game was watched.
package struct VideoWrite: PracticeWrite {
    private let game: String
    private let action: RowAction
    private let kind: VideoKind
    private let value: String
    private let progress: Int?
    private let note: String?

    /// - Parameters:
    ///   - action: `gameplayWatch`; anything else counts as a tutorial.
    ///   - progress: In percent; clamped to 0 ... 100.
    package init(
        game: String, action: RowAction, kind: VideoKind, value: String, progress: Int? = nil,
        note: String? = nil
    ) {
        self.game = game
        self.action = action == .gameplayWatch ? .gameplayWatch : .tutorialWatch
        self.kind = kind
        self.value = value.trimmed
        self.progress = progress.map(percentClamped)
        self.note = note?.trimmedOrNil
    }

    static let action = Parameter<RowAction>(
        required: "action", "gameplayWatch for a gameplay video, tutorialWatch for a tutorial",
        otherwise: .tutorialWatch)
    static let kind = Parameter<VideoKind?>(
        "kind", "Whether the value has times or a percentage: clock or percent; only with a value")
    static let value = Parameter<String?>(
        "value", "Which video, and how far it was watched; or else the source, of which it is composed")
    static let progress = Parameter<Int?>(
        "progress", "How much of it: 60%", as: .argument, reading: TypedNumber.percentage)
    static let note = Parameter<String?>("note", "A note")

    static let source = Parameter<String?>("source", "Which video: Tutorial 1")
    static let watched = Parameter<Int?>(
        "watched_ms", "How far it was watched, in milliseconds", .integer(clock))
    static let length = Parameter<Int?>("length_ms", "How long it is, in milliseconds", .integer(clock))
    /// As far as two digits of hours go.
    private static let clock = 0...359_999_999

    /// Without a value it is composed: of the source with both times, or with the progress, which is 100 if it is left out.
    init(_ asked: Arguments) throws(ArgumentProblem) {
        func write(_ kind: VideoKind, _ value: String, _ progress: Int?) -> Self {
            Self(
                game: asked[.game], action: asked[Self.action], kind: kind, value: value, progress: progress,
                note: asked[Self.note])
        }
        guard let source = asked[Self.source] else {
            guard let kind = asked[Self.kind] else { throw ArgumentProblem("kind", .missing) }
            guard let value = asked[Self.value] else { throw ArgumentProblem("value", .missing) }
            self = write(kind, value, asked[Self.progress])
            return
        }
        guard asked[Self.value] == nil else {
            throw ArgumentProblem("value", .refused("value is composed of the source; give one of them."))
        }
        let times = try Self.times(asked)
        do throws(WriteRejection) {
            let made =
                if let times {
                    try VideoProgress(source: source, seconds: times.watched / 1000, of: times.length / 1000)
                } else {
                    try VideoProgress(source: source, percent: Double(asked[Self.progress] ?? 100))
                }
            self = write(made.kind, made.value, made.percent)
        } catch { throw ArgumentProblem(error).within("source") }
    }

    /// Nil without any.
    private static func times(
        _ asked: Arguments
    ) throws(ArgumentProblem) -> (watched: Int, length: Int)? {
        switch (asked[watched], asked[length]) {
        case (nil, nil): return nil
        case (nil, _?): throw ArgumentProblem("watched_ms", .missing)
        case (_?, nil): throw ArgumentProblem("length_ms", .missing)
        case (let watched?, let length?):
            guard watched <= length else {
                throw ArgumentProblem(
                    "watched_ms", .refused("watched_ms must not be more than length_ms."))
            }
            guard asked[progress] == nil else {
                throw ArgumentProblem(
                    "progress", .refused("progress is counted from the times; give one of them."))
            }
            return (watched, length)
        }
    }

    package var remembered: [ResumeSlots.Change] { [ResumeSlots.Change(.quickStudy, game)] }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        guard !value.isEmpty else { throw .videoValue }
        let game = context.game(game)
        let task: StudyTask = action == .gameplayWatch ? .gameplayVideo : .tutorialVideo
        return .adding(
            .video(id: context.id(.video), game: game, kind: kind, value: value, time: context.time),
            progress.map {
                .studyEvent(id: context.id(.study), game: game, task: task, percent: $0, time: context.time)
            },
            .row(
                id: context.id(.journal), game: game, action: action, task: task, percent: progress,
                videoKind: kind, videoValue: value, note: note, time: context.time))
    }
}

private func percentClamped(_ percent: Int) -> Int { min(max(percent, 0), 100) }
