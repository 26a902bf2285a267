internal import RecordFormat
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Shows or writes.
enum GroupsVerb: DeclaredVerb {
    private static let create = Parameter<String?>("create", "Create a group of the --game options").with(
        placeholder: "name")
    private static let edit = Parameter<String?>("edit", "Change a group by the options behind this one")
        .with(
            placeholder: "group")
    private static let name = Parameter<String?>("name", "With --edit: another name")
    private static let games = Parameter<[String]>(
        "game", "A game of the group, with --edit in the place of those it has; may be repeated")
    private static let type = Parameter<GroupType?>(
        "type", "What the group stands for: bank, location or custom")
    private static let start = Parameter<String?>(
        "start", "The day on which the group begins: 2026-03-01; an empty one is removed"
    ).with(placeholder: "day")
    private static let end = Parameter<String?>(
        "end", "The last day of the group: 2026-03-31; an empty one is removed"
    ).with(placeholder: "day")
    private static let bank = Parameter<Int?>("bank", "Create a group of all games of a bank")
    private static let priority = Parameter<Bool>("priority", "Give the group priority")
    private static let select = Parameter<String?>("select", "Show a group first").with(placeholder: "group")
    private static let prioritize = Parameter<String?>("prioritize", "Give a group priority").with(
        placeholder: "group")
    private static let archiveGroup = Parameter<String?>("archive-group", "Archive a group").with(
        placeholder: "group")
    private static let unarchive = Parameter<String?>("unarchive", "Open an archived group again").with(
        placeholder: "group")
    private static let reorder = Parameter<[String]>(
        "reorder", "Put a group first; may be repeated, for those behind it"
    ).with(placeholder: "group")
    private static let delete = Parameter<String?>("delete", "Delete a group").with(placeholder: "group")
    private static let archive = Parameter<Bool>("archive", "Archive the groups that have ended")

    static let verb = Verb(
        "groups", "List the groups of games, or change them",
        discussion: """
            A group is given by its id, by the beginning of that, or by its name. Without an option, lists them: their ids, states, names and \
            games. Only one of --create, --bank, --edit, --reorder, --select, --prioritize, --archive-group, --unarchive, --delete and \
            --archive may be given. Days are those of the journal's zone.
            """,
        examples: [
            "", "--create 'This week' --game 'comet racer' --start 2026-03-25 --end 2026-03-31",
            "--edit 'This week' --name 'Next week' --end 2026-04-07", "--reorder 'Next week'",
        ],
        [DeclaredParameter](
            create, bank, edit, name, games, type, priority, start, end, reorder, select, prioritize,
            archiveGroup, unarchive, delete, archive),
        own: Verb.tableForm,
        check: { asked throws(ArgumentProblem) in
            let changes = [
                asked[create] != nil, asked[bank] != nil, asked[select] != nil, asked[prioritize] != nil,
                asked[archiveGroup] != nil, asked[unarchive] != nil, asked[delete] != nil, asked[archive],
                asked[edit] != nil, !asked[reorder].isEmpty,
            ]
            if changes.count(where: \.self) > 1 { throw .refused("give only one change of groups") }
            let isMade = asked[create] != nil || asked[edit] != nil
            if !isMade,
                !asked[games].isEmpty || asked[type] != nil || asked[start] != nil || asked[end] != nil
            {
                throw .refused("--game, --type, --start and --end belong to --create or --edit")
            }
            if !isMade, asked[bank] == nil, asked[priority] {
                throw .refused("--priority belongs to --create, --bank or --edit")
            }
            if asked[edit] == nil, asked[name] != nil { throw .refused("--name belongs to --edit") }
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
            if let id = groups.first(where: { $0.id?.lowercased() == typed.lowercased() })?.id { return id }
            let named = groups.filter { $0.name.lowercased() == typed.lowercased() }
            let begun = groups.filter { $0.id.map { RowName.isPart(typed, of: $0) } ?? false }
            let found = named.isEmpty ? begun : named
            if let id = found.first?.id, found.count == 1 { return id }
            guard !found.isEmpty else {
                throw StoreError(
                    .noSuchRecord, "there is no group '\(typed)'",
                    cure: "\(verb: "practice groups") lists the groups")
            }
            let ids = found.map { "\($0.id ?? "a group without an id") (\($0.name))" }.joined(separator: ", ")
            throw PracticeRefusal(
                .groupAmbiguous, "'\(typed)' may be one of several groups: \(ids)",
                cure:
                    "give the id, or a longer beginning of it; \(verb: "practice groups") lists the games of each"
            )
        }
        let nothing = Arguments()
        if let name = asked[create] {
            return Verb.Write(
                .createGroup,
                nothing.setting(GroupWrite.name, name).setting(GroupWrite.games, to: try keys(asked, journal))
                    .setting(GroupWrite.type, asked[type]?.rawValue).setting(
                        GroupWrite.priority, to: .boolean(asked[priority])
                    ).setting(GroupWrite.firstDay, to: try day(asked, start)).setting(
                        GroupWrite.lastDay, to: try day(asked, end)))
        }
        if let typed = asked[edit] {
            var members: [ArgumentValue.Member] = []
            func add(_ name: String, _ value: ArgumentValue?) {
                if let value { members.append(.init(name, value)) }
            }
            add("name", asked[name].map(ArgumentValue.text))
            if !asked[games].isEmpty { add("games", try keys(asked, journal)) }
            add("type", asked[type].map { .text($0.rawValue) })
            if asked[priority] { add("priority", .boolean(true)) }
            add(GroupWrite.firstDay.declared.name, try day(asked, start))
            add(GroupWrite.lastDay.declared.name, try day(asked, end))
            guard !members.isEmpty else {
                throw ArgumentProblem.refused("say what of the group is to be changed")
            }
            return Verb.Write(
                .editGroup,
                nothing.setting(GroupWrite.group, try group(typed)).setting(
                    GroupWrite.patch, to: .object(members)))
        }
        if !asked[reorder].isEmpty {
            let first = try asked[reorder].map(group)
            let rest = try journal.document.groups.compactMap(\.id).filter { !first.contains($0) }
            return Verb.Write(
                .reorderGroups,
                nothing.setting(GroupWrite.order, to: .array((first + rest).map(ArgumentValue.text))))
        }
        if let typed = asked[unarchive] {
            return Verb.Write(
                .unarchiveGroups, nothing.setting(GroupWrite.groups, to: .array([.text(try group(typed))])))
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

    private static func keys(_ asked: Arguments, _ journal: OpenedPractice) throws -> ArgumentValue {
        .array(try asked[games].map { .text(try journal.game(named: $0)) })
    }

    /// A day; null for an empty text, nil if none was given.
    private static func day(
        _ asked: Arguments, _ parameter: Parameter<String?>
    ) throws -> ArgumentValue? {
        guard let typed = asked[parameter] else { return nil }
        if typed.isBlank { return .null }
        let day = typed.trimmed
        guard CivilDate(day) != nil else {
            throw ArgumentProblem.refused(
                "'\(typed)' is not a day",
                cure: "write it as YYYY-MM-DD: --\(parameter.declared.name) 2026-03-01")
        }
        return .text(day)
    }
}
