package import RecordFormat
internal import TraceFiles
package import TraceFormat
package import TraceIndex

/// Sessions, the latest start first.
package struct SessionsAnswer: Sendable {
    /// Those of the page.
    package let rows: [Row]
    /// Where the next page continues; nil if there are no more.
    package let next: SessionSortKey?

    /// A session of a list.
    package struct Row: Sendable {
        package let session: IndexedSession
        /// Nil unless it seems to have been forgotten.
        package let forgotten: ForgottenSession?

        /// The session with the keys of docs/cli-json.md.
        package func json(_ form: AnswerForm) -> JSONText {
            .object { object in
                object.subject(at: session.path, session.id, form)
                object.member("title", session.title.map { JSONText($0) })
                object.member("status", session.status.map { JSONText($0.rawValue) } ?? .null)
                object.member("start_time", session.startTime.map { JSONText($0) } ?? .null)
                object.member("online", JSONText(session.isOnline))
                object.member("end_time", session.endTime.map { JSONText($0) })
                object.member("duration_ms", session.duration.map { JSONText($0) })
                object.member("paused_at_ms", session.pausedAt.map { JSONText($0) })
                object.member("forgotten_since", (forgotten?.lastActivity).map { JSONText($0) })
                object.member("marker_count", JSONText(Int64(session.counts[.marker] ?? 0)))
                object.member("voice_note_count", JSONText(Int64(session.counts[.voiceNote] ?? 0)))
                object.member("errors", JSONText(Int64(session.findingCounts[.error] ?? 0)))
                object.member("warnings", JSONText(Int64(session.findingCounts[.warning] ?? 0)))
            }
        }
    }
}
