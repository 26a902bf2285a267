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

    init(_ payload: WritePayload) throws(WriteRejection) {
        self.init(
            game: try payload.required("game", payload.text("game")),
            task: try payload.required("task", payload.word("task", StudyTask.self)),
            progress: try payload.integer("progress"), note: try payload.text("note"))
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

    init(_ payload: WritePayload) throws(WriteRejection) {
        self.init(
            game: try payload.required("game", payload.text("game")),
            action: try payload.required("action", payload.word("action", RowAction.self)),
            kind: try payload.required("kind", payload.word("kind", VideoKind.self)),
            value: try payload.required("value", payload.text("value")),
            progress: try payload.integer("progress"), note: try payload.text("note"))
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
