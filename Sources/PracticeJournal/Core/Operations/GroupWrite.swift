internal import RecordFormat

/// What is done with the groups of games.
///
/// Source: practice.md, section 10.
package struct GroupWrite: PracticeWrite {
    private let action: Action

    enum Action: Sendable {
        case create(GroupDraft)
        /// All games of a bank of the library.
        case createOfBank(Int)
        /// The games of the group with that id.
        case createCopy(String)
        case prioritize(String)
        case archive([String])
        case select(String)
        case delete(String)
    }

    /// - Parameter action: What is done with the group of an id.
    init(_ payload: WritePayload, _ action: (String) -> Action) throws(WriteRejection) {
        self.action = action(try payload.required("group", payload.text("group")))
    }

    init(archiving payload: WritePayload) throws(WriteRejection) {
        action = .archive(try payload.required("groups", payload.texts("groups")))
    }

    init(creating payload: WritePayload) throws(WriteRejection) {
        if let bank = try payload.integer("bank") {
            action = .createOfBank(bank)
        } else if let copied = try payload.text("copy") {
            action = .createCopy(copied)
        } else {
            var draft = GroupDraft(
                name: try payload.text("name") ?? "", games: try payload.texts("games") ?? [])
            draft.type = try payload.word("type", GroupType.self) ?? .custom
            draft.isPriority = try payload.boolean("priority") ?? false
            draft.start = try payload.number("start")
            draft.end = try payload.number("end")
            action = .create(draft)
        }
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> WriteOutcome {
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
        case .select(let id): change = try document.selecting(id)
        case .delete(let id): change = try document.deletingGroup(id)
        }
        return change.isEmpty ? .nothing("nothing to change") : .change(change)
    }

    private func created(
        _ draft: GroupDraft, _ context: WriteContext
    ) throws(WriteRejection) -> DocumentChange {
        try draft.change(
            entry: context.entry, at: context.at, in: context.document, library: context.library)
    }
}
