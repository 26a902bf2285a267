internal import RecordFormat

/// Digests of one session and of several.
extension AnswerShape {
    /// `trace digest generate` and `trace digest write`.
    static let writtenDigest = AnswerShape(
        "WrittenDigest", "A digest that was written",
        [.session, .always("changed", .boolean, "false if the text was there already")])

    /// `trace digest show`.
    static let digest = AnswerShape(
        "Digest", "A summary of a session",
        [
            .handle,
            .sent(
                "words", .nullable(.object(.digestWords)),
                "what a person wrote in digest.md; null if nobody did, or with 'rendered'"),
            .summarizedSession,
            .always("counts", .object(.digestCounts), "all that there are, not only those listed"),
            .sometimes("timeline", .object(.digestTimeline), "how the markers and voice notes are spread"),
            .always(["notable_moments", "fixes"], .array(.object(.moment)), "markers"),
            .always("voice_notes", .array(.object(.digestVoiceNote)), "voice notes"),
            .always("actions", .array(.object(.digestAction)), "runs of actions"),
            .always("problems", .array(.object(.digestProblem)), "findings"),
            .always("more", .object(.digestRest), "how many are left out of each list"),
        ])

    static let digestWords = AnswerShape(
        "DigestWords", "Markdown as a tree; everything in it is text",
        [.always("blocks", .array(.named("DigestBlock")), "its blocks in order")])

    /// Not found by way of ``digestWords``, since it is in itself.
    static let digestBlock = AnswerShape(
        "DigestBlock", "A block of Markdown",
        [
            .always(
                "type", .string, "heading, paragraph, list, quote, code, rule or table; others may be added"),
            .sentSometimes("level", .integer, "of a heading, 1 to 6"),
            .sentSometimes("inlines", .array(.named("DigestInline")), "of a heading or a paragraph"),
            .sentSometimes("ordered", .boolean, "of a list, whether its items are numbered"),
            .sentSometimes("start", .integer, "of an ordered list, the first number"),
            .sentSometimes(
                "items", .array(.array(.named("DigestBlock"))), "of a list, the blocks of each item"),
            .sentSometimes("blocks", .array(.named("DigestBlock")), "of a quote"),
            .sentSometimes("text", .string, "of code"),
            .sentSometimes(
                "header", .array(.array(.named("DigestInline"))), "of a table, each column's heading"),
            .sentSometimes(
                "rows", .array(.array(.array(.named("DigestInline")))), "of a table, its cells by rows"),
        ])

    static let digestInline = AnswerShape(
        "DigestInline", "A part of a line of Markdown",
        [
            .always(
                "type", .string,
                "text, emphasis, strong, strike, code, link, break or time; others may be added"),
            .sentSometimes("text", .string, "of text, code or a time, as it was written"),
            .sentSometimes(
                "inlines", .array(.named("DigestInline")), "of emphasis, strong, strike or a link"),
            .sentSometimes("href", .string, "of a link; http or https"),
            .sentSometimes("offset_ms", .integer, "of a time that the review audio has"),
        ])

    static let digestCounts = AnswerShape(
        "DigestCounts", "How much is in a session",
        [
            .always(["markers", "voice_notes", "actions"], .integer, "records; lines of one id count once"),
            .categoryCounts, .findingCounts,
        ])

    static let digestTimeline = AnswerShape(
        "DigestTimeline", "How the records of a session are spread",
        [
            .always("cell_count", .integer, "in how many equal pieces the session is cut"),
            .always("counts", .array(.integer), "how many are in each"),
        ])

    static let moment = AnswerShape("Moment", "A marker in a digest", [.moment])

    static let digestVoiceNote = AnswerShape(
        "DigestVoiceNote", "A voice note in a digest",
        [
            .always("id", .id, "the voice note's id"),
            .always(["offset_ms", "duration_ms"], .integer, "where it is, how long it is"),
            .sometimes("transcript_text", .string, "as in the file"),
        ])

