package import RecordFormat
internal import TraceFormat
internal import TraceStore

extension KeptMoment {
    /// The moment with the keys of docs/cli-json.md.
    package var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("kind", JSONText(moment.kind.rawValue))
            object.member("wall_time", JSONText(moment.wallTime))
            object.member("created_at", JSONText(moment.createdAt))
            object.member("typed_session", moment.typedSession.map { JSONText($0) })
            object.member("session_id", moment.session.map { JSONText($0) })
            object.member("payload", JSONText(verbatim: moment.record))
        }
    }
}
