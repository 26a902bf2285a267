package import RecordFormat
internal import TraceFiles
package import TraceFormat
package import TraceIndex
internal import TraceStore

/// Markers of several sessions, in the order of the moments at which they stand.
package struct AllMarkersAnswer: Sendable {
    /// Those of the page.
    package let rows: [Row]
    /// Where the next page continues; nil if there are no more.
    package let next: MarkerSortKey?

    /// A marker and its session.
    package struct Row: Sendable {
        package let session: IndexedSession
        package let record: IndexedRecord
        /// Nil if the session's root is offline.
        let line: [UInt8]?
        /// What is on the line, if it was asked for.
        private let known: Marker?

        /// - Parameter isWhole: Whether more is wanted of the marker than the index knows.
        /// - Throws: ``IndexError`` with `.stale` if the file has changed since the index read it.
        package init(_ record: IndexedRecord, in sessions: SessionCache, isWhole: Bool = false) throws {
            self.record = record
            session = try sessions[record.session]
            var marker: Marker?
            line = try sessions.line(of: record) { if isWhole { marker = Marker($0) } }
            known = marker
        }

        /// The marker as its line tells if that was asked for, else as it was last known.
        package var marker: Marker {
            known
                ?? Marker(
                    id: record.id ?? IDGenerator.next(), offset: record.offset ?? .zero,
                    createdAt: record.createdAt, label: record.text, note: record.note, tags: record.tags,
                    duration: record.duration, voiceNoteID: record.reference)
        }

        /// The marker with the keys of docs/cli-json.md.
        package func json(_ form: AnswerForm) -> JSONText {
            .object { object in
                session.addIdentity(to: &object, form)
                object.member("id", record.id.map { JSONText($0) })
                object.member("offset_ms", JSONText(record.offset ?? .zero))
                object.member("wall_time", record.wallTime.map { JSONText($0) })
                object.member("label", record.text.map { JSONText($0) })
                object.member("note", record.note.map { JSONText($0) })
                object.member("tags", .array(record.tags.map { JSONText($0) }))
                object.member("duration_ms", record.duration.map { JSONText($0) })
                object.member("voice_note_id", record.reference.map { JSONText($0) })
                object.member("record", line.map { JSONText(verbatim: $0) })
            }
        }
    }
}
