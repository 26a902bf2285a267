package import RecordFormat

/// A state as a log has it, on one line: what was said with the same stamp is together, and each stamp is there once.
///
/// Source: docs/spec/practice.md#each-line-of-syncjsonl.
extension SyncState {
    package var json: JSONText {
        let stamps = Array(allStamps).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(stamps, 0...))
        return .object { text in
            text.member("stamps", .array(stamps.map(\.json)))
            let arrays = records.filter { !$0.value.isEmpty }.sorted { $0.key.rawValue < $1.key.rawValue }
            text.member(
                "records",
                arrays.isEmpty
                    ? nil
                    : Self.object(arrays) { array, records in
                        (
                            array.rawValue,
                            .array(
                                records.sorted { $0.key < $1.key }.map { key, record in
                                    .object { text in
                                        text.member("key", key)
                                        text.add(record.members, numbers)
                                        text.member(
                                            "removed",
                                            record.tombstone.flatMap { numbers[$0] }.map(Self.number))
                                    }
                                })
                        )
                    })
            let objects = objects.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            text.member(
                "objects",
                objects.isEmpty
                    ? nil
                    : Self.object(objects) { name, registers in
                        (name, .object { $0.add(registers, numbers) })
                    })
            text.member("others", others.isEmpty ? nil : .object { $0.add(others, numbers) })
            text.member(
                "order",
                groupOrder.flatMap { order in
                    guard let number = numbers[order.stamp], let keys = order.text else { return nil }
                    return .array([Self.number(number), JSONText(verbatim: keys)])
                })
            text.member("past", past.hashes.isEmpty ? nil : JSONText(past.text))
            text.member(
                "orders",
                past.orders.isEmpty
                    ? nil
                    : .array(
                        past.orders.sorted { $0.lexicographicallyPrecedes($1) }.map {
                            JSONText(verbatim: $0)
                        }))
        }
    }

    private static func number(_ number: Int) -> JSONText { JSONText(Int64(number)) }

    private static func object<Key, Value>(
        _ entries: [(key: Key, value: Value)], _ member: (Key, Value) -> (String, JSONText)
    ) -> JSONText {
        .object { text in
            for (key, value) in entries {
                let (name, value) = member(key, value)
                text.member(name, value)
            }
        }
    }

    private var allStamps: Set<SyncStamp> {
        var stamps = Set(latest.values)
        func add(_ registers: Registers) {
            for register in registers.values { stamps.insert(register.stamp) }
        }
        for record in records.values.joined() {
            add(record.value.members)
            if let tombstone = record.value.tombstone { stamps.insert(tombstone) }
        }
        objects.values.forEach(add)
        add(others)
        if let groupOrder { stamps.insert(groupOrder.stamp) }
        return stamps
    }

    /// Reads what ``json`` has written.
    ///
    /// - Parameter json: Of which the values are taken as they are spelled.
    /// - Returns: Nil if it is not a state.
    package init?(_ json: SpelledJSON) {
        self.init()
        guard let list = json["stamps"] else { return nil }
        let stamps = list.elements.compactMap(\.stamp)
        guard stamps.count == list.elements.count else { return nil }
        func stamp(_ value: SpelledJSON?) -> SyncStamp? {
            value?.integer.flatMap { stamps.indices.contains($0) ? stamps[$0] : nil }
        }
        func registers(_ object: SpelledJSON) -> [(name: String, Register)] {
            var found: [(String, Register)] = []
            for (name, parts) in object.members.map({ ($0.name, $0.value.elements.map(\.elements)) }) {
                for part in parts where part.count == 2 {
                    guard let stamp = stamp(part[0]) else { continue }
                    switch name {
                    case "set":
                        found += part[1].members.map {
                            ($0.name, Register(stamp: stamp, text: $0.value.text))
                        }
                    case "unset":
                        found += part[1].elements.compactMap(\.string).map {
                            ($0, Register(stamp: stamp, text: nil))
                        }
                    default: break
                    }
                }
            }
            return found
        }
        for (name, list) in json["records"]?.members ?? [] {
            guard let array = PracticeArray(rawValue: name) else { return nil }
            for record in list.elements {
                guard let key = record["key"]?.string else { return nil }
                for (member, register) in registers(record) {
                    say(register, of: member, in: key, array)
                }
                if let stamp = stamp(record["removed"]) { remove(key, of: array, stamp) }
            }
        }
        for (name, object) in json["objects"]?.members ?? [] {
            for (member, register) in registers(object) {
                say(register, of: member, in: name)
            }
        }
        if let object = json["others"] {
            for (member, register) in registers(object) { say(register, of: member) }
        }
        if let parts = json["order"]?.elements, parts.count == 2, let stamp = stamp(parts[0]) {
            order(groups: Register(stamp: stamp, text: parts[1].text))
        }
        guard
            let past = PastValues(
                hashes: json["past"]?.string ?? "", orders: json["orders"]?.elements.map(\.text) ?? [])
        else { return nil }
        note(past)
        for stamp in stamps { note(stamp) }
    }
}

extension JSONObjectText {
    fileprivate mutating func add(_ registers: SyncState.Registers, _ numbers: [SyncStamp: Int]) {
        func entries(_ isThere: Bool, _ value: ([SyncState.Registers.Element]) -> JSONText) -> JSONText? {
            let chosen = registers.filter { ($0.value.text != nil) == isThere }
            let groups = Dictionary(grouping: chosen) { numbers[$0.value.stamp] ?? 0 }
            guard !groups.isEmpty else { return nil }
            return .array(
                groups.sorted { $0.key < $1.key }.map { number, members in
                    .array([JSONText(Int64(number)), value(members.sorted { $0.key < $1.key })])
                })
        }
        member(
            "set",
            entries(true) { members in
                .object { text in
                    for (name, register) in members {
                        text.member(name, register.text.map { JSONText(verbatim: $0) })
                    }
                }
            })
        member("unset", entries(false) { .array($0.map { JSONText($0.key) }) })
    }
}

extension SpelledJSON {
    fileprivate var stamp: SyncStamp? {
        (try? JSONParser().withParsed(text) { SyncStamp($0) }) ?? nil
    }
}
