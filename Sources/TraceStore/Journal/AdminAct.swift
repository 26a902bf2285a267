package import RecordFormat
internal import TraceText

/// What only who may administrate has done to a journal of a kind, at the command line or by a request. No entry of a queue asks for it: every
/// device that may write could have it done otherwise.
///
/// Source: docs/decisions/0058-an-act-is-no-entry.md.
package struct AdminAct: Sendable {
    /// The verb, behind the kind's name, and the last segment of the path.
    package let name: String
    /// The operation's name in OpenAPI.
    package let id: String
    /// What it does, without a full stop.
    package let summary: String
    /// What is answered.
    package let shape: AnswerShape
    /// Does it, or finds out what it would do.
    ///
    /// - Throws: As ``JournalWriter/locked(_:)``.
    /// - Note: Durable on return.
    package let run: @Sendable (_ writer: JournalWriter, _ isDry: Bool) throws -> Answer

    package init<Value>(
        _ name: String, id: String, _ summary: String, of shape: Shape<Value>,
        run: @escaping @Sendable (_ writer: JournalWriter, _ isDry: Bool) throws -> Value,
        screen: @escaping @Sendable (Value) -> [ScreenPart]
    ) {
        self.name = name
        self.id = id
        self.summary = summary
        self.shape = shape.description
        self.run = { writer, isDry in
            let done = try run(writer, isDry)
            return Answer(.one { shape.json(done) }) { _ in screen(done) }
        }
    }

    /// Why an entry of the queue that asks for it is refused.
    func refusal(of kind: EntryOperation, in journal: JournalKind) -> FormatError {
        FormatError(
            .recordInvalid,
            "'\(kind)' is no entry of a queue: only who may administrate the journal does that",
            cure: [
                .atMachine("\(verb: "\(journal) \(name)") does it"),
                .overHTTP("POST /api/v1/journals/{j}/\(journal)/\(name), with a token of scope admin"),
            ])
    }
}
