internal import ArgumentParser

/// `trace practice …`
struct PracticeCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "practice", abstract: "Write and read a pinball practice journal.",
        discussion: """
            A game is given by its id, or by the beginning of its name if no other game's name begins so. The journal is the one \
            of --journal, the one around the working directory, or the only one below the roots.
            """,
        subcommands: [
            PracticeWriteCommand<ScoreVerb>.self, PracticeWriteCommand<ReadVerb>.self,
            PracticeWriteCommand<ViewVerb>.self, PracticeWriteCommand<SessionVerb>.self,
            PracticeWriteCommand<WatchVerb>.self, PracticeWriteCommand<NoteVerb>.self,
            PracticeMechanics.self, PracticeWriteCommand<BrowseVerb>.self,
            PracticeWriteCommand<GameNoteVerb>.self, PracticeJournalCommand.self,
            PracticeWriteCommand<EditVerb>.self, PracticeWriteCommand<DeleteVerb>.self,
            PracticeUndo.self, PracticeGame.self, PracticeFocus.self, PracticeGroups.self,
            PracticeLeague.self, PracticeResume.self, PracticeSlots.self, PracticeLibrary.self,
            PracticeImportCommand.self,
            PracticeConvert.self, PracticeCanonicalise.self, PracticeMerge.self, PracticeDevicesCommand.self,
            PracticeAccept.self,
        ])
    static let typed = "practice"
}

/// `trace queue add practice …`
struct QueueAddPractice: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "practice", abstract: "Queue a write into a practice journal.",
        subcommands: [
            PracticeQueueCommand<ScoreVerb>.self, PracticeQueueCommand<ReadVerb>.self,
            PracticeQueueCommand<ViewVerb>.self, PracticeQueueCommand<SessionVerb>.self,
            PracticeQueueCommand<WatchVerb>.self, PracticeQueueCommand<NoteVerb>.self,
            PracticeQueueCommand<MechanicsVerb>.self, PracticeQueueCommand<BrowseVerb>.self,
            PracticeQueueCommand<GameNoteVerb>.self, PracticeQueueCommand<EditVerb>.self,
            PracticeQueueCommand<DeleteVerb>.self,
        ])
    static let typed = "queue add practice"
}
