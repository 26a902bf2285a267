package import RecordFormat
internal import TraceFiles
package import TraceFormat
package import TraceIndex

/// What was going on at a moment, in each session that ran then.
package struct MomentAnswer: Sendable {
    /// The earliest start first.
    package let sessions: [Surroundings]

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
        package func json(_ form: AnswerForm) -> JSONText {
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

    /// The sessions as an array.
    package func json(_ form: AnswerForm) -> JSONText { .array(sessions.lazy.map { $0.json(form) }) }
}
