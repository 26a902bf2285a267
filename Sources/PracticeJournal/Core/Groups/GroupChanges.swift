internal import RecordFormat
internal import TraceText

/// What is done with groups that there are.
///
/// Source: docs/spec/practice.md#groups.
extension PracticeDocument {
    /// Gives a group priority, and takes it from the others.
    ///
    /// - Throws: ``WriteRejection`` if there is no such group, as the others.
    package func prioritizing(_ id: String) throws(WriteRejection) -> DocumentChange {
        let index = try group(id)
        var change = DocumentChange()
        change.replaced = withoutPriority(but: index)
        if !groups[index].isPriority { change.replaced.append(setting(index, [("isPriority", true)])) }
        return change
    }

    /// Archives groups, which takes activity and priority from them.
    package func archiving(_ ids: some Sequence<String>) throws(WriteRejection) -> DocumentChange {
        var change = DocumentChange()
        for id in ids {
            let index = try group(id)
            let members = [("isActive", false), ("isArchived", true), ("isPriority", false)]
            change.replaced.append(setting(index, members))
        }
        return change
    }

    /// Opens groups again, which makes them active.
    func unarchiving(_ ids: some Sequence<String>) throws(WriteRejection) -> DocumentChange {
        var change = DocumentChange()
        for id in ids {
            let index = try group(id)
            guard groups[index].isArchived else { continue }
            change.replaced.append(setting(index, [("isActive", true), ("isArchived", false)]))
        }
        return change
    }

    /// Gives members of a group other values.
    func editing(
        _ id: String, _ patch: GroupPatch, library: GameLibrary, zone: ZoneRules
    ) throws(WriteRejection) -> DocumentChange {
        let index = try group(id)
        var change = DocumentChange()
        let members = try patch.changes(of: groups[index], library: library, zone: zone)
        if patch.givesPriority { change.replaced = withoutPriority(but: index) }
        if !members.isEmpty {
            change.replaced.append(.init(DocumentChange.Place(.customGroups, index), members))
        }
        return change
    }

    /// Puts groups into another order, in the places that they have together; a group that is not named stays where it is.
    func reordering(_ ids: [String]) throws(WriteRejection) -> DocumentChange {
        var keys: [String] = []
        for id in ids {
            let key = UUIDText.key(groups[try group(id)].id ?? "")
            guard !keys.contains(key) else { throw WriteRejection("The group \(id) is named twice.") }
            keys.append(key)
        }
        let values: DocumentValues
        do { values = try DocumentValues(self) } catch { throw WriteRejection(error.message) }
        var change = DocumentChange()
        let order = values.groupOrder.ordered(as: keys)
        if order != values.groupOrder { change.groupOrder = order }
        return change
    }

    /// Shows a group.
    func selecting(_ id: String) throws(WriteRejection) -> DocumentChange {
        var change = DocumentChange()
        change.members = [.selectedGroup(groups[try group(id)].id)]
        return change
    }

    /// Deletes a group. Where it is the selected one, the first that is left is selected.
    package func deletingGroup(_ id: String) throws(WriteRejection) -> DocumentChange {
        let index = try group(id)
        var change = DocumentChange()
        change.removed = [DocumentChange.Place(.customGroups, index)]
        let key = UUIDText.key(id.trimmed)
        if settings.selectedGroup.map({ UUIDText.key($0.trimmed) }) == key {
            let rest = groups.indices.first { $0 != index }
            change.members = [.selectedGroup(rest.flatMap { groups[$0].id })]
        }
        return change
    }

    private func group(_ id: String) throws(WriteRejection) -> Int {
        let found = indices(of: .customGroups, id: id.trimmed)
        guard let index = found.first else { throw WriteRejection("There is no group \(id).") }
        if found.count > 1 {
            throw WriteRejection(
                "\(found.count) groups have the id \(id); 'trace repair' removes those that are equal, give others different ids."
            )
        }
        return index
    }

    func withoutPriority(but kept: Int?) -> [DocumentChange.Replacement] {
        groups.indices.filter { $0 != kept && groups[$0].isPriority }.map {
            setting($0, [("isPriority", false)])
        }
    }

    private func setting(_ index: Int, _ members: [(String, Bool)]) -> DocumentChange.Replacement {
        DocumentChange.Replacement(
            DocumentChange.Place(.customGroups, index), members.map { ($0, JSONText($1)) })
    }
}
