internal import RecordFormat

/// What is found in all sessions: by words, at a moment, against the rules.
extension AnswerShape {
    /// A hit of `trace search`.
    static let searchHit = AnswerShape(
        "SearchHit", "A record or a title that was found",
        [
            .listedSession,
            .always(
                "kind", .string,
                "marker, voice_note, transcript, the kind of entry of another journal, or the kind of journal for a title"
            ),
            .sometimes("offset_ms", .integer, "where the record of a session is"),
            .sometimes(
                "wall_time", .time, "the moment of the record; of a session, its start plus the offset"),
            .always(
                "snippet", .string,
                "the words around the hit; for people, may change. Over HTTP, U+E000 precedes each hit and U+E001 follows it"
            ),
            .sometimes(
                "record", .record(.marker, .voiceNote, .transcript, .entry),
                "the record as it is in the file, if its root is online; not for a title"),
        ])

    /// A session of `trace at`, or another journal.
    static let surroundings = AnswerShape(
        "Surroundings", "What was going on in a session at a moment, or what another journal holds around it",
        [
            .listedSession,
            .sometimes(
                "offset_ms", .integer, "where the moment is in the session; not of another journal"),
            .sometimes("journal", .string, "the kind of journal; not of a session"),
            .always("media", .array(.object(.coveringMedia)), "the media items that cover it"),
            .always("records", .array(.object(.nearbyRecord)), "the records around it"),
        ])

    static let coveringMedia = AnswerShape(
        "CoveringMedia", "A media item that covers a moment",
        [
            .sometimes("id", .id, "the item's id"),
            .always("path", .string, "where it is in the session directory"),
            .always("position_ms", .integer, "where the moment is in the file"),
        ])

    static let nearbyRecord = AnswerShape(
        "NearbyRecord", "A record near a moment",
        [
            .always(
                "kind", .string, "marker, voice_note or transcript, or the kind of entry of another journal"),
            .sometimes("offset_ms", .integer, "where it is in the session"),
            .sometimes("time", .time, "of another journal: when it was"),
            .sometimes("text", .string, "of another journal: what it says"),
            .sometimes(
                "record", .record(.marker, .voiceNote, .transcript, .entry),
                "the record as it is in the file, if its root is online"),
        ])

    /// A session of `trace validate`.
    static let sessionFindings = AnswerShape(
        "SessionFindings", "What breaks a rule in a session",
        [
            .sessionIfKnown, .sometimes("file", .string, "a file that is of no session"),
            .always("findings", .array(.object(.finding)), "in the order of files and places"),
        ])

    static let finding = AnswerShape(
        "Finding", "A violation of a rule",
        [
            .always("rule", .string, "the rule's id; these are stable"),
            .always("severity", .string, "error or warning"),
            .always("file", .string, "the file, relative to the session directory"),
            .sometimes("line", .integer, "from 1; not of the file as a whole"),
            .sometimes("column", .integer, "from 1, in bytes; not of the line as a whole"),
            .sometimes("byte_offset", .integer, "from the start of the file"),
            .always("message", .string, "what is wrong; for people, may change"),
            .always("cure", .string, "what to do; for people, may change"),
        ])

    /// A rule of `trace explain`.
    static let rule = AnswerShape(
        "Rule", "A rule of the format",
        [
            .always("rule", .string, "the rule's id; these are stable"),
            .always("severity", .string, "error or warning"),
            .always("group", .string, "the heading under which it is documented"),
            .always(
                ["summary", "cure"], .string, "what it asks for, and what to do; for people, may change"),
            .sometimes("example", .string, "a finding; for people, may change"),
            .sometimes("file", .string, "the file that the lines are from"),
            .sometimes(
                ["before", "after"], .array(.string), "lines that break the rule, and the same put right"),
        ])
}
