internal import RecordFormat

/// A change as a log has it: enough to make it again in the document that it was made in, and to know which members of which records it
/// gave which values.
///
/// Source: docs/spec/practice.md#each-line-of-syncjsonl.
extension DocumentChange {
    /// One object for each record that came, changed or went, and for each object of the top level; the top level itself is the one
    /// without a name.
    ///
    /// - Parameter document: As it was before.
    func json(in document: PracticeDocument) -> JSONText {
        var entries: [JSONText] = added.map { record in
            JSONText.object { text in
                text.member("array", record.array.rawValue)
                // One that goes by its text has none: its own may be that of another.
                text.member("id", record.id.isEmpty ? nil : JSONText(record.id))
                text.member("added", record.json)
            }
        }
        for replacement in replaced {
            entries.append(
                JSONText.object { text in
                    text.add(replacement.place, in: document)
                    text.add(replacement.members)
                })
        }
        for place in removed {
            entries.append(
                JSONText.object { text in
                    text.add(place, in: document)
                    text.member("removed", JSONText(true))
                })
        }
        // In their order: an object that is empty in between is written in another way.
        var rest = members[...]
        while let first = rest.first {
            let run = rest.prefix { $0.object == first.object && ($0.value == nil) == (first.value == nil) }
            rest = rest.dropFirst(run.count)
            entries.append(
                JSONText.object { text in
                    text.member("object", first.object)
                    text.add(run.map { ($0.member, $0.value) })
                })
        }
        if !others.isEmpty {
            entries.append(
                JSONText.object { text in
                    text.member("object", "")
                    text.add(others)
                })
        }
        entries += withdrawn.map { name in
            JSONText.object { text in
                text.member("object", name)
                text.member("removed", JSONText(true))
                text.member("names", document.names(in: name))
            }
        }
        if let groupOrder {
            entries.append(
                JSONText.object { text in
                    text.member("array", PracticeArray.customGroups.rawValue)
                    text.member("order", groupOrder)
                })
        }
        return .array(entries)
    }

    /// The change that a log has. Whether the document has the records that it names, ``PracticeDocument/applying(_:)`` checks.
    ///
    /// - Parameters:
    ///   - value: The array that ``json(in:)`` wrote.
    ///   - text: The bytes of the log's line, from which the values are taken as they are spelled.
    /// - Returns: Nil if it is not one.
    init?(_ value: JSONValue, spelledIn text: [UInt8]) {
        let entries = SpelledJSON(text)["changes"]?.elements ?? []
        for (index, entry) in value.elements.enumerated() {
            guard entries.indices.contains(index) else { return nil }
            let spelled = entries[index]
            let changed = spelled.changedMembers.map { name, value in
                (name: name, value: value.map { JSONText(verbatim: $0.text) })
            }
            if let object = entry[name: "object"]?.string {
                guard !object.isEmpty else {
                    others += changed
                    continue
                }
                if entry[name: "removed"]?.boolean == true { withdrawn.append(object) }
                members += changed.map { MemberChange(object, $0.name, $0.value) }
                continue
            }
            guard let array = entry[name: "array"]?.string.flatMap(PracticeArray.init) else { return nil }
            if let order = entry[name: "order"] {
                groupOrder = order.elements.compactMap(\.string)
                continue
            }
            if let record = entry[name: "added"] {
                let id = entry[name: "id"]?.string ?? ""
                let time =
                    (array == .customGroups ? record[name: "createdAt"] : record[name: "timestamp"])?
                    .number
                // What goes by its text is as it was found, and may lack anything.
                guard id.isEmpty ? record.kind == .object : time != nil else { return nil }
                let members = spelled["added"]?.members ?? []
                added.append(
                    NewRecord(
                        array, id: id, time: time ?? 0,
                        copying: members.map { ($0.name, JSONText(verbatim: $0.value.text)) }))
            } else if let place = entry[name: "index"]?.integer.map({ Place(array, Int($0)) }) {
                if entry[name: "removed"]?.boolean == true {
                    removed.append(place)
                } else {
                    replaced.append(Replacement(place, changed))
                }
            } else {
                return nil
            }
        }
    }
}

extension JSONObjectText {
    fileprivate mutating func add(_ place: DocumentChange.Place, in document: PracticeDocument) {
        member("array", place.array.rawValue)
        let ids = document.ids(of: place.array)
        member("id", ids.indices.contains(place.index) ? ids[place.index].map { JSONText($0) } : nil)
        member("index", JSONText(Int64(place.index)))
    }

    fileprivate mutating func add(_ members: [(name: String, value: JSONText?)]) {
        let set = members.filter { $0.value != nil }
        if !set.isEmpty {
            member(
                "set",
                JSONText.object { text in for (name, value) in set { text.member(name, value) } })
        }
        let unset = members.filter { $0.value == nil }.map(\.name)
        if !unset.isEmpty { member("unset", unset) }
    }
}

extension PracticeDocument {
    /// What is in an array or object of the top level: the ids of its records, or the names of its members.
    fileprivate func names(in container: String) -> [String] {
        if let array = PracticeArray(rawValue: container) { return ids(of: array).compactMap(\.self) }
        guard let range = outline.member(container)?.valueRange else { return [] }
        return ((try? DocumentOutline.members(of: bytes, in: range)) ?? []).map(\.name)
    }
}

extension SpelledJSON {
    /// The members that an entry of a change sets, in their order, then those that it takes away.
    var changedMembers: [(name: String, value: SpelledJSON?)] {
        let members = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        let set = members["set"]?.members ?? []
        let unset = members["unset"]?.elements.compactMap(\.string) ?? []
        return set.map { ($0.name, $0.value) } + unset.map { ($0, nil) }
    }
}
