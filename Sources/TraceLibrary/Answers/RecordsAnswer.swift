package import RecordFormat
package import TraceIndex

/// Records of one kind of one session, by offset, then by line.
package struct RecordsAnswer: Sendable {
    /// Those of the page.
    package let rows: [Row]
    /// Where the next page continues; nil if there are no more.
    package let next: RecordSortKey?

    /// A record of a list.
    package struct Row: Sendable {
        let record: IndexedRecord
        /// The line as it is in the file, without its line break.
        package let line: [UInt8]

        /// The line.
        package func json(_ form: AnswerForm) -> JSONText { JSONText(verbatim: line) }
    }

    /// The lines as an array.
    package func json(_ form: AnswerForm) -> JSONText { .array(rows.lazy.map { $0.json(form) }) }
}
