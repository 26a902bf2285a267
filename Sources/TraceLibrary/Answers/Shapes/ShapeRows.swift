internal import RecordFormat

/// The names of the members that one row declares: one, or several that are alike.
struct MemberNames: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    let names: [String]

    init(stringLiteral name: String) { names = [name] }
    init(arrayLiteral names: String...) { self.names = names }
}

/// The rows of a shape's declaration.
extension [AnswerShape.Member] {
    /// What is always there.
    static func always(_ names: MemberNames, _ type: ShapeType, _ summary: String) -> Self {
        row(names, type, summary, printed: .always, sent: .always)
    }

    /// What is left out if there is nothing to say.
    static func sometimes(_ names: MemberNames, _ type: ShapeType, _ summary: String) -> Self {
        row(names, type, summary, printed: .sometimes, sent: .sometimes)
    }

    /// A place on the machine that answers: always printed, but not sent to everybody.
    static func place(_ names: MemberNames, _ summary: String) -> Self {
        row(names, .string, summary, printed: .always, sent: .sometimes)
    }

    /// What only HTTP has, always.
    static func sent(_ names: MemberNames, _ type: ShapeType, _ summary: String) -> Self {
        row(names, type, summary, printed: .never, sent: .always)
    }

    /// What only HTTP has, if there is something to say.
    static func sentSometimes(_ names: MemberNames, _ type: ShapeType, _ summary: String) -> Self {
        row(names, type, summary, printed: .never, sent: .sometimes)
    }

    /// Rows that several shapes have in common.
    static func rows(_ rows: Self...) -> Self { rows.flatMap(\.self) }

    private static func row(
        _ names: MemberNames, _ type: ShapeType, _ summary: String,
        printed: AnswerShape.Presence, sent: AnswerShape.Presence
    ) -> Self {
        names.names.map { Element(name: $0, type: type, summary: summary, printed: printed, sent: sent) }
    }
}

/// What says which session an answer is about.
extension [AnswerShape.Member] {
    /// What names the session over HTTP where the command line does not name its directory.
    static var handle: Self { .sent("handle", .string, "the session as requests name it") }

    static var sessionPath: Self {
        .rows(.place("session_path", "the session's directory"), .handle)
    }
    static var sessionID: Self { .sometimes("session_id", .id, "the session's id") }
    static var session: Self { .rows(.sessionPath, .sessionID) }
    static var journalID: Self { .sometimes("journal_id", .id, "the id of a journal other than a session") }

    /// Of a journal other than a session that may not be available.
    static var journalIfKnown: Self {
        .rows(
            .sometimes("journal_path", .string, "the directory of a journal other than a session"), .journalID
        )
    }

    /// Of a session that may not be available.
    static var sessionIfKnown: Self {
        .rows(
            .sometimes("session_path", .string, "the session's directory"),
            .sentSometimes("handle", .string, "the session as requests name it"),
            .sessionID)
    }

    /// Of a session in an answer about many.
    static var listedSession: Self {
        .rows(
            .session,
            .sometimes("title", .string, "as in session.json"),
            .always(
                "online", .boolean, "whether its root can be reached; if not, the rest is what was last known"
            ))
    }
}
