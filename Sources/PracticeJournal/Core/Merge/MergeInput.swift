internal import RecordFormat
internal import TraceText

/// A document that a device brings, or that it got, in the form in which it is compared: schema 4, times in milliseconds.
struct MergeInput {
    let document: PracticeDocument
    /// What is wrong with it that does not keep it from being merged.
    let findings: [Finding]

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
        guard document.dateUnit == .appleSeconds else {
            self.document = document
            return
        }
        let repaired = try DocumentRepair(of: document).bytes
        let reading = try PracticeReading(repaired, now: Timestamp(milliseconds: 0), isChecked: false)
        self.document = reading.document ?? document
    }
}
