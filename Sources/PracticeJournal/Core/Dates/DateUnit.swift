internal import RecordFormat

/// In which unit a document has its times, as its numbers tell.
///
/// Source: docs/spec/practice.md#times.
package enum DateUnit: String, Sendable {
    /// Since 1970.
    case milliseconds
    /// Since 2001, as older iOS versions wrote them.
    case appleSeconds = "apple-seconds"
    /// No number tells; all are read as milliseconds since 1970.
    case unknown

    /// 2001-01-01T00:00:00Z in seconds since 1970.
    static let appleEpoch = 978_307_200.0
    /// From here on a number is milliseconds (2015-01-01).
    private static let firstMilliseconds = 1_420_070_400_000.0
    /// Up to here a number is seconds.
    private static let lastSeconds = 10_000_000_000.0
    /// What are seconds of Apple that tell the unit of a document (2015-01-01 and later).
    private static let appleSecondsRange = 441_763_200.0...lastSeconds

    /// Takes another number of the document into account. Once the unit is milliseconds, no number changes that.
    mutating func learn(from number: Double) {
        if number >= Self.firstMilliseconds {
            self = .milliseconds
        } else if self == .unknown, Self.appleSecondsRange.contains(number) {
            self = .appleSeconds
        }
    }

    /// A number as milliseconds since 1970, and the rule that it breaks.
    func read(_ number: Double) -> (milliseconds: Double, broken: Rule?) {
        let isApple = self == .appleSeconds
        if self == .unknown { return (number, .practiceDateImplausible) }
        if number > Self.lastSeconds {
            if isApple { return (number, .practiceDateUnit) }
            return (number, number < Self.appleEpoch * 1000 ? .practiceDateImplausible : nil)
        }
        if number >= Self.appleEpoch { return (number * 1000, .practiceDateUnit) }
        let shifted = (number + Self.appleEpoch) * 1000
        if number > 0 { return (shifted, isApple ? nil : .practiceDateUnit) }
        return (isApple ? shifted : number, .practiceDateImplausible)
    }
}
