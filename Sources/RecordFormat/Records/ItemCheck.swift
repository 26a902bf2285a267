/// Checks the objects of an array and reports each problem at the member that causes it.
enum ItemCheck {
    /// - Parameter number: Which member of the object holds the array, from 0.
    static func check(
        _ array: JSONValue, as items: RecordItems, member number: Int, _ places: inout TextPlaces,
        _ report: (Finding) -> Void
    ) {
        var index = 0
        for item in array.elements {
            check(item, items, Position(index: index, number: number), &places, report)
            index += 1
        }
    }

    /// An element of a member.
    private struct Position {
        let index: Int
        let number: Int
    }

    private static func check(
        _ item: JSONValue, _ items: RecordItems, _ position: Position, _ places: inout TextPlaces,
        _ report: (Finding) -> Void
    ) {
        // Counted from 1, as people do.
        let name = "\(items.noun) \(position.index + 1)"
        guard item.kind == .object else {
            let problem = ValueCheck.wrongType(item, "an object")
            let place = places.element(position.index, of: position.number)
            return report(Finding(problem.rule, at: place, "\(name): \(problem.message)"))
        }
        let fields = items.fields
        // What is missing has the place of the item, which is before those of its members.
        for field in fields where field.isRequired && item[name: field.name] == nil {
            let place = places.element(position.index, of: position.number)
            report(Finding(.keyMissing, at: place, "\(name): \(field.name) is missing"))
        }
        var seen: UInt64 = 0
        var inner = 0
        for (key, value) in item.members {
            defer { inner += 1 }
            guard let slot = fields.firstIndex(where: { key.equals($0.name) }) else {
                let message = "\(name): unknown key \(ValueCheck.quoted(key))"
                let place = places.name(of: inner, inElement: position.index, of: position.number)
                report(Finding(.keyUnknown, at: place, message))
                continue
            }
            if seen & 1 << slot != 0 {
                let place = places.name(of: inner, inElement: position.index, of: position.number)
                report(
                    Finding(.keyDuplicate, at: place, "\(name): \(fields[slot].name) appears twice"))
            }
            seen |= 1 << slot
            if let problem = ValueCheck.problem(of: value, as: fields[slot].type) {
                let place = places.value(of: inner, inElement: position.index, of: position.number)
                let message = "\(name): \(fields[slot].name) \(problem.message)"
                report(Finding(problem.rule, at: place, message))
            }
        }
    }
}
