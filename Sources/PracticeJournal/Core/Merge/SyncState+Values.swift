internal import RecordFormat

/// What a state comes to, and how a document differs from it.
extension SyncState {
    /// What a device says that had one document and now has another: all with one stamp.
    ///
    /// - Parameters:
    ///   - base: What it had; nil where nothing was known of the document before: then all that it has is said.
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
            let (before, after) = (base?.objects[object], values.objects[object] ?? [:])
            let kept = PracticeSettingsObject(rawValue: object)?.kept(from: before, to: after) ?? []
            let changes = Self.changes(from: before, to: after, keeping: kept)
            for (name, text) in changes {
                say(Register(stamp: stamp, text: text), of: name, in: object)
            }
        }
        for (name, text) in Self.changes(from: base?.others, to: values.others) {
            say(Register(stamp: stamp, text: text), of: name)
        }
        let groups = values.groupOrder
        guard !groups.isEmpty, base?.groupOrder.isReordered(in: groups) ?? true else { return }
        let order = JSONText.array(groups.map { JSONText($0) })
        self.order(groups: Register(stamp: stamp, text: order.bytes[...]))
    }

    /// What a document says of which it is not known what it was before: nothing is gone, and a value that its register has had before is
    /// an old one.
    ///
    /// - Parameters:
    ///   - known: All that was said so far.
    ///   - stamp: ``SyncStamp/unnoted(newest:)``.
    /// - Note: Where the log has forgotten which values there were, nothing is said of what is known: what differs is ``undecided(in:)``.
    package init(_ values: DocumentValues, beyond known: SyncState, stamp: SyncStamp) {
        self.init()
        for (array, records) in values.records {
            for (key, members) in records {
                let record = known.records[array]?[key]
                if known.lacksPast, record != nil { continue }
                let registers = record?.members ?? [:]
                for (name, text) in members
                where known.isNew(text, of: name, in: .record(array, key), registers) {
                    say(Register(stamp: stamp, text: text), of: name, in: key, array)
                }
            }
        }
        for (object, members) in values.objects {
            let registers = known.objects[object] ?? [:]
            for (name, text) in members where known.isNew(text, of: name, in: .object(object), registers) {
                say(Register(stamp: stamp, text: text), of: name, in: object)
            }
        }
        for (name, text) in values.others where known.isNew(text, of: name, in: .top, known.others) {
            say(Register(stamp: stamp, text: text), of: name)
        }
        self = withoutMovedTimes(knowing: known)
        let groups = values.groupOrder
        guard !groups.isEmpty, known.isNew(order: groups) else { return }
        let order = JSONText.array(groups.map { JSONText($0) })
        self.order(groups: Register(stamp: stamp, text: order.bytes[...]))
    }

    /// What is left of what a program says that has had a document in its memory, if what others said in the meantime does not count as its
    /// own: it may have taken up some of that, and not the rest.
    ///
    /// - Parameters:
    ///   - meanwhile: What others said since the program's base was there.
    ///   - known: All that was said so far.
    func withoutWhatWasSaid(
        meanwhile: [SyncState], knowing known: SyncState, base: DocumentValues
    ) -> SyncState {
        var values = PastValues()
        for state in meanwhile { state.forEachValue { values.insert($2, of: $1, in: $0) } }
        /// Whether the value that counts now is one that the program can't have had.
        func isNews(
            _ register: Register?, _ name: String, in place: RegisterPlace, _ old: DocumentValues.Text?
        )
            -> Bool
        {
            guard let text = register?.text, values.contains(text, of: name, in: place) else { return false }
            return !(old?.isSameJSON(as: text) ?? false)
        }
        func isItsOwn(
            _ register: Register, _ name: String, in place: RegisterPlace, _ current: Register?,
            _ old: DocumentValues.Text?
        ) -> Bool {
            guard let text = register.text else { return !isNews(current, name, in: place, old) }
            return !values.contains(text, of: name, in: place)
        }
        var left = SyncState()
        for (array, records) in records {
            for (key, record) in records {
                let place = RegisterPlace.record(array, key)
                let current = known.records[array]?[key]?.members ?? [:]
                let old = base.records[array]?[key] ?? [:]
                for (name, register) in record.members
                where isItsOwn(register, name, in: place, current[name], old[name]) {
                    left.say(register, of: name, in: key, array)
                }
                guard let tombstone = record.tombstone,
                    !current.contains(where: { isNews($0.value, $0.key, in: place, old[$0.key]) })
                else { continue }
                left.remove(key, of: array, tombstone)
            }
        }
        for (object, registers) in objects {
            let (current, old) = (known.objects[object] ?? [:], base.objects[object] ?? [:])
            for (name, register) in registers
            where isItsOwn(register, name, in: .object(object), current[name], old[name]) {
                left.say(register, of: name, in: object)
            }
        }
        for (name, register) in others
        where isItsOwn(register, name, in: .top, known.others[name], base.others[name]) {
            left.say(register, of: name)
        }
        if let groupOrder, !meanwhile.contains(where: { $0.groupOrder?.text == groupOrder.text }) {
            left.order(groups: groupOrder)
        }
        return left
    }

    private func forEachValue(_ body: (RegisterPlace, String, DocumentValues.Text) -> Void) {
        func each(_ registers: Registers, in place: RegisterPlace) {
            for (name, register) in registers {
                if let text = register.text { body(place, name, text) }
            }
        }
        for (array, records) in records {
            for (key, record) in records { each(record.members, in: .record(array, key)) }
        }
        for (object, registers) in objects { each(registers, in: .object(object)) }
        each(others, in: .top)
    }

    /// Whether a register has never had a value.
    private func isNew(
        _ text: DocumentValues.Text, of name: String, in place: RegisterPlace, _ registers: Registers
    ) -> Bool {
        guard let register = registers[name] else { return true }
        if lacksPast || register.text.map({ $0.isSameJSON(as: text) }) ?? false { return false }
        return !past.contains(text, of: name, in: place)
    }

    /// Whether an order of groups was never theirs, as far as those say that were there then, too.
    private func isNew(order groups: [String]) -> Bool {
        guard let current = groupOrder?.text else { return true }
        guard !lacksPast else { return false }
        return past.orders.union([current]).allSatisfy { order in
            Self.keys(order).isReordered(in: groups)
        }
    }

    /// The records and members whose values in a document differ from those that count, where the log has forgotten which values there were
    /// before: they may be old or new.
    package func undecided(in values: DocumentValues) -> [MergeChange] {
        guard lacksPast else { return [] }
        return MergeChange.all(from: self.values, to: values).filter { change in
            switch change.kind {
            case .changed: true
            case .added: isKnown(change)
            case .removed: false
            }
        }
    }

    /// Whether something was said of it before.
    private func isKnown(_ change: MergeChange) -> Bool {
        if let array = change.array { return records[array]?[change.name] != nil }
        let registers = change.container.isEmpty ? others : objects[change.container] ?? [:]
        return registers[change.name] != nil
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

    /// The document's values as the state has them.
    var values: DocumentValues {
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

    /// The keys of a JSON array, each once.
    static func keys(_ text: DocumentValues.Text) -> [String] {
        let keys = try? JSONParser().withParsed(text) { $0.elements.compactMap(\.string) }
        var seen: Set<String> = []
        return (keys ?? []).filter { seen.insert($0).inserted }
    }
}

extension SyncState {
    /// Whether it says that records, or notes of games, are gone, and no more but which group is selected: that may be the one that went.
    var isOnlyRemoval: Bool {
        let isGone = records.values.joined().allSatisfy { $0.value.members.isEmpty }
        let isOfObjects = objects.allSatisfy { object, registers in
            registers.allSatisfy { name, register in
                PracticeMap(rawValue: object) != nil
                    ? register.text == nil : name == DocumentChange.MemberChange.selectedGroupName
            }
        }
        return !isEmpty && isGone && isOfObjects && others.isEmpty && groupOrder == nil
    }

    /// How many values and removals it says.
    var sayingCount: Int {
        let records = records.values.joined().reduce(0) { count, record in
            count + record.value.members.count + (record.value.tombstone == nil ? 0 : 1)
        }
        return records + objects.values.reduce(others.count) { $0 + $1.count } + (groupOrder == nil ? 0 : 1)
    }
}

extension PracticeSettingsObject {
    /// The members of which it says nothing that they are gone: those that every document must have, and those that an app of an earlier
    /// version leaves out at its next save, as it does not know them.
    fileprivate func kept(
        from before: DocumentValues.Members?, to after: DocumentValues.Members
    ) -> Set<String> {
        let required = declaration.requiredNames
        switch self {
        case .practiceSettings: return required.union(["ifpaPlayerID"])
        case .leagueSettings:
            // With the time of the import it goes where the scores were taken out again.
            let isPurged = before?["lastImportAt"] != nil && after["lastImportAt"] == nil
            return isPurged ? required : required.union(["lastRepairVersion"])
        case .syncSettings, .analyticsSettings: return required
        }
    }
}

extension [MemberDeclaration] {
    fileprivate var requiredNames: Set<String> { Set(filter(\.isRequired).map { "\($0.name)" }) }
}

extension SyncState.Record {
    /// Whether it can stand in a document: it lives, and more is known of it than changes.
    func isWhole(_ key: String) -> Bool {
        isAlive && (MergeKey.isOfText(key) || members["id"]?.text != nil)
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
    /// The text of the string that it is; nil for anything else.
    var stringOfJSON: String? {
        first == UInt8(ascii: "\"") ? withUnsafeBytes { JSONText.unescaped($0) } : nil
    }

    /// The number that the text is; nil for anything else.
    var numberOfJSON: Double? { (try? JSONParser().withParsed(self) { $0.number }) ?? nil }
}
