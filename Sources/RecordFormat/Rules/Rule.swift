public import TraceText

/// A rule of a format: its stable id, severity, requirement and cure.
public struct Rule: Sendable, Hashable {
    /// The rule's stable name, in kebab case.
    public let id: String
    /// How grave a breach is.
    public let severity: Severity
    /// What the rule asks for, in one sentence.
    public let summary: String
    /// What to do about a breach.
    public let cure: Cure

    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The format is broken.
        case error
        /// Legal, but surely not meant; or a file in transit.
        case warning
    }

    /// ``cure`` as people read it who can type commands.
    package var cureText: String { cure.text ?? "" }

    package init(_ id: String, _ severity: Severity, _ summary: String, cure: Cure) {
        self.id = id
        self.severity = severity
        self.summary = summary
        self.cure = cure
    }

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
        cure: "fix the file's type or permissions")
    static let fileEmpty = Rule(
        "file-empty", .error, "session.json holds one JSON object.",
        cure: "restore the file from a backup or from another device")
    package static let byteOrderMark = Rule(
        "byte-order-mark", .error, "A file does not begin with a byte order mark.",
        cure: "save the file as UTF-8 without a byte order mark")
    package static let jsonSyntax = Rule(
        "json-syntax", .error, "Every line, and session.json as a whole, is JSON.",
        cure: "complete or delete the line, or restore it from a backup or another device")
    package static let jsonTooDeep = Rule(
        "json-too-deep", .error, "Objects and arrays nest at most \(JSONParser.maximumDepth) deep.",
        cure: "flatten the value")
    package static let numberTooLarge = Rule(
        "number-too-large", .error, "A number fits in 64 bits.", cure: "write the intended number")
    static let notUTF8 = Rule(
        "not-utf8", .error, "All text is UTF-8.", cure: "save the file as UTF-8")
    package static let nulBytes = Rule(
        "nul-bytes", .error, "There are no NUL bytes, which a power failure can leave behind.",
        cure: "restore the line from a backup or another device, or delete the NUL bytes")
    package static let lineTorn = Rule(
        "line-torn", .error, "The last line is complete.",
        cure: "append the record again, or delete the torn bytes")
    package static let lineInTransit = Rule(
        "line-in-transit", .warning, "An incomplete last line is still being written.",
        cure: "check again when the writer or the sync tool has finished")
    package static let newlineMissing = Rule(
        "newline-missing", .warning, "The last line ends with a newline.",
        cure: "add a newline at the end of the file")
    package static let lineTooLong = Rule(
        "line-too-long", .error, "A line is at most \(LineBuffer.maximumLineLength >> 20) MiB long.",
        cure: "check the program that wrote it: a newline is probably missing")
    package static let notAnObject = Rule(
        "not-an-object", .error, "Every line, and session.json as a whole, is a JSON object.",
        cure: "write the record as an object in braces")

    // MARK: - Schema

    /// What one object may hold.
    package static let schema = [
        keyMissing, keyUnknown, keyDuplicate, typeMismatch, ulidMalformed, timestampMalformed,
        timestampImpossible,
        numberNegative, valueNotAllowed, tagMalformed, mediaPathPrefix, confidenceRange,
    ]
    package static let keyMissing = Rule(
        "key-missing", .error, "Every required key is present.", cure: "add the key")
    package static let keyUnknown = Rule(
        "key-unknown", .error, "There are no keys that the format does not define.",
        cure: "remove the key, or correct its spelling")
    package static let keyDuplicate = Rule(
        "key-duplicate", .warning, "A key appears once in an object.",
        cure: "keep the intended value; readers disagree on which one counts")
    package static let typeMismatch = Rule(
        "type-mismatch", .error, "A value has the type that its key requires.",
        cure: "write a value of the required type; an integer is written without quotes, such as 90000")
    package static let ulidMalformed = Rule(
        "ulid-malformed", .error, "An id is a ULID: 26 upper-case characters of Crockford base 32.",
        cure: "restore the original id; if only its case is wrong, write it in upper case")
    package static let timestampMalformed = Rule(
        "timestamp-malformed", .error, "A time is written as YYYY-MM-DDTHH:MM:SS.mmmZ, in UTC with Z.",
        cure: "convert the time to UTC and write it with Z")
    static let timestampImpossible = Rule(
        "timestamp-impossible", .warning, "A time exists in the calendar.",
        cure: "write the intended time")
    package static let numberNegative = Rule(
        "number-negative", .error, "Offsets and durations are not negative.",
        cure: "write 0 or a larger number"
    )
    package static let valueNotAllowed = Rule(
        "value-not-allowed", .error, "A value is one of those that its key allows.",
        cure: "write one of the allowed values")
    static let tagMalformed = Rule(
        "tag-malformed", .error,
        "A tag begins with a lower-case letter or digit; '_' and '-' may follow among them.",
        cure:
            "use lower-case letters, digits, - and _, beginning with a letter or digit, such as 'fix-review'")
    static let mediaPathPrefix = Rule(
        "media-path-prefix", .error, "A media path begins with 'media/'.",
        cure: "move the file into media/ and correct the path")
    static let confidenceRange = Rule(
        "confidence-range", .error, "A confidence is a number from 0 to 1.",
        cure: "divide by the scale in use")
}
