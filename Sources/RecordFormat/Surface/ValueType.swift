/// What an argument may be, wherever it comes from: typed, in a query, or in JSON.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package indirect enum ValueType: Sendable {
    case text(maxBytes: Int)
    case choice([String])
    case boolean
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// As the command line has it: `1:55`, `90s`. Read where it is used, since it can mean a moment of a session.
    case offset
    /// As the command line has it: `2026-02-04T20:15Z`. Read where it is used, in the zone that holds there.
    case moment
    /// What an answer gave before. Read by who gave it.
    case cursor
    /// A file, by its path; `-` is standard input.
    case file
    case array(ValueType)
    /// An object with these members.
    case object([DeclaredParameter])
    /// An object whose members have names that are data; people type each as `name=value`.
    case members
    /// Any JSON.
    case any

    /// Text of any length.
    package static let anyText = ValueType.text(maxBytes: .max)
    /// Any number that is whole.
    package static let anyInteger = ValueType.integer(.min ... .max)
    /// Any number that JSON can say.
    package static let anyNumber = ValueType.number(allNumbers)
    package static let allNumbers = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

    /// A word of an enumeration.
    package static func choice<Word: RawRepresentable<String> & CaseIterable>(of _: Word.Type) -> ValueType {
        .choice(Word.allCases.map(\.rawValue))
    }

    /// The longest text of an offset or a moment, in bytes.
    private static let longestTime = 100
    /// The longest cursor, in bytes.
    package static let longestCursor = 4096
}

extension ValueType {
    /// The value of a text as a query or a person has it; nil if it is none.
    package func value(of text: String) -> ArgumentValue? {
        switch self {
        case .text(let most): text.utf8.count <= most ? .text(text) : nil
        case .choice(let words): words.contains(text) ? .text(text) : nil
        case .boolean: ["": true, "true": true, "false": false][text].map(ArgumentValue.boolean)
        case .integer(let range):
            Int(text).flatMap { range.contains($0) ? .integer($0) : nil }
        case .number(let range):
            Double(text).flatMap { range.contains($0) ? .number($0) : nil }
        case .offset, .moment:
            !text.isEmpty && text.utf8.count <= Self.longestTime ? .text(text) : nil
        case .cursor: text.utf8.count <= Self.longestCursor ? .text(text) : nil
        case .file: text.isEmpty ? nil : .text(text)
        case .array, .object, .members, .any: nil
        }
    }

    /// What is to be written, for a hint.
    package var words: String {
        switch self {
        case .text(let most): most == .max ? "a text" : "at most \(most) bytes of text"
        case .choice(let words): "one of: " + words.joined(separator: ", ")
        case .boolean: "true or false"
        case .integer(let range): range.words
        case .number(let range):
            range == -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
                ? "a number"
                : "a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
        case .offset: "an offset such as 12s, 2:00 or 1h2m3s"
        case .moment: "a time such as 2026-02-04 or 2026-02-04T20:15Z"
        case .cursor: "the cursor in the Link of the previous page"
        case .file: "the path of a file"
        case .array: "an array"
        case .object, .members: "an object"
        case .any: "JSON"
        }
    }

    /// A number without a fraction of nothing.
    private static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }

    /// What a member of JSON must be, for the message.
    var jsonWords: String {
        switch self {
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .text, .offset, .moment, .cursor, .file: "a text"
        case .array(.text): "an array of texts"
        case .boolean, .integer, .number, .array, .object, .members, .any: words
        }
    }
}

extension ClosedRange where Bound: FixedWidthInteger {
    /// What is to be written, for a message.
    var words: String {
        guard self != .min ... .max else { return "a whole number" }
        return "a whole number from \(lowerBound)" + (upperBound == .max ? " on" : " to \(upperBound)")
    }
}
