package import RecordFormat
internal import TraceText

extension PracticeDocument {
    /// The document with what a state knows: edited, so that the bytes of everything else stay.
    ///
    /// Records that the state does not know stay, too.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if the document is not one that can be merged (``DocumentValues``).
    package func merged(with state: SyncState) throws(FormatError) -> PracticeDocument {
        let values = try DocumentValues(self)
        var change = DocumentChange()
        for array in PracticeArray.allCases {
            change.add(array, state.records[array] ?? [:], to: values, of: self)
        }
        for (object, registers) in state.objects.sorted(by: { $0.key < $1.key }) {
            for (name, text) in registers.changes(of: values.objects[object] ?? [:]) {
                change.members.append(.init(object, name, text.map { JSONText(verbatim: $0) }))
            }
        }
        for (name, text) in state.others.changes(of: values.others) {
            change.others.append((name, text.map { JSONText(verbatim: $0) }))
        }
        let merged = change.isEmpty ? self : try Self.rereading(applying(change))
        return try merged.withGroups(orderedBy: state)
    }

    /// The document that a change has come to.
    static func rereading(_ bytes: [UInt8]) throws(FormatError) -> PracticeDocument {
        let reading = try PracticeReading(bytes, now: Timestamp(milliseconds: 0), isChecked: false)
        guard let document = reading.document else {
            throw FormatError(.recordInvalid, "the changed document can't be read")
        }
        return document
    }

    /// The document with the groups in the order that a state says.
    private func withGroups(orderedBy state: SyncState) throws(FormatError) -> PracticeDocument {
        guard state.groupOrder != nil else { return self }
        return try withGroups(in: state.order(of: DocumentValues(self).records[.customGroups] ?? [:]))
    }

    /// The document with the groups in the order of their keys; one that is not named stays where it is.
    func withGroups(in order: [String]) throws(FormatError) -> PracticeDocument {
        let there = try DocumentValues(self).groupOrder
        let wanted = there.ordered(as: order)
        guard wanted != there else { return self }
        let ranges = outline.elements(of: PracticeArray.customGroups.rawValue)
        let places = Dictionary(uniqueKeysWithValues: zip(there, ranges))
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        for (range, key) in zip(ranges, wanted) {
            guard let place = places[key] else { continue }
            result += bytes[position..<range.lowerBound]
            result += bytes[place]
            position = range.upperBound
        }
        return try Self.rereading(result + bytes[position...])
    }
}

extension DocumentValues {
    /// The keys of the groups in the order in which they stand.
    var groupOrder: [String] { orders[.customGroups] ?? [] }
}

extension [String] {
    /// The keys in another order; one that it does not name stays where it is.
    func ordered(as order: [String]) -> [String] {
        let there = Set(self)
        let known = order.filter(there.contains)
        guard Set(known).count == known.count else { return self }
        let moved = Set(known)
        var next = known.makeIterator()
        return map { moved.contains($0) ? next.next() ?? $0 : $0 }
    }

    /// Whether the keys that are in both stand in another order.
    func isReordered(in other: [String]) -> Bool {
        let (own, others) = (Set(self), Set(other))
        return filter(others.contains) != other.filter(own.contains)
    }
}

extension DocumentChange {
    /// What the state knows of an array's records and the document does not.
    fileprivate mutating func add(
        _ array: PracticeArray, _ known: [String: SyncState.Record], to values: DocumentValues,
        of document: PracticeDocument
    ) {
        let there = values.records[array] ?? [:]
        for (index, key) in (values.orders[array] ?? []).enumerated() {
            guard let record = known[key], let members = there[key] else { continue }
            let place = Place(array, index)
            guard record.isAlive else {
                removed.append(place)
                continue
            }
            let changes = record.members.changes(of: members)
            if changes.isEmpty { continue }
            if changes.contains(where: { $0.name == array.timeName }) {
                // Its place follows from its time.
                removed.append(place)
                added.append(NewRecord(array, key, record.members.present, document.dateUnit))
            } else {
                replaced.append(
                    Replacement(place, changes.map { ($0.name, $0.text.map { JSONText(verbatim: $0) }) }))
            }
        }
        for (key, record) in known.sorted(by: { $0.key < $1.key })
        where there[key] == nil && record.isWhole(key) {
            added.append(NewRecord(array, key, record.members.present, document.dateUnit))
        }
    }
}

extension NewRecord {
    /// A record with the members in the order in which they are declared, others behind them by their names.
    ///
    /// - Parameter unit: In which the document has its times.
    init(
        _ array: PracticeArray, _ key: String, _ members: DocumentValues.Members,
        _ unit: DateUnit = .milliseconds
    ) {
        let declared = array.declaration.map { "\($0.name)" }
        let others = Set(members.keys).subtracting(declared).sorted()
        let time = members[array.timeName].flatMap(\.numberOfJSON).map { unit.read($0).milliseconds }
        self.init(
            array, id: MergeKey.isOfText(key) ? "" : key, time: time ?? 0,
            copying: (declared + others).compactMap { name in
                members[name].map { (name, JSONText(verbatim: $0)) }
            })
    }
}

extension SyncState.Registers {
    /// What differs from the values of a document, by name.
    fileprivate func changes(
        of values: DocumentValues.Members
    ) -> [(name: String, text: DocumentValues.Text?)] {
        var changes: [(name: String, text: DocumentValues.Text?)] = []
        for (name, register) in self {
            switch (values[name], register.text) {
            case (nil, nil): continue
            case (let old?, let new?) where old.isSameJSON(as: new): continue
            default: changes.append((name, register.text))
            }
        }
        return changes.sorted { $0.name < $1.name }
    }
}
