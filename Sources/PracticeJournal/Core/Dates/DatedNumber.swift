internal import RecordFormat

/// What a document has in the place of a time.
enum DatedNumber: Sendable, Equatable {
    case number(Double)
    /// A text of digits; it counts as the number.
    case digits(Double)
    /// Anything else but `null`, which counts as missing.
    case unreadable

    /// Nil for `null`.
    init?(_ value: JSONValue) {
        if value.isNull { return nil }
        if let number = value.number {
            self = .number(number)
        } else if let text = value.utf8, !text.isEmpty, text.allSatisfy(\.isASCIIDigit),
            let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite
        {
            self = .digits(number)
        } else {
            self = .unreadable
        }
    }

    /// The number as it is written, in whatever unit.
    var number: Double? {
        switch self {
        case .number(let number), .digits(let number): number
        case .unreadable: nil
        }
    }
}
