package import RecordFormat

extension RecordChecker {
    /// Checks records of a kind.
    ///
    /// - Parameters:
    ///   - file: The file name in findings; the kind's own file by default.
    ///   - isSettled: Whether a last line without newline has rested long enough to count as torn.
    /// - Throws: ``FormatError`` with `.memory`.
    package convenience init(
        _ kind: RecordKind, file: String? = nil, isSettled: Bool = true, strictness: Strictness = .full
    ) throws(FormatError) {
        try self.init(schema: .of(kind), file: file, isSettled: isSettled, strictness: strictness)
    }
}

extension RecordSummary {
    /// Where findings about the line stand.
    var place: Finding.Place {
        Finding.Place(file: RecordKind(kind)?.fileName ?? "", line: line, byteOffset: byteOffset)
    }
}

extension CheckedLine {
    /// The marker, the voice note or the action run that the line holds, or nil if it is too broken.
    package var marker: Marker? { Marker(record) }
    package var voiceNote: VoiceNote? { VoiceNote(record) }
    package var actionRun: ActionRun? { ActionRun(record) }
}
