package import RecordFormat
internal import TraceFormat
package import TraceIndex

/// What happened, in the order in which it did; at one moment in the order of the kinds of journal, then of their files.
package struct TimelineAnswer: Sendable {
    package let rows: [Row]
    /// Where the next page continues; nil if there are no more.
    package let next: TimelineKey?

    /// A record with the journal that it is in.
    package struct Row: Sendable {
        let record: TimelineRecord
        let journal: IndexedSession
        /// The record as it is in its file; nil where the root is offline.
        let text: [UInt8]?

        /// The record with the keys of docs/cli-json.md.
        package func json(_ form: AnswerForm) -> JSONText {
            .object { object in
                object.member("time", JSONText(record.time))
                object.member("kind", JSONText(record.kind.name))
                object.journal(at: journal.path, journal.id?.description, form)
                object.member("title", journal.title.map { JSONText($0) })
                object.member("online", JSONText(journal.isOnline))
                object.member("entry", JSONText(record.record.kindName))
                let id = record.record.otherID ?? record.record.id?.description
                object.member("record_id", id.map { JSONText($0) })
                object.member("subject", record.record.subject.map { JSONText($0) })
                object.member("text", JSONText(shownText))
                object.member("record", text.map { JSONText(verbatim: $0) })
            }
        }

        /// What is shown of it.
        var shownText: String {
            [record.record.text, record.record.note, record.record.mediaPath].compactMap(\.self).first {
                !$0.isEmpty
            } ?? ""
        }
    }

    /// The records as an array.
    package func json(_ form: AnswerForm) -> JSONText { .array(rows.lazy.map { $0.json(form) }) }

    /// Local time, kind of journal, title, kind of entry and text, between tabs; each record on one line.
    package func lines(in zone: ZoneRules) -> [String] {
        rows.map { row in
            DayTimeline.Entry(
                row.record.kind, title: row.journal.listName, entryKind: row.record.entryName,
                time: Double(row.record.time.milliseconds), text: row.shownText
            ).line(in: zone)
        }
    }
}