    static let digestAction = AnswerShape("DigestAction", "A run of an action in a digest", [.digestAction])

    static let digestProblem = AnswerShape(
        "DigestProblem", "A finding in a digest",
        [
            .always(["severity", "rule", "file", "message"], .string, "as of a finding"),
            .always(["line", "byte_offset"], .integer, "as of a finding; 0 for the file as a whole"),
        ])

    static let digestRest = AnswerShape(
        "DigestRest", "How many are left out of the lists of a digest",
        [.always(["notable_moments", "fixes", "voice_notes", "actions", "problems"], .integer, "left out")])

    // MARK: - Of several sessions

    /// `trace digest show --since`.
    static let practiceDigest = AnswerShape(
        "PracticeDigest", "A summary of several sessions",
        [
            .always(["session_count", "day_count"], .integer, "how many sessions, on how many days"),
            .always("duration_ms", .integer, "how long all of them are together"),
            .always("counts", .object(.practiceCounts), "of all of them"),
            .always("days", .array(.object(.practiceDay)), "the days, the earliest first"),
            .always("sessions", .array(.object(.practiceSession)), "the latest, the earliest of them first"),
            .always("fixes", .array(.object(.practiceFix)), "what is to be fixed"),
            .always("actions", .array(.object(.practiceAction)), "what failed or waits"),
            .always("more", .object(.practiceRest), "how many are left out"),
        ])

    static let practiceCounts = AnswerShape(
        "PracticeCounts", "How much is in several sessions",
        [
            .always(["markers", "voice_notes"], .integer, "records; lines of one id count once"),
            .categoryCounts, .findingCounts,
        ])

    static let practiceDay = AnswerShape(
        "PracticeDay", "What was played on a day",
        [
            .always("date", .string, "YYYY-MM-DD, by UTC"),
            .always(["session_count", "marker_count", "duration_ms"], .integer, "what was played"),
        ])

    static let practiceSession = AnswerShape(
        "PracticeSession", "A session in a digest of several",
        [
            .sessionPath, .summarizedSession,
            .always("counts", .object(.digestCounts), "all that there are"),
            .always("notable_moments", .array(.object(.moment)), "at most three markers"),
        ])

    static let practiceFix = AnswerShape(
        "PracticeFix", "A marker of something to be fixed", [.sessionPath, .moment])

    static let practiceAction = AnswerShape(
        "PracticeAction", "A run of an action that failed or waits", [.sessionPath, .digestAction])

    static let practiceRest = AnswerShape(
        "PracticeRest", "How many are left out of the lists of a digest of several sessions",
        [.always(["sessions", "fixes", "actions"], .integer, "left out")])
}

extension [AnswerShape.Member] {
    fileprivate static var summarizedSession: Self {
        .rows(
            .sessionID,
            .sometimes(["title", "status"], .string, "as in session.json"),
            .sometimes("start_time", .time, "as in session.json"),
            .sometimes("duration_ms", .integer, "how long the session is, or has been so far"))
    }

    fileprivate static var categoryCounts: Self {
        .always(
            ["highlight", "structure", "texture_sample", "fix_review"], .integer, "markers of each category")
    }

    fileprivate static var findingCounts: Self {
        .always(["errors", "warnings"], .integer, "what validation finds")
    }

    fileprivate static var moment: Self {
        .rows(
            .always("id", .id, "the marker's id"),
            .always("offset_ms", .integer, "where it is"),
            .sometimes("duration_ms", .integer, "how long it lasts"),
            .sometimes(["label", "note"], .string, "as in the file"),
            .always("tags", .array(.string), "as in the file"),
            .sometimes("voice_note_id", .id, "its voice note"))
    }

    fileprivate static var digestAction: Self {
        .rows(
            .always("id", .id, "the run's id"),
            .always(["action", "status"], .string, "as in the last line of the run"),
            .sometimes("created_at", .time, "as in the last line of the run"),
            .sometimes("error", .string, "as in the last line of the run"))
    }
}
