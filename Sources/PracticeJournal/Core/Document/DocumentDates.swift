package import RecordFormat

/// The times of a document: their unit, what each is read as, and what is wrong with them.
///
/// Source: docs/spec/practice.md#times.
package struct DocumentDates {
    /// A number in the place of a time.
    package struct Entry {
        fileprivate let array: PracticeArray?
        fileprivate let index: Int
        fileprivate let member: StaticString
        /// As it is written.
        let number: DatedNumber
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
    package private(set) var found = DocumentFindings()

    /// - Parameters:
    ///   - root: The object that the document is.
    ///   - body: Gets each time, as it is read, in the order of the arrays, then groups, then settings; without those that are missing.
    package init(of root: JSONValue, _ body: (Entry) -> Void = { _ in }) {
        self.init(unitOf: root)
        if usedFallback {
            found.add(
                .practiceDatesApple, DocumentPath(),
                "the times are seconds since 2001; they are read as such")
        }
        Self.visit(root) { entry in
            var entry = entry
            read(&entry)
            body(entry)
            return true
        }
    }

    /// Only finds the unit; nothing is checked.
    init(unitOf root: JSONValue) {
        var unit = DateUnit.unknown
        Self.visit(root) { entry in
            if let number = entry.number.number { unit.learn(from: number) }
            return unit != .milliseconds
        }
        self.unit = unit
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

    /// - Parameter body: Whether to visit the next.
    private static func visit(_ root: JSONValue, _ body: (Entry) -> Bool) {
        for array in PracticeArray.allCases where array != .customGroups {
            guard visit(root, array, ["timestamp"], body) else { return }
        }
        guard visit(root, .customGroups, ["createdAt", "startDate", "endDate"], body) else { return }
        let league = root[name: PracticeSettingsObject.leagueSettings.name]
        if let number = league?[name: "lastImportAt"].flatMap(DatedNumber.init) {
            _ = body(Entry(array: nil, index: 0, member: "lastImportAt", number: number))
        }
    }

    private static func visit(
        _ root: JSONValue, _ array: PracticeArray, _ members: [StaticString], _ body: (Entry) -> Bool
    ) -> Bool {
        guard let list = root[name: array.name] else { return true }
        for (index, element) in list.elements.enumerated() {
            for member in members {
                guard let number = element[name: member].flatMap(DatedNumber.init) else { continue }
                guard body(Entry(array: array, index: index, member: member, number: number)) else {
                    return false
                }
            }
        }
        return true
    }
}
