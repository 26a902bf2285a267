internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace practice groups`
struct PracticeGroups: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups", abstract: "List the groups of games, or change them.",
        discussion: """
            A group is given by its id or its name. Without an option, lists them: their ids, completion, names and games. Only one of \
            --create, --select, --prioritize, --archive-group, --delete and --archive may be given.
            """)

    @Option(help: ArgumentHelp("Create a group of the --game options.", valueName: "name"), transform: words)
    var create: String?
    @Option(name: .customLong("game"), help: "A game of the new group; may be repeated.", transform: words)
    var games: [String] = []
    @Option(help: "Create a group of all games of a bank.")
    var bank: Int?
    @Flag(help: "Give the new group priority.")
    var priority = false
    @Option(help: ArgumentHelp("Show a group first.", valueName: "group"), transform: words)
    var select: String?
    @Option(help: ArgumentHelp("Give a group priority.", valueName: "group"), transform: words)
    var prioritize: String?
    @Option(help: ArgumentHelp("Archive a group.", valueName: "group"), transform: words)
    var archiveGroup: String?
    @Option(help: ArgumentHelp("Delete a group.", valueName: "group"), transform: words)
    var delete: String?
    @Flag(help: "Archive the groups that have ended.")
    var archive = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func validate() throws {
        let chosen = [
            create != nil, bank != nil, select != nil, prioritize != nil, archiveGroup != nil, delete != nil,
            archive,
        ]
        if chosen.count(where: \.self) > 1 { throw ValidationError("give only one change of groups") }
        if create == nil, !games.isEmpty { throw ValidationError("--game belongs to --create") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try context.openedPractice(options)
            guard let (operation, payload) = try change(journal) else { return try show(journal) }
            let target = try context.practiceJournal(options)
            let entry = SpoolEntry(
                id: IDGenerator.next(), kind: EntryOperation(operation),
                journalID: target.id, createdAt: Clock.now(), payload: payload)
            context.report(
                try context.libraryWriter.perform(entry, in: target), of: entry, nil, isJSON: global.json)
        }
    }

    private func show(_ journal: OpenedPractice) throws {
        if global.json { return Output.json(.array(try journal.answers.groups)) }
        let library = try journal.library
        PracticeTable.show(
            [.whole("ID", rank: 1), .whole("STATE"), .text("NAME", least: 16), .text("GAMES", least: 24)],
            try journal.document.groups.map { group in
                let state = group.isArchived ? "archived" : group.isActive ? "active" : "inactive"
                let games = group.games.map { library.name(of: library.canonical($0).id) }
                return [group.id ?? "", state, group.name, games.joined(separator: ", ")]
            })
    }

    private func change(_ journal: OpenedPractice) throws -> (PracticeOperation, JSONText)? {
        func group(_ typed: String) throws -> JSONText {
            let groups = try journal.document.groups
            let found =
                groups.filter { $0.id?.lowercased() == typed.lowercased() }
                + groups.filter { $0.name.lowercased() == typed.lowercased() }
            guard let id = found.first?.id else {
                throw StoreError(
                    .noSuchRecord, "there is no group '\(typed)'",
                    cure: "\(verb: "practice groups") lists the groups")
            }
            return JSONText(id)
        }
        if let create {
            let keys = try games.map { try journal.library.key(typed: $0) }
            return (
                .createGroup,
                .object { text in
                    text.member("name", create)
                    text.member("games", keys)
                    text.member("priority", JSONText(priority))
                }
            )
        }
        if let bank { return (.createGroup, .object { $0.member("bank", DocumentNumber.json(bank)) }) }
        if let select {
            let id = try group(select)
            return (.selectGroup, .object { $0.member("group", id) })
        }
        if let prioritize {
            let id = try group(prioritize)
            return (.prioritizeGroup, .object { $0.member("group", id) })
        }
        if let delete {
            let id = try group(delete)
            return (.deleteGroup, .object { $0.member("group", id) })
        }
        if let archiveGroup {
            let id = try group(archiveGroup)
            return (.archiveGroups, .object { $0.member("groups", .array([id])) })
        }
        guard archive else { return nil }
        let ids = try journal.answers.expiredGroups
        return (.archiveGroups, .object { $0.member("groups", ids) })
    }
}
