package import RecordFormat

/// What can be repaired in a document without guessing: times in another unit, members of objects of games without a game, and
/// a byte order mark. A repaired document has nothing to repair.
///
/// Source: practice.md, sections 3 and 13. The older shape is another matter (``LegacyConversion``).
package struct DocumentRepair {
    /// One change, with its reason.
    package struct Fix: Sendable, Equatable {
        /// The kinds of change.
        package enum Kind: Sendable {
            case timeUnit, blankKey, byteOrderMark
        }

        package let kind: Kind
        package let path: DocumentPath
        package let message: String
    }

    package let bytes: [UInt8]
    /// None if there is nothing to repair.
    package let fixes: [Fix]

    /// - Throws: ``FormatError`` if the document can't be parsed again, which it can.
    package init(of document: PracticeDocument) throws(FormatError) {
        var fixes: [Fix] = []
        var change = DocumentChange()
        try document.withRoot { root in Self.repairTimes(of: root, &change, &fixes) }
        for map in PracticeMap.allCases {
            for key in Set(document.games(of: map).filter(\.isBlank)).sorted() {
                change.members.append(DocumentChange.MemberChange(map.rawValue, key, nil))
                let path = DocumentPath(map.rawValue, nil, key)
                fixes.append(
                    Fix(
                        kind: .blankKey, path: path,
                        message: "delete a member of \(map.rawValue) without a game id"))
            }
        }
        var bytes = try document.applying(change)
        let mark = PracticeDocument.byteOrderMark
        if bytes.starts(with: mark) {
            bytes.removeFirst(mark.count)
            fixes.append(
                Fix(kind: .byteOrderMark, path: DocumentPath(), message: "remove the byte order mark"))
        }
        self.bytes = bytes
        self.fixes = fixes
    }

    private static func repairTimes(
        of root: JSONValue, _ change: inout DocumentChange, _ fixes: inout [Fix]
    ) {
        // In a document whose unit is unknown nobody can tell what a number means.
        guard DocumentDates(unitOf: root).unit != .unknown else { return }
        var places: [DocumentChange.Place: [(String, JSONText?)]] = [:]
        var order: [DocumentChange.Place] = []
        _ = DocumentDates(of: root) { entry in
            guard let milliseconds = entry.milliseconds, entry.number != .number(milliseconds),
                let member = entry.path.member
            else { return }
            fixes.append(
                Fix(
                    kind: .timeUnit, path: entry.path,
                    message: "write \(entry.path) as \(DocumentNumber.text(milliseconds)) milliseconds"))
            let value = DocumentNumber.json(milliseconds)
            guard let array = PracticeArray(rawValue: entry.path.name), let index = entry.path.index else {
                change.members.append(DocumentChange.MemberChange(entry.path.name, member, value))
                return
            }
            let place = DocumentChange.Place(array, index)
            if places[place] == nil { order.append(place) }
            places[place, default: []].append((member, value))
        }
        change.replaced += order.map { DocumentChange.Replacement($0, places[$0] ?? []) }
    }
}
