internal import RecordFormat

/// Journals of every kind, and what happened in all of them.
extension AnswerShape {
    /// A row of `trace journals`.
    static let journalRow = AnswerShape(
        "JournalRow", "A journal of the list of all", [.journalFacts])

    /// `trace journal show`.
    static let journalDetails = AnswerShape(
        "JournalDetails", "A journal, and how much is in it",
        [
            .journalFacts,
            .always(
                "entries", .map(.integer),
                "how many records of each kind of entry there are, by their names"),
        ])

    /// A record of `trace timeline`.
    static let timelineRow = AnswerShape(
        "TimelineRow", "A record of a journal, and when it was",
        [
            .always("time", .time, "the moment, without a fraction of a millisecond"),
            .always("kind", .string, "the kind of journal"),
            .journal,
            .sometimes("title", .string, "what the journal is called"),
            .always(
                "online", .boolean, "whether its root can be reached; if not, the rest is what was last known"
            ),
            .always("entry", .string, "the kind of entry, such as marker"),
            .sometimes("record_id", .string, "the record's id: a ULID, or a UUID in lower case"),
            .sometimes("subject", .string, "the id of what it is about, such as a game"),
            .always("text", .string, "what it says; for people, may change"),
            .sometimes(
                "record",
                .record(.timeline, .marker, .voiceNote, .transcript, .action, .entry),
                "the record as it is in the file, if its root is online"),
        ])
}

extension [AnswerShape.Member] {
    /// What names a journal of any kind.
    fileprivate static var journal: Self {
        .rows(
            .sometimes("id", .string, "the journal's id"),
            .place("path", "the journal's directory, or the file that is a journal on its own"),
            .sent("handle", .string, "the journal as requests name it"))
    }

    fileprivate static var journalFacts: Self {
        .rows(
            .always("kind", .string, "the kind of journal"), .journal,
            .sometimes("title", .string, "as in its header"),
            .always("records", .integer, "how many records it has; lines of one id count once"),
            .sometimes(["first", "last"], .time, "when its first and its last record are"),
            .always(["errors", "warnings"], .integer, "what validation finds"),
            .always("state", .string, "open, or newer if a newer version wrote it"),
            .always(
                "online", .boolean, "whether its root can be reached; if not, the rest is what was last known"
            ))
    }
}
