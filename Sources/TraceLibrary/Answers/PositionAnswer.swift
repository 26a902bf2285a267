package import RecordFormat
package import TraceStore

/// Where a person stopped listening to a session (docs/cli-json.md, `trace position`).
package struct PositionAnswer: Sendable {
    private let position: ListeningPosition?
    private let person: Person
    private let session: SessionTarget

    /// - Parameter position: Nil if it is not known where they stopped.
    package init(_ position: ListeningPosition?, of person: Person, in session: SessionTarget) {
        self.position = position
        self.person = person
        self.session = session
    }

    /// The answer as one JSON text.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.session(session, form)
            object.member("person", person.name)
            object.member("offset_ms", position.map { JSONText($0.offset) })
            object.member("media_id", position?.media.map { JSONText($0) })
            object.member("at", position.map { JSONText($0.at) })
        }
    }
}
