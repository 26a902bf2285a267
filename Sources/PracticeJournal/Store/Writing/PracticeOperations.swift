internal import RecordFormat
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// The writes by the names that entries of the queue have, behind `practice.`.
///
/// Source: docs/spec/practice.md#writes.
extension Operation {
    // MARK: - What was done with a game

    static let task = Operation(
        "task", "Log that a task of a game was done", makesRecords: true, about: "game",
        [DeclaredParameter](
            .gameByID, TaskWrite.task, TaskWrite.progress, TaskWrite.note, TaskWrite.minutes, TaskWrite.focus)
    ) { asked throws(ArgumentProblem) in written(try TaskWrite(asked)) }

    static let video = Operation(
        "video", "Log how much of a video has been watched", makesRecords: true, about: "game",
        [DeclaredParameter](
            .gameByID, VideoWrite.action, VideoWrite.kind, VideoWrite.value, VideoWrite.progress,
            VideoWrite.note,
            VideoWrite.source, VideoWrite.watched, VideoWrite.length)
    ) { asked throws(ArgumentProblem) in written(try VideoWrite(asked)) }

    static let score = Operation(
        "score", "Log a score", makesRecords: true, about: "game",
        [DeclaredParameter](.gameByID, ScoreWrite.score, ScoreWrite.context, ScoreWrite.tournament)
    ) { written(ScoreWrite($0)) }

    static let note = Operation(
        "note", "Write a note about a game", makesRecords: true, about: "game",
        [DeclaredParameter](.gameIfAny, NoteWrite.category, NoteWrite.detail, NoteWrite.note)
    ) { written(NoteWrite($0)) }

    static let mechanics = Operation(
        "mechanics", "Log how well a flipper skill went, from 1 to 5", makesRecords: true, about: "game",
        [DeclaredParameter](
            .gameIfAny, MechanicsWrite.skill, MechanicsWrite.competency, MechanicsWrite.note)
    ) { asked throws(ArgumentProblem) in written(try MechanicsWrite(asked)) }

    static let browse = Operation(
        "browse", "Log that a game has been looked at", about: "game", [DeclaredParameter](.gameIfAny)
    ) { written(BrowseWrite($0)) }

    static let resume = Operation(
        "resume", "Note where reading a rulesheet or watching the videos stopped", about: "game",
        [DeclaredParameter](.gameByID, ResumeWrite.rulesheet, ResumeWrite.video)
    ) { written(ResumeWrite($0)) }

    static let library = Operation(
        "library", "Log that something of a game has been looked at in the library", about: "game",
        [DeclaredParameter](.gameByID, LibraryWrite.kind, LibraryWrite.detail)
    ) { written(LibraryWrite($0)) }

    static let slots = Operation(
        "slots", "Set with which games, filter and venue an app begins", [DeclaredParameter](SlotsWrite.slots)
    ) { asked throws(ArgumentProblem) in written(try SlotsWrite(asked)) }

    static let gameNote = Operation(
        "gamenote", "Set the note about a game as a whole", about: "game",
        [DeclaredParameter](.gameByID, GameNoteWrite.note)
    ) { written(GameNoteWrite($0)) }

    // MARK: - What is in the document

    static let edit = Operation(
        "edit", "Change a row of the journal, and the record that it stands for",
        [DeclaredParameter](EditWrite.row, EditWrite.patch)
    ) { asked throws(ArgumentProblem) in written(try EditWrite(asked)) }

    static let delete = Operation(
        "delete", "Delete a row of the journal, and the record that it stands for",
        [DeclaredParameter](DeleteWrite.row)
    ) { written(DeleteWrite($0)) }

    static let settings = Operation(
        "settings", "Change the settings of the document", SettingsWrite.parameters
    ) { asked throws(ArgumentProblem) in written(try SettingsWrite(asked)) }

    static let canonicalise = Operation(
        "canonicalise", "Write every id of a game as the library has it", []
    ) { _ in written(CanonicalisationWrite()) }

