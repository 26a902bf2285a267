internal import RecordFormat

/// The machine that answers, and what only HTTP has.
extension AnswerShape {
    /// `trace status`.
    static let status = AnswerShape(
        "Status", "The state of the daemon, the roots, the queue and the index",
        [
            .always("daemon", .nullable(.object(.daemonStatus)), "the running daemon; null where none runs"),
            .always("roots", .array(.object(.rootStatus)), "the configured roots"),
            .always("sessions", .integer, "sessions of these roots that the index knows"),
            .always(
                "journals", .map(.integer), "journals of other kinds, by the names of the kinds"),
            .always(
                ["active", "paused"], .integer,
                "how many sessions are active; how many of these are paused"),
            .always(
                "forgotten", .array(.object(.forgottenSession)),
                "active ones in which nothing has happened for a long time"),
            .always(["errors", "warnings"], .integer, "findings in them"),
            .always("queue", .array(.object(.spoolStatus)), "the spools, the local one first"),
            .always("failed", .integer, "refused entries that are kept"),
            .always("unplaced", .integer, "moments that are kept until their session is known"),
            .always("lost", .integer, "records of the user's that another program has overwritten"),
            .always("deleted_sessions", .integer, "sessions in the bin"),
            .sometimes(
                "state_problem", .string,
                "why others could put another state directory in its place, so that no token counts"),
            .always("index", .object(.indexStatus), "the index"),
        ])

    static let daemonStatus = AnswerShape(
        "DaemonStatus", "The running daemon",
        [
            .always("pid", .integer, "its process"),
            .always("ready", .boolean, "whether its first scan is done"),
            .always(
                "polled", .integer, "directories that it can't watch and looks at every few seconds instead"),
            .sometimes("problem", .string, "why, and what to do about it"),
            .sometimes("since", .time, "since when it has been running"),
            .sometimes("ailment", .string, "what its last self-check found wrong"),
            .sometimes("roots", .array(.string), "the roots that it watches"),
            .sometimes("listening", .array(.string), "where its HTTP API listens"),
            .sometimes(
                "listen_problems", .array(.string),
                "why it does not listen elsewhere, although it should, or has no web page"),
        ])

    static let rootStatus = AnswerShape(
        "RootStatus", "A configured root",
        [
            .place("path", "the root's directory"), .always("online", .boolean, "whether it can be reached"),
            .sometimes("watching", .string, "how the daemon watches it"),
        ])

    static let forgottenSession = AnswerShape(
        "ForgottenSession", "An active session in which nothing has happened for a long time",
        [.session, .always("forgotten_since", .time, "when something happened in it last")])

    static let spoolStatus = AnswerShape(
        "SpoolStatus", "A spool",
        [
            .place("spool", "the spool's directory"), .always("waiting", .integer, "entries in it"),
            .sometimes(
                "awaiting_audio", .integer,
                "how many of them are voice notes whose audio has not arrived; not counted in a spool of more than 1000 entries"
            ),
            .sometimes("problem", .string, "why it can't be read"),
        ])

    static let indexStatus = AnswerShape(
        "IndexStatus", "The index",
        [
            .place("path", "its file"),
            .always(
                "lagging", .integer,
                "sessions whose files have changed since they were indexed, never were, or are gone"),
            .sometimes(
                "outdated", .boolean,
                "true if they are too many to be read; then the counts are those of when they were"),
            .sometimes(
                "problem", .string,
                "why it can't be read; then the counts are 0, and all sessions are out of date"),
        ])

    // MARK: - HTTP alone

    /// What every failure answers (RFC 9457).
    static let problem = AnswerShape(
        "Problem", "What went wrong",
        [
            .sent("type", .string, "urn:trace:problem: and the code"),
            .sent("title", .string, "the kind of failure, for people"),
            .sent("status", .integer, "the HTTP status"),
            .sent("code", .string, "the code of the command's error; stable"),
            .sent("detail", .string, "what went wrong; for people, may change"),
            .sentSometimes("hint", .string, "what to do about it; for people, may change"),
            .sentSometimes("place", .string, "where; only for a token that may see paths of the server"),
            .sentSometimes(
                "present", .any, "of a record that has changed in the meantime, its line as it is now"),
            .sentSometimes(
                "conflicts", .array(.object(.memberConflict)),
                "of an entry that changes a session: what was changed meanwhile"),
            .sent("instance", .string, "names this failure in the server's log"),
            .sentSometimes("retry_after_ms", .integer, "when to try again"),
        ])

    /// `GET` of the API itself.
    static let server = AnswerShape(
        "Server", "The server, and what the caller may do",
        [
            .sent("version", .string, "the release"), .sent("now", .time, "the server's time"),
            .sent("token", .object(.serverToken), "the caller's token, or what it may do without one"),
            .sent("limits", .object(.serverLimits), "how much may be sent and asked for at once"),
            .sent(
                "features", .object(.serverFeatures), "what the server can do beyond the files of sessions"),
        ])

    static let serverToken = AnswerShape(
        "ServerToken", "The caller's token",
        [
            .sentSometimes("id", .id, "its id; none by a Unix socket, which needs no token"),
            .sentSometimes("name", .string, "what it is called"),
            .sent("person", .string, "whose it is"),
            .sent("scope", .string, "what it permits"),
            .sent("filtered", .boolean, "whether it shows only some of the sessions"),
            .sentSometimes("sessions", .array(.id), "then, those that it names by their ids"),
            .sentSometimes("journals", .array(.id), "then, the other journals that it names by their ids"),
            .sentSometimes("expires_at", .time, "when it expires"),
        ])

    static let serverLimits = AnswerShape(
        "ServerLimits", "How much may be sent and asked for at once",
        [
            .sent("body_bytes", .integer, "bytes of a request's body"),
            .sent("page_rows", .integer, "rows of a page"),
            .sent("queue_entries", .integer, "entries of one delivery"),
            .sent("audio_bytes", .integer, "bytes of a voice note's audio"),
        ])

    static let serverFeatures = AnswerShape(
        "ServerFeatures", "What the server can do beyond the files of sessions",
        [
            .sent(
                "ffmpeg", .boolean, "whether ffmpeg is there: it makes review audio and pictures of the sound"
            ),
            .sent(
                "speech", .boolean, "whether a program that turns speech into text is configured and there"),
            .sent("run_actions", .boolean, "whether requests for actions can be run over HTTP"),
        ])

    /// How the markers of a session are spread.
    static let strip = AnswerShape(
        "Strip", "How the markers of a session are spread over a stretch of it",
        [
            .sent("cells", .integer, "in how many equal pieces the stretch is cut"),
            .sent(["offset_min", "offset_max"], .integer, "where the first begins, and where the last ends"),
            .sent("total", .integer, "markers in the stretch"),
            .sent("categories", .map(.array(.integer)), "by category, how many markers are in each cell"),
            .sent("before", .array(.integer), "how many markers of the stretch precede each cell"),
        ])

    /// An address of a recording that needs no token.
    static let mediaLink = AnswerShape(
        "MediaLink", "An address of a recording that needs no token",
        [
            .sent("url", .string, "the address"), .sent("expires", .time, "until when it is valid"),
        ])
}
