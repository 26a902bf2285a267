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

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> WriteOutcome {
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
    static let kind = Parameter<VideoKind>(
        required: "kind", "Whether the value has times or a percentage: clock or percent",
        otherwise: .percent)
    static let value = Parameter<String>("value", "Which video, and how far it was watched")
    static let progress = Parameter<Int?>(
        "progress", "How much of it: 60%", as: .argument, reading: TypedNumber.percentage)
    static let note = Parameter<String?>("note", "A note")

    init(_ asked: Arguments) {
        self.init(
            game: asked[.game], action: asked[Self.action], kind: asked[Self.kind],
            value: asked[Self.value], progress: asked[Self.progress], note: asked[Self.note])
    }

    package var remembered: [ResumeSlots.Change] { [ResumeSlots.Change(.quickStudy, game)] }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> WriteOutcome {
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
