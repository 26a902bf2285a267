internal import RecordFormat

/// What is done with the groups of games.
///
/// Source: docs/spec/practice.md#groups.
struct GroupWrite: PracticeWrite {
    private let action: Action

    enum Action: Sendable {
        case create(GroupDraft)
        /// All games of a bank of the library.
        case createOfBank(Int)
        /// The games of the group with that id.
        case createCopy(String)
        case prioritize(String)
        case archive([String])
        case unarchive([String])
        case reorder([String])
        case edit(String, GroupPatch)
        case select(String)
        case delete(String)
    }

    static let group = Parameter<String>("group", "The id of the group")
    static let groups = Parameter<[String]>("groups", "The ids of the groups")
    static let order = groups.with("The ids of groups, in the order in which they are to stand")
    static let patch = Parameter<[ArgumentValue.Member]>(
        "patch",
        "Members with their new values: name, games, type, priority, first_day and last_day, or start and end; null clears a date",
        placeholder: "key=value")
    static let bank = Parameter<Int?>("bank", "Create a group of all games of a bank")
    static let copy = Parameter<String?>("copy", "Create a group of the games of the one with this id")
    static let name = Parameter<String?>("name", "The name of the new group")
    static let games = Parameter<[String]>("games", "The games of the new group")
    static let type = Parameter<GroupType?>(
        "type", "What the new group stands for: bank, location or custom")
    static let priority = Parameter<Bool>("priority", "Give the new group priority")
    static let start = Parameter<Double?>(
        "start", "When the new group begins, in milliseconds since 1970")
    static let end = Parameter<Double?>(
        "end", "A moment of the last day of the new group, in milliseconds since 1970")
    static let firstDay = Parameter<String?>(
        "first_day", "The day on which the new group begins, in the journal's zone: 2026-03-01")
    static let lastDay = Parameter<String?>(
        "last_day", "The last day of the new group, in the journal's zone: 2026-03-31")

    /// - Parameter action: What is done with the group of an id.
    init(_ asked: Arguments, _ action: (String) -> Action) { self.action = action(asked[Self.group]) }

    /// - Parameter action: What is done with the groups of these ids.
    init(ofSeveral asked: Arguments, _ action: ([String]) -> Action) throws(ArgumentProblem) {
        // That there is nothing to archive must be said.
        let name = Self.groups.declared.name
        guard asked.has(name) else { throw ArgumentProblem(name, .missing) }
        self.action = action(asked[Self.groups])
    }

    init(editing asked: Arguments) throws(ArgumentProblem) {
        do { action = .edit(asked[Self.group], try GroupPatch(asked[Self.patch])) } catch {
            throw error.within(Self.patch.declared.name)
        }
    }

    /// - Throws: ``ArgumentProblem`` for a day that the calendar does not have.
    init(creating asked: Arguments) throws(ArgumentProblem) {
        if let bank = asked[Self.bank] {
            action = .createOfBank(bank)
        } else if let copied = asked[Self.copy] {
            action = .createCopy(copied)
        } else {
            var draft = GroupDraft(name: asked[Self.name] ?? "", games: asked[Self.games])
            draft.type = asked[Self.type] ?? .custom
            draft.isPriority = asked[Self.priority]
            draft.start =
                try Self.date(asked, Self.firstDay, GroupDate.firstDay)
                ?? asked[Self.start].map { .moment($0) }
            draft.end =
                try Self.date(asked, Self.lastDay, GroupDate.lastDay) ?? asked[Self.end].map { .moment($0) }
            action = .create(draft)
        }
    }

    private static func date(
        _ asked: Arguments, _ parameter: Parameter<String?>, _ make: (CivilDate) -> GroupDate
    ) throws(ArgumentProblem) -> GroupDate? {
        guard let text = asked[parameter] else { return nil }
        do { return make(try GroupDate.day(text)) } catch { throw error.within(parameter.declared.name) }
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        let document = context.document
        let change: DocumentChange
        switch action {
        case .create(let draft): change = try created(draft, context)
        case .createOfBank(let bank):
            change = try created(GroupDraft(bank: bank, of: context.library), context)
        case .createCopy(let id):
            guard let index = document.indices(of: .customGroups, id: id.trimmed).first else {
                throw WriteRejection("There is no group \(id).")
            }
            change = try created(GroupDraft(copying: document.groups[index]), context)
        case .prioritize(let id): change = try document.prioritizing(id)
        case .archive(let ids): change = try document.archiving(ids)
        case .unarchive(let ids): change = try document.unarchiving(ids)
        case .reorder(let ids): change = try document.reordering(ids)
        case .edit(let id, let patch):
            change = try document.editing(id, patch, library: context.library, zone: context.zone)
        case .select(let id): change = try document.selecting(id)
        case .delete(let id): change = try document.deletingGroup(id)
        }
        return change.isEmpty ? .nothing("nothing to change") : .change(change)
    }

    private func created(
        _ draft: GroupDraft, _ context: WriteContext
    ) throws(WriteRejection) -> DocumentChange {
        try draft.change(
            entry: context.entry, at: context.at, in: context.document, library: context.library,
            zone: context.zone)
    }
}
