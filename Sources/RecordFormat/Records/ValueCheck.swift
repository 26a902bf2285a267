/// Checks the value of a member.
package enum ValueCheck {
    /// A breach: the rule, and the part of the sentence that follows the member's name.
    ///
    /// A class, for what millions of checks hand back is that there is none, which is a word then.
    final class Problem: Sendable {
        let rule: Rule
        let message: String

        init(_ rule: Rule, _ message: String) {
            self.rule = rule
            self.message = message
        }
    }

    /// What is wrong with `value`, or nil. What is in an array is another check's (``TagCheck``, ``MediaItemCheck``).
    static func problem(of value: JSONValue, as type: RecordSchema.FieldType) -> Problem? {
        switch type {
        case .ulid: string(value) { ulid($0) }
        case .timestamp: string(value) { timestamp($0) }
        case .milliseconds: milliseconds(value)
        case .number: value.number == nil ? wrongType(value, "a number") : nil
        case .wholeNumber(let least, let most): integer(value, least...most)
        case .string: value.utf8 == nil ? wrongType(value, "a string") : nil
        case .object: value.kind == .object ? nil : wrongType(value, "an object")
        case .tags: value.kind == .array ? nil : wrongType(value, "an array of tags")
        case .mediaPath: string(value) { mediaPath($0) }
        case .confidence: confidence(value)
        case .word(let vocabulary): string(value) { word($0, vocabulary) }
        case .constant(let text): string(value) { constant($0, text, orNull: false) }
        case .optionalConstant(let text):
            value.isNull ? nil : string(value) { constant($0, text, orNull: true) }
        case .items(let items): value.kind == .array ? nil : wrongType(value, "an array of \(items.noun)s")
        }
    }

    static func wrongType(_ value: JSONValue, _ expected: String) -> Problem {
        Problem(.typeMismatch, "is \(spelled(value)), but must be \(expected)")
    }

    /// A value as findings show it: short, with its kind where that is not plain to see.
    package static func spelled(_ value: JSONValue) -> String {
        switch value.kind {
        case .null: "null"
        case .boolean: value.boolean == true ? "true" : "false"
        case .integer: value.integer.map(String.init) ?? value.number.map { "\($0)" } ?? "a number"
        case .number: value.number.map { "\($0)" } ?? "a number"
        case .string: "the string \(value.utf8.map(quoted) ?? "")"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// A text as findings show it: short, and without what would move a terminal's cursor.
    package static func quoted(_ bytes: UnsafeRawBufferPointer) -> String {
        let start = String(decoding: bytes.prefix(400), as: UTF8.self)
        let visible = start.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : String($0) }.joined()
        return visible.count > 60 || bytes.count > 400 ? "'\(visible.prefix(59))…'" : "'\(visible)'"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            || (0x2028...0x2029).contains(scalar.value)
    }

    private static func string(
        _ value: JSONValue, _ check: (UnsafeRawBufferPointer) -> Problem?
    ) -> Problem? {
        guard let bytes = value.utf8 else { return wrongType(value, "a string") }
        return check(bytes)
    }

    private static func ulid(_ bytes: UnsafeRawBufferPointer) -> Problem? {
        guard ULID(bytes: bytes) == nil else { return nil }
        return Problem(.ulidMalformed, "\(quoted(bytes)) is not a ULID")
    }

    private static func timestamp(_ bytes: UnsafeRawBufferPointer) -> Problem? {
        switch Timestamp.read(bytes) {
        case .moment: nil
        case .impossible:
            Problem(.timestampImpossible, "\(quoted(bytes)) is not a real date and time")
        case .malformed:
            Problem(.timestampMalformed, "\(quoted(bytes)) is not written as YYYY-MM-DDTHH:MM:SS.mmmZ")
        }
    }

    private static func milliseconds(_ value: JSONValue) -> Problem? {
        guard value.kind == .integer else { return wrongType(value, "an integer (milliseconds)") }
        if value.isNegative {
            return Problem(.numberNegative, "is \(spelled(value)), but must not be negative")
        }
        guard value.integer == nil else { return nil }
        return Problem(.numberTooLarge, "is \(spelled(value)), which does not fit in 64 bits")
    }

    private static func integer(_ value: JSONValue, _ range: ClosedRange<Int64>) -> Problem? {
        guard value.kind == .integer else { return wrongType(value, range.words) }
        guard let number = value.integer, range.contains(number) else {
            return Problem(.valueNotAllowed, "is \(spelled(value)), but must be \(range.words)")
        }
        return nil
    }

    /// What is wrong with an element of an array of tags, or nil.
    static func problem(ofTag tag: JSONValue) -> Problem? {
        guard let bytes = tag.utf8 else {
            return Problem(.typeMismatch, "contains \(spelled(tag)), but must contain strings")
        }
        return isTag(bytes)
            ? nil : Problem(.tagMalformed, "contains \(quoted(bytes)), which is not a valid tag")
    }

    /// `^[a-z0-9][a-z0-9_-]*$`
    static func isTag(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, isLowerOrDigit(first) else { return false }
        return bytes.allSatisfy { isLowerOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func mediaPath(_ bytes: UnsafeRawBufferPointer) -> Problem? {
        let prefix: StaticString = "media/"
        guard bytes.count >= 6, UnsafeRawBufferPointer(rebasing: bytes.prefix(6)).equals(prefix) else {
            return Problem(.mediaPathPrefix, "\(quoted(bytes)) does not begin with 'media/'")
        }
        return nil
    }

    private static func confidence(_ value: JSONValue) -> Problem? {
        guard let number = value.number else { return wrongType(value, "a number from 0 to 1") }
        return (0...1).contains(number)
            ? nil : Problem(.confidenceRange, "is \(spelled(value)), not from 0 to 1")
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ vocabulary: Vocabulary) -> Problem? {
        guard !vocabulary.contains(bytes) else { return nil }
        let words = vocabulary.words.map { "'\($0)'" }.joined(separator: ", ")
        return Problem(.valueNotAllowed, "is \(quoted(bytes)), but must be one of \(words)")
    }

    private static func constant(
        _ bytes: UnsafeRawBufferPointer, _ text: ConstantText, orNull: Bool
    ) -> Problem? {
        guard !text.isSpelled(by: bytes) else { return nil }
        return Problem(
            .valueNotAllowed, "is \(quoted(bytes)), but must be '\(text)'\(orNull ? " or null" : "")")
    }
}
