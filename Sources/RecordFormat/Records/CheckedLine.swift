/// A line that has been checked and holds an object; what it holds is taken out of it when it is asked for.
///
/// It must not be used after the call that hands it out: its memory is that of the next line then.
package struct CheckedLine {
    package let line: Line
    package let record: RecordChecker.Record
    let summarizer: RecordSummarizer

    /// Nil if the line has no valid id.
    package var id: ULID? { record.id }
    package var offset: SessionOffset? { summarizer.offset(of: record) }
    package var tags: JSONValue.Elements? { summarizer.tags(of: record) }
    /// The voice note of a marker, or the marker of a voice note.
    var reference: ULID? { summarizer.reference(of: record) }
    /// Whether the line names the voice note of a marker, or the marker of a voice note.
    var hasReference: Bool { reference != nil }
    /// All that an index keeps of the line.
    package var summary: RecordSummary { summarizer.summary(of: record, on: line) }
    /// The same without a copy, valid until the next line is read.
    package var fields: RecordFields { summarizer.fields(of: record) }

    /// Where findings about the line stand.
    func place(in file: String) -> Finding.Place {
        Finding.Place(file: file, line: line.number, byteOffset: line.offset)
    }
}
