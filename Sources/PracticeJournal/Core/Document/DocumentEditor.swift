package import RecordFormat
internal import TraceText

/// Makes changes in a document's text; every byte of what nobody asked to change stays as it is.
extension PracticeDocument {
    /// The text with the changes.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if something is in the place of an array or object that is neither, or if the
    ///   change is of a record that the document does not have: a log can say anything.
    /// - Complexity: O(size of the document), once, however much changes.
    package func applying(_ change: DocumentChange) throws(FormatError) -> [UInt8] {
        var values: [String: [ArraySlice<UInt8>]] = [:]
        for array in PracticeArray.allCases {
            if let pieces = try pieces(of: array, with: change) { values[array.rawValue] = pieces }
        }
        for (object, changes) in Dictionary(grouping: change.members, by: \.object) {
            values[object] = [try text(of: object, with: changes)[...]]
        }
        for (name, value) in change.others { values[name] = value.map { [$0.bytes[...]] } }
        let gone = change.others.filter { $0.value == nil }.map(\.name)
        let changed = try replacing(values, without: change.withdrawn + gone)
        guard let order = change.groupOrder else { return changed }
        return try Self.rereading(changed).withGroups(in: order).bytes
    }

    /// The text of a record with other values in some of its members.
    package func text(of replacement: DocumentChange.Replacement) throws(FormatError) -> [UInt8] {
        let place = replacement.place
        var editor = try JSONObjectEditor(Array(text(of: place.array, place.index)))
        for (name, value) in replacement.members {
            if let value { try editor.set(name, to: value) } else { try editor.remove(name) }
        }
        return editor.bytes
    }

    /// The text with other values for members of the top level, and without some.
    private func replacing(
        _ values: [String: [ArraySlice<UInt8>]], without withdrawn: [String]
    ) throws(FormatError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 4096)
        var position = 0
        var missing = Set(values.keys)
        for member in outline.members where values[member.name] != nil {
            // Of several members of a name the last one counts.
            guard let last = outline.member(member.name), last.valueRange == member.valueRange,
                let value = values[member.name]
            else { continue }
            missing.remove(member.name)
            result += bytes[position..<member.valueRange.lowerBound]
            for piece in value { result += piece }
            position = member.valueRange.upperBound
        }
        result += bytes[position...]
        guard !missing.isEmpty || !withdrawn.isEmpty else { return result }
        let mark = Array(result.prefix(bytes.starts(with: Self.byteOrderMark) ? 3 : 0))
        var editor = try JSONObjectEditor(Array(result.dropFirst(mark.count)))
        for name in missing.sorted() {
            guard let value = values[name] else { continue }
            try editor.set(name, to: JSONText(verbatim: value.reduce(into: []) { $0 += $1 }))
        }
        for name in withdrawn { try editor.remove(name) }
        return mark + editor.bytes
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    // MARK: - Arrays

    /// An array with its changes, or nil if it has none.
    private func pieces(
        of array: PracticeArray, with change: DocumentChange
    ) throws(FormatError) -> [ArraySlice<UInt8>]? {
        let added = change.added.filter { $0.array == array }
        let replaced = change.replaced.filter { $0.place.array == array }
        let removed = change.removed.filter { $0.array == array }
        if added.isEmpty, replaced.isEmpty, removed.isEmpty { return nil }
        let elements = outline.elements(of: array.rawValue)
        for place in replaced.map(\.place) + removed where !elements.indices.contains(place.index) {
            throw FormatError(
                .recordInvalid, "\(DocumentPath(array, place.index)) does not exist",
                cure: "read the document again and repeat the change")
        }
        let layout = layout
        guard let range = try range(of: array.rawValue, opening: UInt8(ascii: "[")) else {
            var editor = ArrayEditor(Array("[]".utf8), 0..<2, [])
            for record in added.sorted(by: Self.isOrdered) {
                editor.insert(layout.text(record.members), before: 0)
            }
            return editor.pieces(layout)
        }
        var editor = ArrayEditor(bytes, range, elements)
        let ordered = added.sorted(by: Self.isOrdered)
        for (record, position) in zip(ordered, positions(of: ordered, in: array)) {
            editor.insert(layout.text(record.members), before: position)
        }
        for replacement in replaced {
            editor.replace(replacement.place.index, with: try text(of: replacement))
        }
        for place in removed { editor.remove(place.index) }
        return editor.pieces(layout)
    }

    private static func isOrdered(_ one: NewRecord, _ other: NewRecord) -> Bool {
        (one.time, UUIDText.key(one.id)) < (other.time, UUIDText.key(other.id))
    }

    /// Where new records are put: before the first with a greater time, or of the same time a greater id.
    ///
    /// Source: docs/spec/practice.md#the-merged-document.
    ///
    /// - Parameter added: In their order, so that the place of none is before that of the one before it.
    private func positions(of added: [NewRecord], in array: PracticeArray) -> [Int] {
        guard !added.isEmpty else { return [] }
        let times = times(of: array)
        let ids = ids(of: array)
        var position = 0
        return added.map { record in
            let key = UUIDText.key(record.id)
            while position < times.count {
                if let time = times[position],
                    time > record.time || time == record.time && UUIDText.key(ids[position] ?? "") > key
                {
                    break
                }
                position += 1
            }
            return position
        }
    }

    /// How the records of the document are written: as the first one is, or else as its members are.
    private var layout: RecordLayout {
        for array in PracticeArray.allCases {
            let elements = outline.elements(of: array.rawValue)
            guard let element = elements.first, let range = outline.member(array.rawValue)?.valueRange else {
                continue
            }
            let editor = ArrayEditor(bytes, range, elements)
            return RecordLayout(
                ofRecord: element, in: bytes, lead: Array(editor.lead(of: 0)),
                tail: Array(editor.trail(of: elements.count - 1)))
        }
        guard let first = outline.members.first?.nameRange.lowerBound else { return RecordLayout() }
        let space = bytes[..<first].reversed().prefix { $0 != UInt8(ascii: "{") }
        return RecordLayout(indentation: Array(space.reversed()))
    }

    /// Where a member's value is; nil if there is no such member, or if it is null, which counts as missing.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if it does not begin with that byte.
    private func range(of name: String, opening: UInt8) throws(FormatError) -> Range<Int>? {
        guard let range = outline.member(name)?.valueRange else { return nil }
        if bytes[range.lowerBound] == opening { return range }
        if bytes[range.lowerBound] == UInt8(ascii: "n") { return nil }
        throw FormatError(
            .recordInvalid, "\(name) is not \(opening == UInt8(ascii: "[") ? "an array" : "an object")",
            cure: "fix it in an editor")
    }

    // MARK: - Objects

    private func text(
        of object: String, with changes: [DocumentChange.MemberChange]
    ) throws(FormatError) -> [UInt8] {
        let range = try range(of: object, opening: UInt8(ascii: "{"))
        var editor = try JSONObjectEditor(range.map { Array(bytes[$0]) } ?? Array("{}".utf8))
        for change in changes {
            if let value = change.value {
                try editor.set(change.member, to: value)
            } else {
                try editor.remove(change.member)
            }
        }
        return editor.bytes
    }
}
