internal import RecordFormat

/// What a state comes to, and how a document differs from it.
extension SyncState {
    /// What a device says that had one document and now has another: all with one stamp.
    ///
    /// - Parameters:
    ///   - base: What it had; nil if that is not known: then it says everything it has, and nothing was removed.
    ///   - values: What it has. That a member is gone which every document must have says nothing: no app means that, and none could
    ///     read the document any more.
    package init(from base: DocumentValues?, to values: DocumentValues, stamp: SyncStamp) {
        self.init()
        for array in PracticeArray.allCases {
            let (before, after) = (base?.records[array] ?? [:], values.records[array] ?? [:])
            let required = array.declaration.requiredNames
            for (key, members) in after {
                for (name, text) in Self.changes(from: before[key], to: members, keeping: required) {
                    say(Register(stamp: stamp, text: text), of: name, in: key, array)
                }
            }
            for key in before.keys where after[key] == nil { remove(key, of: array, stamp) }
        }
        for object in Set(values.objects.keys).union(base.map { Array($0.objects.keys) } ?? []) {
            let required = PracticeSettingsObject(rawValue: object)?.declaration.requiredNames ?? []
            let changes = Self.changes(
                from: base?.objects[object], to: values.objects[object] ?? [:], keeping: required)
            for (name, text) in changes {
                say(Register(stamp: stamp, text: text), of: name, in: object)
            }
        }
        for (name, text) in Self.changes(from: base?.others, to: values.others) {
            say(Register(stamp: stamp, text: text), of: name)
        }
        let groups = values.orders[.customGroups] ?? []
        guard !groups.isEmpty, Self.isReordered(base?.orders[.customGroups], groups, isFirst: base == nil)
        else { return }
        let order = JSONText.array(groups.map { JSONText($0) })
        self.order(groups: Register(stamp: stamp, text: order.bytes[...]))
    }

    /// The members that have another value, and those that are gone but for some that can't go.
    private static func changes(
        from before: DocumentValues.Members?, to after: DocumentValues.Members,
        keeping required: Set<String> = []
    ) -> [(name: String, text: DocumentValues.Text?)] {
        guard let before, !before.isEmpty else { return after.map { ($0, $1) } }
        var changes: [(String, DocumentValues.Text?)] = []
        for (name, text) in after {
            if let old = before[name], old.isSameJSON(as: text) { continue }
            changes.append((name, text))
        }
        for name in before.keys where after[name] == nil && !required.contains(name) {
            changes.append((name, nil))
        }
        return changes
    }

    /// Whether the groups that are in both stand in another order.
    private static func isReordered(_ before: [String]?, _ after: [String], isFirst: Bool) -> Bool {
        guard let before, !isFirst else { return isFirst }
        let (old, new) = (Set(before), Set(after))
        return before.filter(new.contains) != after.filter(old.contains)
    }

    /// The document's values as the state has them.
    package var values: DocumentValues {
        var found: [PracticeArray: [String: DocumentValues.Members]] = [:]
        for (array, records) in records {
            found[array] = records.filter { $0.value.isWhole($0.key) }.mapValues { $0.members.present }
        }
        let groups = order(of: found[.customGroups] ?? [:])
        return DocumentValues(
            records: found, orders: [.customGroups: groups], objects: objects.mapValues(\.present),
            others: others.present)
    }

    /// The keys of groups in the order that was said last; those that are not in it follow by the time when they were made, then by id.
    func order(of groups: [String: DocumentValues.Members]) -> [String] {
        let said = groupOrder?.text.map(Self.keys) ?? []
        let known = said.filter { groups[$0] != nil }
        let rest = Set(groups.keys).subtracting(known).map { key in
            (time: groups[key]?[PracticeArray.customGroups.timeName].flatMap(\.numberOfJSON) ?? 0, key: key)
        }
        return known + rest.sorted { ($0.time, $0.key) < ($1.time, $1.key) }.map(\.key)
    }

    private static func keys(_ text: DocumentValues.Text) -> [String] {
        let keys = try? JSONParser().withParsed(text) { $0.elements.compactMap(\.string) }
        var seen: Set<String> = []
        return (keys ?? []).filter { seen.insert($0).inserted }
    }
}

extension [MemberDeclaration] {
    fileprivate var requiredNames: Set<String> { Set(filter(\.isRequired).map { "\($0.name)" }) }
}

extension SyncState.Record {
    /// Whether it can stand in a document: it lives, and more is known of it than changes.
    func isWhole(_ key: String) -> Bool {
        isAlive && (RecordKey.isOfText(key) || members["id"]?.text != nil)
    }
}

extension SyncState.Registers {
    /// The values that are there.
    var present: DocumentValues.Members { compactMapValues(\.text) }
}

extension PracticeArray {
    /// ``timeMember`` as members are named.
    var timeName: String { self == .customGroups ? "createdAt" : "timestamp" }
}

extension DocumentValues.Text {
    /// The number that the text is; nil for anything else.
    var numberOfJSON: Double? { (try? JSONParser().withParsed(self) { $0.number }) ?? nil }
}
