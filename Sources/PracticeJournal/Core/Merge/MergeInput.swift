internal import RecordFormat
internal import TraceText

/// A document that a device brings, or that it got, in the form in which it is compared: schema 4, times in milliseconds.
struct MergeInput {
    let document: PracticeDocument
    /// What is wrong with it that does not keep it from being merged.
    let findings: [Finding]
    /// The elements of arrays that are not records, by their places.
    private let strays: [Finding]
    /// What is not the array or object that it should be: nothing can be made of it.
    private let misplaced: [Finding]

    /// - Parameter name: What it is called in errors and findings.
    /// - Throws: ``FormatError`` with `.recordInvalid` if it can't be read whole, or if a newer version wrote it.
    init(_ bytes: [UInt8], named name: String = "practice-state.json") throws(FormatError) {
        // Only groups of the older shape without a date get the time of the conversion, which must be the same at each reading.
        let brought = try PracticeImport(bytes, file: name, now: Timestamp(milliseconds: 0))
        guard brought.reading.shape != .mixed, let document = brought.reading.document,
            document.schemaVersion <= PracticeDocument.schemaVersion
        else {
            let reason = brought.findings.first { $0.severity == .error } ?? brought.findings.first
            throw FormatError(
                .recordInvalid, reason.map(\.description) ?? "a newer version has written it",
                cure: reason?.rule.cure ?? "install a newer version")
        }
        findings = brought.findings
        var places = DocumentPlaces(of: document.bytes, in: brought.name, document.outline)
        strays = places.findings(document.strays)
        misplaced = places.findings(document.misplaced)
        guard document.dateUnit == .appleSeconds else {
            self.document = document
            return
        }
        let repaired = try DocumentRepair(of: document).bytes
        let reading = try PracticeReading(repaired, now: Timestamp(milliseconds: 0), isChecked: false)
        self.document = reading.document ?? document
    }

    /// What is merged of it, if all of it can be.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid`, with the place of what can't.
    func values() throws(FormatError) -> DocumentValues {
        guard let first = misplaced.first ?? strays.first else { return try DocumentValues(document) }
        let more = misplaced.count + strays.count - 1
        throw FormatError(
            .recordInvalid, first.description + (more > 0 ? ", and \(more) more" : ""),
            cure: [
                "fix it in an editor",
                "leave out \(option: "write-back"): then what is not a record is left out, and the file stays as it is",
            ])
    }

    /// What is merged of it without what is not a record, and what that is.
    ///
    /// - Throws: As ``values()``, but for elements of arrays.
    func valuesOfRecords() throws(FormatError) -> (values: DocumentValues, leftOut: [Finding]) {
        guard misplaced.isEmpty else { return (try values(), []) }
        let lost = findings.filter { $0.rule == .practiceLegacyLeft }
        return (try DocumentValues(document, skipsStrays: true), strays + lost)
    }
}

extension PracticeDocument {
    fileprivate var strays: [DocumentFinding] {
        PracticeArray.allCases.flatMap { array in
            outline.elements(of: array.rawValue).enumerated().compactMap { index, range in
                guard bytes[range.lowerBound] != UInt8(ascii: "{") else { return nil }
                let path = DocumentPath(array, index)
                return DocumentFinding(
                    rule: .typeMismatch, path: path, message: "\(path) is not a record, but must be an object"
                )
            }
        }
    }

    fileprivate var misplaced: [DocumentFinding] {
        let arrays = PracticeArray.allCases.map { ($0.rawValue, UInt8(ascii: "["), "an array") }
        let objects =
            (PracticeMap.allCases.map(\.rawValue) + PracticeSettingsObject.allCases.map(\.rawValue))
            .map { ($0, UInt8(ascii: "{"), "an object") }
        return (arrays + objects).compactMap { name, opening, what in
            // Null counts as missing.
            guard let start = outline.member(name)?.valueRange.lowerBound, bytes[start] != opening,
                bytes[start] != UInt8(ascii: "n")
            else { return nil }
            return DocumentFinding(
                rule: .typeMismatch, path: DocumentPath(name), message: "\(name) is not \(what)")
        }
    }
}
