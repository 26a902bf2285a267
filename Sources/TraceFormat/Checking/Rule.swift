/// A rule of the format: its stable name, how grave a breach is, what it asks for, and the cure.
public struct Rule: Sendable, Hashable {
    /// The rule's stable name, in kebab case.
    public let id: String
    /// How grave a breach is.
    public let severity: Severity
    /// What the rule asks for, in one sentence.
    public let summary: String
    /// What to do about a breach.
    public let cure: String

    /// How grave a finding is.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The format is broken.
        case error
        /// Legal, but surely not meant; or a file in transit.
        case warning
    }

    init(_ id: String, _ severity: Severity, _ summary: String, cure: String) {
        self.id = id
        self.severity = severity
        self.summary = summary
        self.cure = cure
    }

    /// The rule of that name.
    public static func named(_ id: String) -> Rule? { all.first { $0.id == id } }

    /// Every rule.
    public static let all: [Rule] = reading + schema + semantic + directory

    // MARK: - Reading

    /// What keeps a line, or a file, from being read at all.
    package static let reading = [
        fileMissing, fileUnreadable, fileEmpty, byteOrderMark, jsonSyntax, jsonTooDeep, numberTooLarge,
        notUTF8,
        nulBytes, lineTorn, lineInTransit, newlineMissing, lineTooLong, notAnObject,
    ]
    package static let fileMissing = Rule(
        "file-missing", .error, "Every file that the format requires or session.json names exists.",
        cure: "restore the file from a backup or from another device")
    package static let fileUnreadable = Rule(
        "file-unreadable", .error, "Every file of a session is a regular file that can be read.",
        cure: "mend the file's type or permissions")
    package static let fileEmpty = Rule(
        "file-empty", .error, "session.json holds one JSON object.",
        cure: "restore the file from a backup or from another device")
    package static let byteOrderMark = Rule(
        "byte-order-mark", .error, "A file does not begin with a byte order mark.",
        cure: "save the file as UTF-8 without a byte order mark")
    static let jsonSyntax = Rule(
        "json-syntax", .error, "Every line, and session.json as a whole, is JSON.",
        cure: "mend the text at that place")
    static let jsonTooDeep = Rule(
        "json-too-deep", .error, "Objects and arrays nest at most \(JSONParser.maximumDepth) deep.",
        cure: "flatten the value")
    static let numberTooLarge = Rule(
        "number-too-large", .error, "A number fits in 64 bits.", cure: "write the number that was meant")
    static let notUTF8 = Rule(
        "not-utf8", .error, "All text is UTF-8.", cure: "save the file as UTF-8")
    static let nulBytes = Rule(
        "nul-bytes", .error, "There are no NUL bytes, which a power loss leaves behind.",
        cure: "restore the line from a backup or another device, or delete the NUL bytes")
    static let lineTorn = Rule(
        "line-torn", .error, "The last line is whole.",
        cure: "append the record again, or delete the torn bytes")
    package static let lineInTransit = Rule(
        "line-in-transit", .warning, "A last line that is not whole is still being written.",
        cure: "look again when the writer or the sync tool is done")
    package static let newlineMissing = Rule(
        "newline-missing", .warning, "The last line ends with a newline.",
        cure: "add a newline at the end of the file")
    package static let lineTooLong = Rule(
        "line-too-long", .error, "A line is at most \(LineBuffer.maximumLineLength >> 20) MiB long.",
        cure: "look at what wrote it: a newline is probably missing")
    static let notAnObject = Rule(
        "not-an-object", .error, "Every line, and session.json as a whole, is a JSON object.",
        cure: "write the record as an object in braces")

    // MARK: - Schema

    static let schema = [
        keyMissing, keyUnknown, keyDuplicate, typeMismatch, ulidMalformed, timestampMalformed,
        timestampImpossible,
        numberNegative, valueNotAllowed, tagMalformed, mediaPathPrefix, confidenceRange,
    ]
    package static let keyMissing = Rule(
        "key-missing", .error, "Every required key is there.", cure: "add the key")
    package static let keyUnknown = Rule(
        "key-unknown", .error, "There are no keys that the format does not name.", cure: "remove the key")
    static let keyDuplicate = Rule(
        "key-duplicate", .warning, "A key stands once in an object.",
        cure: "keep the value that is meant; readers disagree on which one counts")
    static let typeMismatch = Rule(
        "type-mismatch", .error, "A value has the type that its key asks for.",
        cure: "write the value as that type")
    static let ulidMalformed = Rule(
        "ulid-malformed", .error, "An id is a ULID: 26 upper-case characters of Crockford base 32.",
        cure: "write the id as it was made, in upper case")
    static let timestampMalformed = Rule(
        "timestamp-malformed", .error, "A time is written as YYYY-MM-DDTHH:MM:SS.mmmZ, in UTC with Z.",
        cure: "convert the time to UTC and write it with Z")
    static let timestampImpossible = Rule(
        "timestamp-impossible", .warning, "A time exists in the calendar.",
        cure: "write the time that was meant")
    package static let numberNegative = Rule(
        "number-negative", .error, "Offsets and durations are not negative.", cure: "write a number from 0 on"
    )
    static let valueNotAllowed = Rule(
        "value-not-allowed", .error, "A value is one of the words that its key allows.",
        cure: "write one of them")
    static let tagMalformed = Rule(
        "tag-malformed", .error,
        "A tag begins with a lower-case letter or digit; '_' and '-' may follow among them.",
        cure: "write the tag in lower case with hyphens")
    static let mediaPathPrefix = Rule(
        "media-path-prefix", .error, "A media path begins with 'media/'.",
        cure: "move the file into media/ and name it so")
    static let confidenceRange = Rule(
        "confidence-range", .error, "A confidence is a number from 0 to 1.",
        cure: "divide by the scale that was used")

    // MARK: - Across lines and files

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
        "timeline-order", .error, "timeline.jsonl is in non-decreasing offset_ms.",
        cure: "move the line to its place in time")
    static let transcriptOrder = Rule(
        "transcript-order", .error, "transcript.jsonl is in non-decreasing offset_ms.",
        cure: "move the line to its place in time")
    static let markerVoiceNoteMissing = Rule(
        "marker-voice-note-missing", .error, "A marker's voice_note_id names an entry of voice_notes.jsonl.",
        cure: "restore the voice note, or append the marker again without voice_note_id")
    static let voiceNoteMarkerMissing = Rule(
        "voice-note-marker-missing", .error, "A voice note's marker_id names an entry of markers.jsonl.",
        cure: "restore the marker, or append the voice note again without marker_id")
    static let mediaMissing = Rule(
        "media-missing", .error, "Every media file that is named exists.",
        cure: "copy the file into media/, or wait until the sync tool has brought it")
    static let mediaOutsideSession = Rule(
        "media-outside-session", .error,
        "Media lie inside the session directory, without '..' and links that leave it.",
        cure: "copy the file into media/ and name it so")
    static let sessionStartMissing = Rule(
        "session-start-missing", .error, "timeline.jsonl has a session_start.",
        cure: "put a session_start at offset 0 on its first line")
    static let sessionStartDuplicate = Rule(
        "session-start-duplicate", .error, "timeline.jsonl has exactly one session_start.",
        cure: "delete the line that is not meant")
    static let sessionStartOffset = Rule(
        "session-start-offset", .error, "session_start stands at offset 0.", cure: "write 0 as its offset_ms")
    static let sessionStartTime = Rule(
        "session-start-time", .warning,
        "session_start stands at start_time: its wall_time is no more than a second from it.",
        cure: "correct start_time, from which all offsets count, or the wall_time if that is wrong")
    static let sessionEndMissing = Rule(
        "session-end-missing", .error, "The timeline of a closed session has a session_end.",
        cure: "append a session_end, or set status to active")
    static let sessionEndOffset = Rule(
        "session-end-offset", .error, "session_end stands at the session's duration_ms.",
        cure: "make the two agree")
    static let closedEndTimeMissing = Rule(
        "closed-end-time-missing", .error, "A closed session has an end_time.",
        cure: "add end_time: start_time plus the offset of session_end")
    static let closedDurationMissing = Rule(
        "closed-duration-missing", .error, "A closed session has a duration_ms.",
        cure: "add duration_ms: the offset of session_end")
    static let closedDurationMismatch = Rule(
        "closed-duration-mismatch", .warning,
        "end_time is start_time plus duration_ms and the pauses that the timeline notes.",
        cure: "make them agree")
    static let activeHasEnd = Rule(
        "active-has-end", .warning, "An active session has no end: no end_time, duration_ms or session_end.",
        cure: "set status to closed, or remove the end")
    static let offsetBeyondEnd = Rule(
        "offset-beyond-end", .warning, "What a closed session holds lies before its end.",
        cure: "correct the offset or the session's duration_ms")

    // MARK: - The directory

    static let directory = [pathNull, conflictCopy]
    static let pathNull = Rule(
        "path-null", .warning, "A file that exists is named in session.json.",
        cure: "set the path in session.json to the file's name")
    static let conflictCopy = Rule(
        "conflict-copy", .warning, "There are no conflict copies left by a sync tool.",
        cure:
            "'trace repair' merges copies of .jsonl files; compare another with its file, take over what is missing, then delete it"
    )
}
