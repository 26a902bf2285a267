/// Checks the media items of `session.json`: every problem of every item, each at the place of the item's own member.
enum MediaItemCheck {
    /// - Parameter number: Which member of the object holds the array, from 0.
    static func check(
        _ array: JSONValue, member number: Int, _ places: inout TextPlaces, _ report: (Finding) -> Void
    ) {
        var index = 0
        for item in array.elements {
            check(item, Position(index: index, number: number), &places, report)
            index += 1
        }
    }

    /// Which element of which member.
    private struct Position {
        let index: Int
        let number: Int

        /// Counted from 1, as people do.
        var name: String { "media item \(index + 1)" }
    }

    private static func check(
        _ item: JSONValue, _ position: Position, _ places: inout TextPlaces, _ report: (Finding) -> Void
    ) {
        guard item.kind == .object else {
            let problem = ValueCheck.wrongType(item, "an object")
            let place = places.element(position.index, of: position.number)
            return report(Finding(problem.rule, at: place, "\(position.name): \(problem.message)"))
        }
        let fields = RecordSchema.mediaItem.fields
        // What is missing has the place of the item, which lies before those of its members.
        for field in fields where field.isRequired && item[name: field.name] == nil {
            let place = places.element(position.index, of: position.number)
            report(Finding(.keyMissing, at: place, "\(position.name): \(field.name) is missing"))
        }
        var seen: UInt64 = 0
        var inner = 0
        for (key, value) in item.members {
            defer { inner += 1 }
            guard let slot = fields.firstIndex(where: { key.equals($0.name) }) else {
                let message = "\(position.name): the format has no key \(ValueCheck.quoted(key)) here"
                let place = places.name(of: inner, inElement: position.index, of: position.number)
                report(Finding(.keyUnknown, at: place, message))
                continue
            }
            if seen & 1 << slot != 0 {
                let place = places.name(of: inner, inElement: position.index, of: position.number)
                report(
                    Finding(.keyDuplicate, at: place, "\(position.name): \(fields[slot].name) stands twice"))
            }
            seen |= 1 << slot
            if let problem = ValueCheck.problem(of: value, as: fields[slot].type) {
                let place = places.value(of: inner, inElement: position.index, of: position.number)
                let message = "\(position.name): \(fields[slot].name) \(problem.message)"
                report(Finding(problem.rule, at: place, message))
            }
        }
    }
}
