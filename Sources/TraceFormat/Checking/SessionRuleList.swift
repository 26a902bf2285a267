public import RecordFormat
internal import TraceText

/// The rules of a session beside those of any record. Source: docs/spec/format.md.
extension Rule {
    /// The rule of that name.
    public static func named(_ id: String) -> Rule? { all.first { $0.id == id } }

    /// Every rule of a session.
    public static let all: [Rule] = reading + schema + semantic + directory

    // MARK: - Across lines and files

    /// What holds across the lines and files of a session.
    static let semantic = [
        idDuplicate, timelineOrder, transcriptOrder, markerVoiceNoteMissing, voiceNoteMarkerMissing,
        mediaMissing,
        mediaOutsideSession, sessionStartMissing, sessionStartDuplicate, sessionStartOffset,
        sessionStartTime, sessionEndMissing, sessionEndOffset, closedEndTimeMissing, closedDurationMissing,
        closedDurationMismatch, activeHasEnd, offsetBeyondEnd,
    ]
    static let idDuplicate = Rule(
        "id-duplicate", .error, "An id is used by one record of the session, whatever its kind.",
        cure: "give one of the two records a new id")
    static let timelineOrder = Rule(
        "timeline-order", .error, "timeline.jsonl is ordered by offset_ms.",
        cure: "move the line so that offset_ms never decreases from line to line")
    static let transcriptOrder = Rule(
        "transcript-order", .error, "transcript.jsonl is ordered by offset_ms.",
        cure: "move the line so that offset_ms never decreases from line to line")
    static let markerVoiceNoteMissing = Rule(
        "marker-voice-note-missing", .error,
        "A marker's voice_note_id refers to an entry of voice_notes.jsonl.",
        cure:
            "restore the voice note, or append the marker again with its id and without voice_note_id: the later line counts"
    )
    static let voiceNoteMarkerMissing = Rule(
        "voice-note-marker-missing", .error, "A voice note's marker_id refers to an entry of markers.jsonl.",
        cure:
            "restore the marker, or append the voice note again with its id and without marker_id: the later line counts"
    )
    static let mediaMissing = Rule(
        "media-missing", .error, "Every referenced media file exists.",
        cure: "copy the file into media/, or wait until the sync tool has transferred it")
    static let mediaOutsideSession = Rule(
        "media-outside-session", .error,
        "Media files are inside the session directory: no '..', and no links that point outside it.",
        cure: "copy the file into media/ and correct the path")
    static let sessionStartMissing = Rule(
        "session-start-missing", .error, "timeline.jsonl has a session_start.",
        cure: "put a session_start at offset 0 on its first line")
    static let sessionStartDuplicate = Rule(
        "session-start-duplicate", .error, "timeline.jsonl has exactly one session_start.",
        cure: "delete the wrong line")
    static let sessionStartOffset = Rule(
        "session-start-offset", .error, "session_start is at offset 0.", cure: "write 0 as its offset_ms")
    static let sessionStartTime = Rule(
        "session-start-time", .warning,
        "session_start is at start_time: its wall_time is within a second of it.",
        cure: "correct start_time, from which all offsets count, or the wall_time")
    static let sessionEndMissing = Rule(
        "session-end-missing", .error, "The timeline of a closed session has a session_end.",
        cure: [
            "set status to 'active' in session.json",
            "\(verb: "session close SESSION --at last") then ends it at its last record",
        ]
    )
    static let sessionEndOffset = Rule(
        "session-end-offset", .error, "session_end is at the session's duration_ms.",
        cure: "correct the one that is wrong")
    static let closedEndTimeMissing = Rule(
        "closed-end-time-missing", .error, "A closed session has an end_time.",
        cure:
            "set end_time to start_time plus the offset_ms of session_end; if timeline.jsonl has none, correct that first"
    )
    static let closedDurationMissing = Rule(
        "closed-duration-missing", .error, "A closed session has a duration_ms.",
        cure:
            "set duration_ms to the offset_ms of session_end; if timeline.jsonl has none, correct that first")
    static let closedDurationMismatch = Rule(
        "closed-duration-mismatch", .warning,
        "end_time is start_time plus duration_ms plus the pauses in the timeline.",
        cure: "correct the one that is wrong")
    static let activeHasEnd = Rule(
        "active-has-end", .warning, "An active session has no end: no end_time, duration_ms or session_end.",
        cure: "set status to closed, or remove the end")
    static let offsetBeyondEnd = Rule(
        "offset-beyond-end", .warning, "Everything in a closed session is before its end.",
        cure: "correct the offset or the session's duration_ms")

    // MARK: - The directory

    /// What is next to the files of the format.
    static let directory = [pathNull, conflictCopy, recordFileName]
    static let pathNull = Rule(
        "path-null", .warning, "A file that exists is named in session.json.",
        cure: "write the file's name as the value of that key in session.json")
    package static let recordFileName = Rule(
        "record-file-name", .warning, "Records are in files that have the names of the format.",
        cure: [
            "rename it to the name of the file that it is",
            "where that is there too, put ' 2' before the extension (markers 2.jsonl): \(verb: "repair") merges it then",
            "of a second session.json, write into the first what that lacks",
            "move it out of the session's directory if it is not needed",
        ]
    )
}
