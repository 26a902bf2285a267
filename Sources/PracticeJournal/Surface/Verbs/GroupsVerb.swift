internal import RecordFormat
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Shows or writes.
enum GroupsVerb: DeclaredVerb {
    private static let create = Parameter<String?>("create", "Create a group of the --game options").with(
        placeholder: "name")
    private static let games = Parameter<[String]>("game", "A game of the new group; may be repeated")
    private static let bank = Parameter<Int?>("bank", "Create a group of all games of a bank")
    private static let priority = Parameter<Bool>("priority", "Give the new group priority")
    private static let select = Parameter<String?>("select", "Show a group first").with(placeholder: "group")
    private static let prioritize = Parameter<String?>("prioritize", "Give a group priority").with(
        placeholder: "group")
    private static let archiveGroup = Parameter<String?>("archive-group", "Archive a group").with(
        placeholder: "group")
    private static let delete = Parameter<String?>("delete", "Delete a group").with(placeholder: "group")
    private static let archive = Parameter<Bool>("archive", "Archive the groups that have ended")

    static let verb = Verb(
        "groups", "List the groups of games, or change them",
        discussion: """
            A group is given by its id or its name. Without an option, lists them: their ids, completion, names and games. Only one of \
            --create, --select, --prioritize, --archive-group, --delete and --archive may be given.
            """, examples: ["", "--json"],
        [DeclaredParameter](
            create, games, bank, priority, select, prioritize, archiveGroup, delete, archive),
        check: { asked throws(ArgumentProblem) in
            let changes = [
                asked[create] != nil, asked[bank] != nil, asked[select] != nil, asked[prioritize] != nil,
                asked[archiveGroup] != nil, asked[delete] != nil, asked[archive],
            ]
            if changes.count(where: \.self) > 1 { throw .refused("give only one change of groups") }
            if asked[create] == nil, !asked[games].isEmpty { throw .refused("--game belongs to --create") }
        }
    ) { asked, place in
        guard let journal = try place.practice, let write = try write(asked, journal) else {
            return .ask(.groups, Arguments())
        }
        return .write(write)
    }

    /// The change that is asked for; nil for none.
    private static func write(_ asked: Arguments, _ journal: OpenedPractice) throws -> Verb.Write? {
        func group(_ typed: String) throws -> String {
            let groups = try journal.document.groups
            let found =
                groups.filter { $0.id?.lowercased() == typed.lowercased() }
                + groups.filter { $0.name.lowercased() == typed.lowercased() }
            guard let id = found.first?.id else {
                throw StoreError(
                    .noSuchRecord, "there is no group '\(typed)'",
                    cure: "\(verb: "practice groups") lists the groups")
            }
            return id
        }
        let nothing = Arguments()
        if let name = asked[create] {
            let keys = try asked[games].map { try journal.game(named: $0) }
            return Verb.Write(
                .createGroup,
                nothing.setting(GroupWrite.name, name).setting(
                    GroupWrite.games, to: .array(keys.map(ArgumentValue.text))
                ).setting(GroupWrite.priority, to: .boolean(asked[priority])))
        }
        if let bank = asked[bank] {
            return Verb.Write(
                .createGroup, nothing.setting(GroupWrite.bank, to: .integer(bank)))
        }
        for (option, operation) in [
            (select, TraceStore.Operation.selectGroup), (prioritize, .prioritizeGroup),
            (delete, .deleteGroup),
        ] {
            guard let typed = asked[option] else { continue }
            return Verb.Write(operation, nothing.setting(GroupWrite.group, try group(typed)))
        }
        if let typed = asked[archiveGroup] {
            return Verb.Write(
                .archiveGroups, nothing.setting(GroupWrite.groups, to: .array([.text(try group(typed))])))
        }
        guard asked[archive] else { return nil }
        return Verb.Write(
            .archiveGroups,
            nothing.setting(
                GroupWrite.groups, to: .array(try journal.answers.expiredGroups.map(ArgumentValue.text))))
    }
}
