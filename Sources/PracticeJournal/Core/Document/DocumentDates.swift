package import RecordFormat

/// The times of a document: their unit, what each is read as, and what is wrong with them.
///
/// Source: practice.md, section 3.
package struct DocumentDates {
    /// A number in the place of a time.
    package struct Entry {
        package let path: DocumentPath
        /// As it is written.
        package let number: DatedNumber
        /// Milliseconds since 1970; nil if it is not a number.
        package let milliseconds: Double?
    }

    package let unit: DateUnit
    /// Whether the times are not milliseconds since 1970, as the format has them.
    package var usedFallback: Bool { unit == .appleSeconds }
    /// In the order of the arrays, then groups, then settings; without those that are missing.
    package private(set) var entries: [Entry] = []
    package private(set) var found = DocumentFindings()

    /// - Parameter root: The object that the document is.
    package init(of root: JSONValue) {
        var numbers: [(path: DocumentPath, number: DatedNumber)] = []
        Self.visit(root) { numbers.append(($0, $1)) }
        let unit = DateUnit(of: numbers.lazy.compactMap(\.number.number))
        self.unit = unit
        if usedFallback {
            found.add(
                .practiceDatesApple, DocumentPath(),
                "the times are seconds since 2001; they are read as such")
        }
        for (path, number) in numbers {
            guard let written = number.number else {
                found.add(.typeMismatch, path, "\(path) is not a number (milliseconds)")
                entries.append(Entry(path: path, number: number, milliseconds: nil))
                continue
            }
            if case .digits = number {
                found.add(.typeMismatch, path, "\(path) is a string, but must be a number (milliseconds)")
            }
            let (milliseconds, broken) = unit.read(written)
            if let broken {
                let moment = Timestamp(flooring: milliseconds)
                found.add(broken, path, "\(path) is \(DocumentNumber.text(written)), read as \(moment)")
            }
            entries.append(Entry(path: path, number: number, milliseconds: milliseconds))
        }
    }

    private static func visit(_ root: JSONValue, _ body: (DocumentPath, DatedNumber) -> Void) {
        for array in PracticeArray.allCases where array != .customGroups {
            visit(root, array, ["timestamp"], body)
        }
        visit(root, .customGroups, ["createdAt", "startDate", "endDate"], body)
        let league = root[name: PracticeSettingsObject.leagueSettings.name]
        if let number = league?[name: "lastImportAt"].flatMap(DatedNumber.init) {
            let name = PracticeSettingsObject.leagueSettings.rawValue
            body(DocumentPath(name, nil, "lastImportAt"), number)
        }
    }

    private static func visit(
        _ root: JSONValue, _ array: PracticeArray, _ members: [StaticString],
        _ body: (DocumentPath, DatedNumber) -> Void
    ) {
        guard let list = root[name: array.name] else { return }
        for (index, element) in list.elements.enumerated() {
            for member in members {
                guard let number = element[name: member].flatMap(DatedNumber.init) else { continue }
                body(DocumentPath(array, index, member), number)
            }
        }
    }
}