    // MARK: - Groups of games

    static let createGroup = Operation(
        "group.create", "Create a group of games", makesRecords: true,
        [DeclaredParameter](
            GroupWrite.bank, GroupWrite.copy, GroupWrite.name, GroupWrite.games, GroupWrite.type,
            GroupWrite.priority, GroupWrite.firstDay, GroupWrite.lastDay, GroupWrite.start, GroupWrite.end)
    ) { asked throws(ArgumentProblem) in written(try GroupWrite(creating: asked)) }

    static let prioritizeGroup = Operation(
        "group.priority", "Give a group priority", [DeclaredParameter](GroupWrite.group)
    ) { written(GroupWrite($0) { .prioritize($0) }) }

    static let archiveGroups = Operation(
        "group.archive", "Archive groups", [DeclaredParameter](GroupWrite.groups)
    ) { asked throws(ArgumentProblem) in written(try GroupWrite(ofSeveral: asked) { .archive($0) }) }

    static let unarchiveGroups = Operation(
        "group.unarchive", "Open archived groups again", [DeclaredParameter](GroupWrite.groups)
    ) { asked throws(ArgumentProblem) in written(try GroupWrite(ofSeveral: asked) { .unarchive($0) }) }

    static let editGroup = Operation(
        "group.edit", "Change the name, games, kind, priority or dates of a group",
        [DeclaredParameter](GroupWrite.group, GroupWrite.patch)
    ) { asked throws(ArgumentProblem) in written(try GroupWrite(editing: asked)) }

    static let reorderGroups = Operation(
        "group.reorder", "Put groups into another order", [DeclaredParameter](GroupWrite.order)
    ) { asked throws(ArgumentProblem) in written(try GroupWrite(ofSeveral: asked) { .reorder($0) }) }

    static let selectGroup = Operation(
        "group.select", "Show a group first", [DeclaredParameter](GroupWrite.group)
    ) { written(GroupWrite($0) { .select($0) }) }

    static let deleteGroup = Operation(
        "group.delete", "Delete a group", [DeclaredParameter](GroupWrite.group)
    ) { written(GroupWrite($0) { .delete($0) }) }

    // MARK: - Scores of a league

    static let leagueImport = Operation(
        "league_import", "Take a player's scores from the league's table into the journal",
        makesRecords: true, [DeclaredParameter](LeagueImportWrite.player, LeagueImportWrite.zone)
    ) { asked throws(ArgumentProblem) in
        if let zone = asked[LeagueImportWrite.zone] { try checkZone(zone) }
        return written(LeagueImportWrite(asked))
    }

    static let leaguePurge = Operation(
        "league_purge", "Take what was imported from the league's table out of the journal", []
    ) { _ in written(LeaguePurgeWrite()) }

    /// All of them, in the order in which they are documented.
    static let ofPractice: [Operation] = [
        task, video, score, note, mechanics, browse, resume, library, slots, gameNote, edit, delete, settings,
        canonicalise, createGroup, editGroup, reorderGroups, prioritizeGroup, archiveGroups, unarchiveGroups,
        selectGroup, deleteGroup, leagueImport, leaguePurge,
    ]

    /// An entry that names a zone that there is nowhere could never be written, and those behind it would wait for it.
    private static func checkZone(_ name: String) throws(ArgumentProblem) {
        do { _ = try ZoneFiles.rules(named: name) } catch let error as FileError where error.code == .notFound
        {
            throw ArgumentProblem(
                LeagueImportWrite.zone.declared.name, .refused(error.message),
                cure: "name one such as Europe/Berlin, or leave it out")
        } catch {
            // The zone is known, and can't be read here and now.
        }
    }

    /// In a struct, by which a write is recognised without a search for its conformances.
    private static func written(_ write: some PracticeWrite) -> PracticeWriting.Operation {
        PracticeWriting.Operation(write: write)
    }
}
