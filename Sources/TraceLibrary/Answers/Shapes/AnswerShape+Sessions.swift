internal import RecordFormat

/// Sessions, one or many, and what is done with one as a whole.
extension AnswerShape {
    /// `trace session init`.
    static let createdSession = AnswerShape(
        "CreatedSession", "A session that was created",
        [
            .sessionPath, .always("session_id", .id, "the session's id"),
            .sometimes("media_id", .id, "the id of the recording that was put into it"),
            .sometimes("media_path", .string, "the recording's file in the session"),
            .sometimes("duration_ms", .integer, "with `--close`, how long the session was"),
        ])

    /// `trace session edit`.
    static let editedSession = AnswerShape(
        "EditedSession", "A session whose title or start was changed",
        [
            .session, .always("changed", .boolean, "whether there was anything to change"),
            .always("title", .string, "what it is called now"),
            .sometimes("start_time", .time, "when it begins now, if that was given"),
        ])

    /// `trace session pause`.
    static let pausedSession = AnswerShape(
        "PausedSession", "A session whose clock was stopped",
        [.session, .always("offset_ms", .integer, "where its clock stands"), .warnings])

    /// `trace session resume`.
    static let resumedSession = AnswerShape(
        "ResumedSession", "A session whose clock runs again",
        [
            .session, .always("offset_ms", .integer, "where its clock continues"),
            .always("pause_ms", .integer, "how long the pause was"), .warnings,
        ])

    /// `trace session delete`.
    static let deletedSession = AnswerShape(
        "DeletedSession", "A session in the bin",
        [
            .sometimes("session_id", .id, "the session's id"),
            .place("origin_path", "where it was"), .place("bin_path", "where it is now"),
            .always("deleted_at", .time, "when it was deleted"),
            .sometimes("title", .string, "what it is called"),
        ])

    /// `trace session restore`.
    static let restoredSession = AnswerShape(
        "RestoredSession", "A session that has come out of the bin", [.session])

    /// `trace session close`.
    static let closedSession = AnswerShape(
        "ClosedSession", "A session that was closed",
        [
            .session, .always("duration_ms", .integer, "how long it was"),
            .sometimes("markers_behind_end", .integer, "how many markers follow the end, if any do"),
            .warnings,
        ])

    /// `trace session show`, with what a player needs.
    static let sessionDetails = AnswerShape(
        "SessionDetails", "A session: what session.json says, and how much is in its files",
        [
            .sessionFacts,
            .always(["timeline_path", "markers_path"], .string, "the names of the files"),
            .always(
                ["transcript_path", "voice_notes_path", "digest_path"], .nullable(.string),
                "as in session.json"),
            .always("media_count", .integer, "media items in session.json"),
            .recordCounts,
            .sentSometimes("clock", .any, "the start of its clock, and its pauses"),
            .sentSometimes("media", .array(.object(.sessionMedia)), "as in session.json, with addresses"),
            .sentSometimes("review_media_id", .id, "the media item to listen to"),
        ])

    static let sessionMedia = AnswerShape(
        "SessionMedia", "A media item of a session",
        [
            .sentSometimes("id", .id, "its id"),
            .sent("path", .string, "where it is in the session directory"),
            .sentSometimes(["kind", "mime"], .string, "as in session.json"),
            .sentSometimes("created_at", .time, "as in session.json"),
            .sentSometimes(["start_offset_ms", "duration_ms"], .integer, "as in session.json"),
            .sentSometimes("url", .string, "its address"),
        ])

    /// A row of `trace sessions`.
    static let sessionRow = AnswerShape(
        "SessionRow", "A session of the list of all",
        [
            .sessionFacts,
            .always(
                "online", .boolean, "whether its root can be reached; if not, the rest is what was last known"
            ),
            .sometimes(
                "paused_at_ms", .integer, "where the clock of an active session stands while it is paused"),
            .sometimes(
                "forgotten_since", .time,
                "when something happened last in an active session that was forgotten"),
            .recordCounts,
        ])

    /// `trace position`.
    static let position = AnswerShape(
        "Position", "Where a person stopped listening to a session; without an offset if that is not known",
        [
            .sessionPath, .always("session_id", .id, "the session's id"),
            .always("person", .string, "whose position it is"),
            .sometimes("offset_ms", .integer, "where they stopped"),
            .sometimes("media_id", .id, "the media item that was playing"),
            .sometimes("at", .time, "when they stopped there"),
        ])
}

extension [AnswerShape.Member] {
    fileprivate static var warnings: Self {
        .sentSometimes("warnings", .array(.string), "likely mistakes; for people, may change")
    }

    /// What `session.json` says, of a session that the answer is about.
    fileprivate static var sessionFacts: Self {
        .rows(
            .sessionPath,
            .always("session_id", .nullable(.id), "as in session.json; null where missing or broken there"),
            .sometimes("title", .string, "as in session.json"),
            .always("status", .nullable(.string), "active or closed; null where missing or broken"),
            .always(
                "start_time", .nullable(.time), "as in session.json; null where missing or broken there"),
            .sometimes("end_time", .time, "as in session.json"),
            .sometimes("duration_ms", .integer, "as in session.json"))
    }

    fileprivate static var recordCounts: Self {
        .rows(
            .always(["marker_count", "voice_note_count"], .integer, "records; lines of one id count once"),
            .always(["errors", "warnings"], .integer, "what validation finds"))
    }
}
