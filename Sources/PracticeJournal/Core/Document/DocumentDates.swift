package import RecordFormat

/// The times of a document: their unit, what each is read as, and what is wrong with them.
///
/// Source: practice.md, section 3.
package struct DocumentDates {
    /// A number in the place of a time.
    package struct Entry {
        fileprivate let array: PracticeArray?
        fileprivate let index: Int
        fileprivate let member: StaticString
        /// As it is written.
        package let number: DatedNumber
        /// Milliseconds since 1970; nil if it is not a number.
        package fileprivate(set) var milliseconds: Double?

        /// Made when it is asked for, which of most it never is.
        package var path: DocumentPath {
            guard let array else {
                return DocumentPath(PracticeSettingsObject.leagueSettings.rawValue, nil, "\(member)")
            }
            return DocumentPath(array, index, member)
        }
    }

    package let unit: DateUnit
    /// Whether the times are not milliseconds since 1970, as the format has them.
    package var usedFallback: Bool { unit == .appleSeconds }
    /// In the order of the arrays, then groups, then settings; without those that are missing.
    package private(set) var entries: [Entry] = []
    package private(set) var found = DocumentFindings()

    /// - Parameter root: The object that the document is.
    package init(of root: JSONValue) {
        var entries: [Entry] = []
        Self.visit(root) { entries.append($0) }
        unit = DateUnit(of: entries.lazy.compactMap(\.number.number))
        if usedFallback {
            found.add(
                .practiceDatesApple, DocumentPath(),
                "the times are seconds since 2001; they are read as such")
        }
        for index in entries.indices { read(&entries[index]) }
        self.entries = entries
    }

    private mutating func read(_ entry: inout Entry) {
        guard let written = entry.number.number else {
            let path = entry.path
            found.add(.typeMismatch, path, "\(path) is not a number (milliseconds)")
            return
        }
        if case .digits = entry.number {
            let path = entry.path
            found.add(.typeMismatch, path, "\(path) is a string, but must be a number (milliseconds)")
        }
        let (milliseconds, broken) = unit.read(written)
        entry.milliseconds = milliseconds
        guard let broken else { return }
        let path = entry.path
        let moment = Timestamp(flooring: milliseconds)
        found.add(broken, path, "\(path) is \(DocumentNumber.text(written)), read as \(moment)")
    }

    private static func visit(_ root: JSONValue, _ body: (Entry) -> Void) {
        for array in PracticeArray.allCases where array != .customGroups {
            visit(root, array, ["timestamp"], body)
        }
        visit(root, .customGroups, ["createdAt", "startDate", "endDate"], body)
        let league = root[name: PracticeSettingsObject.leagueSettings.name]
        if let number = league?[name: "lastImportAt"].flatMap(DatedNumber.init) {
            body(Entry(array: nil, index: 0, member: "lastImportAt", number: number))
        }
    }

    private static func visit(
        _ root: JSONValue, _ array: PracticeArray, _ members: [StaticString], _ body: (Entry) -> Void
    ) {
        guard let list = root[name: array.name] else { return }
        for (index, element) in list.elements.enumerated() {
            for member in members {
                guard let number = element[name: member].flatMap(DatedNumber.init) else { continue }
                body(Entry(array: array, index: index, member: member, number: number))
            }
        }
    }
}
