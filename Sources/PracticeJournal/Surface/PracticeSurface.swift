internal import TraceFiles
package import TraceStore
internal import TraceText

extension PracticeFormat {
    package var verbs: (any VerbGroup.Type)? { PracticeVerbs.self }
    package var opened: (any OpenedJournal.Type)? { OpenedPractice.self }
    package var surface: KindSurface { Self.declared }

    private static let declared = KindSurface(
        operations: Operation.ofPractice,
        questions: [
            QuestionPath(.timeline.aboutFilesAlone, id: "listPractice"),
            QuestionPath(.game, id: "getPracticeGame"),
            QuestionPath(.slots.aboutFilesAlone, id: "getPracticeSlots"),
            QuestionPath(.focus, id: "getPracticeFocus"),
            QuestionPath(.groups, id: "listPracticeGroups"),
            QuestionPath(.mechanics.aboutFilesAlone, id: "listPracticeSkills"), Question.league,
            QuestionPath(.library.aboutFilesAlone, id: "listPracticeLibrary"),
        ],
        acts: [.clear],
        exchange: PracticeExchange(),
        repairs: "times in other units become milliseconds, and Android's older shape becomes schema 4",
        programs: [NeededProgram("curl", for: "practice library fetch", in: "curl")],
        problems: { journal in
            guard let journal = journal as? OpenedPractice,
                case let count = try journal.document.repeatedCount,
                count > 0
            else { return [] }
            // Versions made them that started over behind a line of the log.
            return [
                JournalProblem(
                    "\(counted(count, "record")) in \(journal.path.escaped) repeat earlier ones, id and all",
                    cure: "\(verb: "repair \(journal.path.escaped) --write") removes what is there twice")
            ]
        })
}
