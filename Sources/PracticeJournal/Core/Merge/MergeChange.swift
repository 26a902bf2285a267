internal import RecordFormat

/// A record of a document, or a member of one of its objects, that came, changed or went; or the order of its groups.
package struct MergeChange: Sendable {
    package enum Kind: String, Sendable { case added, changed, removed }

    package let kind: Kind
    /// Nil for a member.
    let array: PracticeArray?
    /// The array, or the object that a member is in; empty for a member of the top level.
    let container: String
    /// The key of the record, or the name of the member.
    let name: String
    /// Of the record: as it is, or was before it went.
    private let members: DocumentValues.Members

    var isOfRecord: Bool { array != nil }

    /// Whether it is the order of the groups that changed.
    var isOfGroupOrder: Bool { array == nil && container == PracticeArray.customGroups.rawValue }

    private static let groupOrder = MergeChange(
        kind: .changed, array: nil, container: PracticeArray.customGroups.rawValue,
        name: groupOrderName, members: [:])
    /// What the undo log calls the order of the groups.
    static let groupOrderName = "order"

    /// For people: what it is, in a few words.
    package var text: String {
        guard let array else {
            if isOfGroupOrder { return "the order of the groups" }
            return container.isEmpty ? name : "\(name) in \(container)"
        }
        func word(_ name: String) -> String? { members[name].flatMap(Self.word) }
        let subject = array.descriptiveMembers.lazy.compactMap(word).first
        let game = word(PracticeArray.gameMember).map { "of \($0)" }
        return [array.noun, subject, game].compactMap(\.self).joined(separator: " ")
    }

    /// A value in a line; nil for one without any text.
    private static func word(_ value: DocumentValues.Text) -> String? {
        let text =
            value.first == UInt8(ascii: "\"")
            ? value.withUnsafeBytes { JSONText.unescaped($0) } : String(decoding: value, as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.count > longestWord else { return words.isEmpty ? nil : words }
        return words.prefix(longestWord - 1) + "…"
    }

    /// In characters.
    private static let longestWord = 40

    /// - Complexity: O(size of both)
    static func all(from before: DocumentValues, to after: DocumentValues) -> [MergeChange] {
        var changes: [MergeChange] = []
        for array in PracticeArray.allCases {
            let (old, new) = (before.records[array] ?? [:], after.records[array] ?? [:])
            var found: [MergeChange] = []
            func add(_ kind: Kind, _ key: String, _ members: DocumentValues.Members) {
                found.append(
                    MergeChange(
                        kind: kind, array: array, container: array.rawValue, name: key, members: members))
            }
            for (key, members) in new {
                guard let known = old[key] else {
                    add(.added, key, members)
                    continue
                }
                if !self.members(from: known, to: members, in: "").isEmpty { add(.changed, key, members) }
            }
            for (key, members) in old where new[key] == nil { add(.removed, key, members) }
            changes += found.sorted { $0.name < $1.name }
        }
        if before.groupOrder.isReordered(in: after.groupOrder) { changes.append(groupOrder) }
        for object in Set(before.objects.keys).union(after.objects.keys).sorted() {
            changes += members(
                from: before.objects[object] ?? [:], to: after.objects[object] ?? [:], in: object)
        }
        return changes + members(from: before.others, to: after.others, in: "")
    }

    private static func members(
        from old: DocumentValues.Members, to new: DocumentValues.Members, in object: String
    ) -> [MergeChange] {
        Set(old.keys).union(new.keys).sorted().compactMap { name in
            let kind: Kind
            switch (old[name], new[name]) {
            case (let one?, let other?):
                if one.isSameJSON(as: other) { return nil }
                kind = .changed
            case (nil, _): kind = .added
            case (_, nil): kind = .removed
            }
            return MergeChange(kind: kind, array: nil, container: object, name: name, members: [:])
        }
    }
}

extension PracticeArray {
    /// What one of its records is called.
    var noun: String {
        switch self {
        case .studyEvents: "study event"
        case .videoProgressEntries: "video entry"
        case .scoreEntries: "score"
        case .noteEntries: "note"
        case .journalEntries: "row"
        case .customGroups: "group"
        }
    }

    fileprivate static let gameMember = "gameID"

    /// By which a person knows a record: the first that it has.
    fileprivate var descriptiveMembers: [String] {
        switch self {
        case .studyEvents: ["task"]
        case .videoProgressEntries: ["value"]
        case .scoreEntries: ["score"]
        case .noteEntries: ["note"]
        case .journalEntries: ["action"]
        case .customGroups: ["name"]
        }
    }
}
