package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceIndex

/// What was going on at a moment, in each session that ran then, and what other journals hold around it.
package struct MomentAnswer: Sendable {
    /// The earliest start first.
    package let sessions: [Surroundings]
    /// The records of journals other than sessions, in the order of time.
    let others: [TimelineAnswer.Row]

    /// The records of other journals, as lines of the timeline.
    package func otherLines(in zone: ZoneRules) -> [String] {
        TimelineAnswer(rows: others, next: nil).fields(in: zone, isDated: false).map {
            $0.joined(separator: "\t")
        }
    }

    /// Of each record of other journals, its kind, the local time, its text, its id, and the path of the journal.
    package func otherRows(
        in zone: ZoneRules
    ) -> [(kind: String, time: String, text: String, id: String, path: FilePath)] {
        others.map { row in
            let record = row.record.record
            return (
                record.kindName, zone.time(of: row.record.time), row.shownText,
                record.otherID ?? record.id?.description ?? "", row.journal.path
            )
        }
    }

    /// Whether nothing is known of the moment.
    package var isEmpty: Bool { sessions.isEmpty && others.isEmpty }

    /// The records and media around an offset of a session.
    package struct Surroundings: Sendable {
        package let session: IndexedSession
        /// Where in it the moment lies.
        package let offset: SessionOffset
        /// The media that cover it, and where in the file it lies.
        package let media: [(item: MediaItem, position: SessionOffset)]
        /// The records around it, with their lines; without them where the root is offline.
        package let records: [(record: IndexedRecord, line: [UInt8]?)]

        /// The session with the keys of docs/cli-json.md.
        func json(_ form: AnswerForm) -> JSONText {
            .object { object in
                session.addIdentity(to: &object, form)
                object.member("offset_ms", JSONText(offset))
                object.member("media", .array(media.map(Self.json)))
                object.member("records", .array(records.map(Self.json)))
            }
        }

        private static func json(_ item: MediaItem, at position: SessionOffset) -> JSONText {
            .object { object in
                object.member("id", item.id.map { JSONText($0) })
                object.member("path", JSONText(item.path))
                object.member("position_ms", JSONText(position))
            }
        }

        private static func json(_ record: IndexedRecord, on line: [UInt8]?) -> JSONText {
            .object { object in
                object.member("kind", JSONText(record.kindName))
                object.member("offset_ms", JSONText(record.offset ?? .zero))
                object.member("record", line.map { JSONText(verbatim: $0) })
            }
        }
    }

    /// The sessions as an array, and the other journals behind them, each once.
    package func json(_ form: AnswerForm) -> JSONText {
        var paths: [FilePath] = []
        for row in others where !paths.contains(row.journal.path) { paths.append(row.journal.path) }
        return .array(
            sessions.map { $0.json(form) }
                + paths.map { path in Self.json(others.filter { $0.journal.path == path }, form) })
    }

    /// A journal of another kind, with its records around the moment.
    private static func json(_ rows: [TimelineAnswer.Row], _ form: AnswerForm) -> JSONText {
        .object { object in
            rows.first?.journal.addIdentity(to: &object, form)
            object.member("journal", (rows.first?.record.kind.name).map { JSONText($0) })
            object.member("media", .array([] as [JSONText]))
            object.member(
                "records",
                .array(
                    rows.map { row in
                        .object { object in
                            object.member("kind", JSONText(row.record.record.kindName))
                            object.member("time", JSONText(row.record.time))
                            object.member("text", JSONText(row.shownText))
                            object.member("record", row.text.map { JSONText(verbatim: $0) })
                        }
                    }))
        }
    }
}
