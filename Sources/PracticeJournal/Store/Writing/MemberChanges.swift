internal import RecordFormat
internal import TraceStore

/// What of a document a change is about to overwrite, as the undo log keeps it.
extension DocumentChange {
    func memberChanges(in document: PracticeDocument) throws(FormatError) -> [TraceStore.MemberChange] {
        var changes = added.map {
            TraceStore.MemberChange(
                $0.array.rawValue, id: $0.id, member: nil, before: nil, after: $0.json.bytes)
        }
        let keys = RecordKeys(in: document, of: replaced.map(\.place) + removed)
        for replacement in replaced {
            let place = replacement.place
            let id = keys[place]
            let editor = try JSONObjectEditor(Array(document.text(of: place.array, place.index)))
            for (name, value) in replacement.members {
                let before = try editor.text(of: name).map { JSONText.compacted(Array($0)) }
                changes.append(
                    TraceStore.MemberChange(
                        place.array.rawValue, id: id, member: name, before: before, after: value?.bytes))
            }
        }
        for place in removed {
            let id = keys[place]
            let text = JSONText.compacted(Array(document.text(of: place.array, place.index)))
            changes.append(
                TraceStore.MemberChange(place.array.rawValue, id: id, member: nil, before: text, after: nil))
        }
        let gone = Set(removed.filter { $0.array == .customGroups }.map(\.index))
        if !gone.isEmpty, let before = try? DocumentValues(document).groupOrder {
            changes += TraceStore.MemberChange.order(
                before, before.indices.filter { !gone.contains($0) }.map { before[$0] })
        }
        if let groupOrder, let before = try? DocumentValues(document).groupOrder {
            changes.append(TraceStore.MemberChange.groupOrder(before, groupOrder))
        }
        for change in members {
            let before = try document.text(of: change.object, member: change.member)
            changes.append(
                TraceStore.MemberChange(
                    change.object, member: change.member, before: before.map(JSONText.compacted),
                    after: change.value?.bytes))
        }
        // What the write has made for its records and members goes with them.
        let containers = Set(added.map(\.array.rawValue) + members.map(\.object))
        for name in containers.sorted() where document.outline.member(name) == nil {
            changes.insert(TraceStore.MemberChange(name, member: nil, before: nil, after: nil), at: 0)
        }
        return changes
    }
}

/// What records are called in the undo log: by their ids; by their texts where they have none, or one that an earlier record has
/// (``MergeKey``).
private struct RecordKeys {
    private var ids: [PracticeArray: [String?]] = [:]
    private var keys: [PracticeArray: [String]] = [:]

    /// - Complexity: O(records of the arrays); O(document) if one of the records goes by its text, which is rare.
    init(in document: PracticeDocument, of places: [DocumentChange.Place]) {
        var isByText = false
        for (array, places) in Dictionary(grouping: places, by: \.array) {
            let ids = document.ids(of: array)
            self.ids[array] = ids
            let first = Dictionary(
                ids.enumerated().compactMap { index, id in id.map { (UUIDText.key($0), index) } },
                uniquingKeysWith: min)
            isByText =
                isByText
                || places.contains { place in
                    ids[place.index].flatMap { first[UUIDText.key($0)] } != place.index
                }
        }
        if isByText { keys = (try? DocumentValues(document))?.orders ?? [:] }
    }

    subscript(place: DocumentChange.Place) -> String {
        if let keys = keys[place.array], keys.indices.contains(place.index),
            MergeKey.isOfText(keys[place.index])
        {
            return keys[place.index]
        }
        return ids[place.array]?[place.index] ?? ""
    }
}

extension TraceStore.MemberChange {
    /// What has made one document another, so that it can be taken back.
    static func all(from before: DocumentValues, to after: DocumentValues) -> [TraceStore.MemberChange] {
        MergeChange.all(from: before, to: after).flatMap { change -> [TraceStore.MemberChange] in
            let (container, name) = (change.container, change.name)
            if change.isOfGroupOrder { return [] }
            guard let array = change.array else {
                return members(
                    container, id: "", [name], before.members(of: container), after.members(of: container))
            }
            let (old, new) = (before.records[array]?[name] ?? [:], after.records[array]?[name] ?? [:])
            guard change.kind == .changed else {
                func text(_ members: DocumentValues.Members) -> [UInt8]? {
                    members.isEmpty ? nil : NewRecord(array, name, members).json.bytes
                }
                return [
                    TraceStore.MemberChange(
                        container, id: name, member: nil, before: text(old), after: text(new))
                ]
            }
            return members(container, id: name, Set(old.keys).union(new.keys).sorted(), old, new)
        } + order(before.groupOrder, after.groupOrder) + containers(before, after)
    }

    /// A group that comes back is put where its time belongs, which need not be where it was.
    fileprivate static func order(_ before: [String], _ after: [String]) -> [TraceStore.MemberChange] {
        let staying = Set(after)
        guard before.isReordered(in: after) || !before.allSatisfy(staying.contains) else { return [] }
        return [.groupOrder(before, after)]
    }

    /// Another order of the groups, by their keys.
    static func groupOrder(_ before: [String], _ after: [String]) -> TraceStore.MemberChange {
        func text(_ keys: [String]) -> [UInt8] { JSONText.array(keys.map { JSONText($0) }).bytes }
        return TraceStore.MemberChange(
            PracticeArray.customGroups.rawValue, member: MergeChange.groupOrderName,
            before: text(before), after: text(after))
    }

    /// The order of the groups before and after, if that is what was changed.
    var groupOrders: (before: [String], after: [String])? {
        guard container == PracticeArray.customGroups.rawValue, id.isEmpty,
            member == MergeChange.groupOrderName,
            let before, let after
        else { return nil }
        return (SyncState.keys(before[...]), SyncState.keys(after[...]))
    }

    private static func members(
        _ container: String, id: String, _ names: [String], _ old: DocumentValues.Members,
        _ new: DocumentValues.Members
    ) -> [TraceStore.MemberChange] {
        names.compactMap { name in
            if let one = old[name], let other = new[name], one.isSameJSON(as: other) { return nil }
            return TraceStore.MemberChange(
                container, id: id, member: name, before: old[name].map { Array($0) },
                after: new[name].map { Array($0) })
        }
    }

    /// The arrays and objects that were not there before.
    private static func containers(
        _ before: DocumentValues, _ after: DocumentValues
    ) -> [TraceStore.MemberChange] {
        let arrays = after.records.keys.filter { before.records[$0] == nil }.map(\.rawValue)
        let objects = after.objects.keys.filter { before.objects[$0] == nil }
        return (arrays + objects).sorted().map {
            TraceStore.MemberChange($0, member: nil, before: nil, after: nil)
        }
    }
}

extension DocumentValues {
    /// Those of one of the objects of the top level, or of the top level itself.
    fileprivate func members(of object: String) -> Members {
        object.isEmpty ? others : objects[object] ?? [:]
    }
}

extension PracticeDocument {
    /// The text of a member of one of the objects of the top level.
    func text(of object: String, member: String) throws(FormatError) -> [UInt8]? {
        guard let range = outline.member(object)?.valueRange,
            bytes[range.lowerBound] == UInt8(ascii: "{")
        else { return nil }
        return try JSONObjectEditor(Array(bytes[range])).text(of: member).map { Array($0) }
    }
}
