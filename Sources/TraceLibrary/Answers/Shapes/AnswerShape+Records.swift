internal import RecordFormat
internal import TraceFormat

/// Markers and voice notes: written, edited, listed and imported.
extension AnswerShape {
    /// `trace mark`.
    static let writtenMarker = AnswerShape(
        "WrittenMarker",
        "A marker that was written, waits in the queue, or is kept until its session is known",
        [
            .always("id", .id, "the marker's id"), .sometimes("offset_ms", .integer, "where it is"),
            .destination, .isKept, .keptMoment,
        ])

    /// `trace voice-note`.
    static let writtenVoiceNote = AnswerShape(
        "WrittenVoiceNote",
        "A voice note that was written, waits in the queue, or is kept until its session is known",
        [
            .always("id", .id, "the voice note's id"), .sometimes("offset_ms", .integer, "where it is"),
            .sometimes("media_path", .string, "where its audio is in the session directory"), .destination,
            .isKept, .keptMoment,
        ])

    /// `trace marker edit`.
    static let editedMarker = AnswerShape(
        "EditedMarker", "A marker after an edit",
        [
            .always("id", .id, "the marker's id"), .changed, .session,
            .always("marker", .record(.marker), "the marker's line as it is now"),
        ])

    /// `trace voice-note set-transcript`.
    static let editedVoiceNote = AnswerShape(
        "EditedVoiceNote", "A voice note after an edit",
        [
            .always("id", .id, "the voice note's id"), .session, .changed,
            .always("voice_note", .record(.voiceNote), "the voice note's line as it is now"),
        ])

    /// `trace marker remove`.
    static let removedMarker = AnswerShape(
        "RemovedMarker", "A marker that was removed",
        [
            .always("id", .id, "the marker's id"), .session,
            .always("unlinked", .array(.id), "the voice notes that name no marker any more"),
        ])

    /// A row of `trace markers list --all`.
    static let markerRow = AnswerShape(
        "MarkerRow", "A marker of the list of all sessions' markers",
        [
            .listedSession, .always("id", .id, "the marker's id"),
            .always("offset_ms", .integer, "where it is"),
            .sometimes("wall_time", .time, "the start of the session plus the offset"),
            .sometimes(["label", "note"], .string, "as in the file"),
            .sometimes("voice_note_id", .id, "as in the file"),
            .always("tags", .array(.string), "as in the file"),
            .sometimes("duration_ms", .integer, "as in the file"),
            .sometimes("record", .record(.marker), "the line as it is in the file, if its root is online"),
        ])

    /// `trace import`.
    static let importReport = AnswerShape(
        "ImportReport", "What an import of markers did, or would do",
        [
            .session, .always("format", .string, "the format that the file was read as"),
            .always("done", .boolean, "whether it was done"),
            .always(
                ["added", "already_there", "differing"], .integer,
                "how many markers of the file were added, were already there, or were there under the same id with other contents"
            ),
            .sometimes(
                ["replaced", "staying_removed"], .integer,
                "how many markers an earlier import brought that got other values, or that were removed since, where one is replaced"
            ),
            .sometimes(
                "removed", .array(.object(.markerTakenOut)),
                "the markers of the earlier import that the file has no longer, where one is replaced"),
            .always(
                "notices", .array(.object(.importNotice)),
                "what was not taken of the file, and what was guessed"),
            .always("markers", .array(.object(.importedMarker)), "those of the file, in its order"),
        ])

    static let markerTakenOut = AnswerShape(
        "MarkerTakenOut", "A marker that an import takes out",
        [
            .always("id", .id, "its id"), .always("offset_ms", .integer, "where it was"),
            .sometimes("label", .string, "what it was called"),
        ])

    static let importNotice = AnswerShape(
        "ImportNotice", "What was not taken of a file, or how something in it was read",
        [
            .always(
                "about", .string,
                "what it is about: \(ImportNotice.Thing.allCases.map(\.rawValue).joined(separator: ", "))"),
            .always("count", .integer, "how many of them there are"),
            .sometimes("names", .array(.string), "what the file calls them, the first few"),
            .always("message", .string, "what is said of them; for people, may change"),
            .sometimes("hint", .string, "what can be done about it; for people, may change"),
            .sometimes(["line", "byte_offset"], .integer, "where the first of them is in the file"),
        ])

    static let importedMarker = AnswerShape(
        "ImportedMarker", "A marker of an imported file",
        [
            .always("result", .string, "added, already-there, differs, replaced or stays-removed"),
            .sometimes("id", .id, "the marker's id, if the file or the import gave it one"),
            .always("offset_ms", .integer, "where it is in the session"),
            .sometimes("duration_ms", .integer, "how long what it marks lasts"),
            .sometimes("label", .string, "what it is called"), .always("tags", .array(.string), "its tags"),
            .always("file", .string, "the file"),
            .always(["line", "byte_offset"], .integer, "where it is there"),
        ])
}

extension [AnswerShape.Member] {
    /// Whether an edit had an effect.
    static var changed: Self { .always("changed", .boolean, "whether there was anything to change") }

    fileprivate static var isKept: Self {
        .sometimes("kept", .boolean, "true if it is kept until its session is known")
    }
    fileprivate static var keptMoment: Self {
        .sometimes("wall_time", .string, "the moment that is kept")
    }
    /// Where a record went.
    fileprivate static var destination: Self {
        .rows(
            .sessionIfKnown,
            .always(
                "queued", .boolean, "whether it waits in the queue because the session could not be written"))
    }
}
