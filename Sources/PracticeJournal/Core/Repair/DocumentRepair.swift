package import RecordFormat

/// What can be repaired in a document without guessing: times in another unit, members of objects of games without a game, records that
/// are there twice, and a byte order mark. A repaired document has nothing to repair.
///
/// Source: docs/spec/practice.md#times and docs/repair.md#practice-journals. The older shape is another matter (``LegacyConversion``).
package struct DocumentRepair {
    /// One change, with its reason.
    package struct Fix: Sendable, Equatable {
        /// The kinds of change.
        enum Kind: Sendable {
            case timeUnit, blankKey, repeatedRecord, byteOrderMark
        }

        let kind: Kind
        let path: DocumentPath
        let message: String
    }

    package let bytes: [UInt8]
    /// None if there is nothing to repair.
    package let fixes: [Fix]

    /// - Throws: ``FormatError`` if the document can't be parsed again, which it can.
    package init(of document: PracticeDocument) throws(FormatError) {
        var fixes: [Fix] = []
        var change = DocumentChange()
        Self.removeRepeated(in: document, &change, &fixes)
        let removed = Set(change.removed)
        try document.withRoot { root in Self.repairTimes(of: root, besides: removed, &change, &fixes) }
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

    /// A record that is equal to an earlier one of its array, id and all, says nothing more: a write that was made twice has left it. Two
    /// that differ are for a person.
    ///
    /// - Complexity: O(size of the document)
    private static func removeRepeated(
        in document: PracticeDocument, _ change: inout DocumentChange, _ fixes: inout [Fix]
    ) {
        for array in PracticeArray.allCases {
            let repeated = document.repeated(in: array).map { DocumentChange.Place(array, $0) }
            guard let first = repeated.first else { continue }
            change.removed += repeated
            let what =
                repeated.count == 1
                ? "a record of \(array.rawValue) that is equal to an earlier one with its id"
                : "\(repeated.count) records of \(array.rawValue) that are equal to earlier ones with their ids"
            fixes.append(
                Fix(
                    kind: .repeatedRecord, path: DocumentPath(array, first.index, "id"),
                    message: "remove \(what)"))
        }
    }

    private static func repairTimes(
        of root: JSONValue, besides removed: Set<DocumentChange.Place>, _ change: inout DocumentChange,
        _ fixes: inout [Fix]
    ) {
        // In a document whose unit is unknown nobody can tell what a number means.
        guard DocumentDates(unitOf: root).unit != .unknown else { return }
        var places: [DocumentChange.Place: [(String, JSONText?)]] = [:]
        var order: [DocumentChange.Place] = []
        _ = DocumentDates(of: root) { entry in
            guard let milliseconds = entry.milliseconds, entry.number != .number(milliseconds),
                let member = entry.path.member
            else { return }
            let place = PracticeArray(rawValue: entry.path.name).flatMap { array in
                entry.path.index.map { DocumentChange.Place(array, $0) }
            }
            if let place, removed.contains(place) { return }
            fixes.append(
                Fix(
                    kind: .timeUnit, path: entry.path,
                    message: "write \(entry.path) as \(DocumentNumber.text(milliseconds)) milliseconds"))
            let value = DocumentNumber.json(milliseconds)
            guard let place else {
                change.members.append(DocumentChange.MemberChange(entry.path.name, member, value))
                return
            }
            if places[place] == nil { order.append(place) }
            places[place, default: []].append((member, value))
        }
        change.replaced += order.map { DocumentChange.Replacement($0, places[$0] ?? []) }
    }
}

extension PracticeDocument {
    /// How many records a repair removes, because an earlier one of their array is equal to them.
    var repeatedCount: Int { PracticeArray.allCases.reduce(0) { $0 + repeated(in: $1).count } }

    /// Where the records are that are equal to an earlier one of their array, id and all.
    fileprivate func repeated(in array: PracticeArray) -> [Int] {
        func meaning(_ index: Int) -> [UInt8] {
            let text = Array(text(of: array, index))
            return JSONText.canonical(text) ?? text
        }
        var first: [String: Int] = [:]
        // Of the ids that several records have.
        var known: [String: Set<[UInt8]>] = [:]
        var repeated: [Int] = []
        for (index, id) in ids(of: array).enumerated() {
            guard let id, !id.isBlank else { continue }
            let key = UUIDText.key(id)
            guard let earliest = first[key] else {
                first[key] = index
                continue
            }
            if !known[key, default: [meaning(earliest)]].insert(meaning(index)).inserted {
                repeated.append(index)
            }
        }
        return repeated
    }
}
