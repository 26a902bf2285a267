internal import RecordFormat
internal import TraceStore

/// What of a document a change is about to overwrite, as the undo journal keeps it.
extension DocumentChange {
    func memberChanges(in document: PracticeDocument) throws(FormatError) -> [TraceStore.MemberChange] {
        var changes = added.map {
            TraceStore.MemberChange(
                $0.array.rawValue, id: $0.id, member: nil, before: nil, after: $0.json.bytes)
        }
        for replacement in replaced {
            let place = replacement.place
            let id = document.ids(of: place.array)[place.index] ?? ""
            let editor = try JSONObjectEditor(Array(document.text(of: place.array, place.index)))
            for (name, value) in replacement.members {
                let before = try editor.text(of: name).map { JSONText.compacted(Array($0)) }
                changes.append(
                    TraceStore.MemberChange(
                        place.array.rawValue, id: id, member: name, before: before, after: value?.bytes))
            }
        }
        for place in removed {
            let id = document.ids(of: place.array)[place.index] ?? ""
            let text = JSONText.compacted(Array(document.text(of: place.array, place.index)))
            changes.append(
                TraceStore.MemberChange(place.array.rawValue, id: id, member: nil, before: text, after: nil))
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

extension PracticeDocument {
    /// The text of a member of one of the objects of the top level.
    func text(of object: String, member: String) throws(FormatError) -> [UInt8]? {
        guard let range = outline.member(object)?.valueRange,
            bytes[range.lowerBound] == UInt8(ascii: "{")
        else { return nil }
        return try JSONObjectEditor(Array(bytes[range])).text(of: member).map { Array($0) }
    }
}
