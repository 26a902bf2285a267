package import RecordFormat
internal import TraceFormat
internal import TraceText

/// What the two ends of a range are called where they are typed, for messages about them.
package struct RangeNames: Sendable {
    let lower: String
    let upper: String

    init(_ lower: String, _ upper: String) {
        self.lower = lower
        self.upper = upper
    }

    /// The options of the command line for offsets.
    static let offsetOptions = RangeNames("--offset-min", "--offset-max")
    /// The options of the command line for moments.
    static let momentOptions = RangeNames("--since", "--until")
}

/// A stretch of a session, as a person types its ends.
package enum OffsetRange {
    /// The whole of a session.
    static let whole = SessionOffset.zero...SessionOffset(milliseconds: .max)

    /// What is between two offsets, both of them included; from the start or without end where nothing was typed.
    ///
    /// - Parameter read: The offset that a text means: ``OffsetResolution/offset(_:force:)`` or ``absolute(_:)``.
    /// - Throws: ``LibraryError`` with `.rangeReversed` if the first is after the second; what `read` throws.
    package static func typed(
        from lower: String?, upTo upper: String?, named names: RangeNames = .offsetOptions,
        _ read: (String) throws -> SessionOffset
    ) throws -> ClosedRange<SessionOffset> {
        let first = try lower.map(read) ?? whole.lowerBound
        let last = try upper.map(read) ?? whole.upperBound
        guard first <= last else {
            throw LibraryError(
                .rangeReversed, "\(names.lower) \(first) is after \(names.upper) \(last)",
                cure: "exchange the two")
        }
        return first...last
    }

    /// An offset that means the same place in every session.
    ///
    /// - Throws: ``LibraryError`` with `.offsetRelative` if it counts from anything but the start; `FormatError` if it is not an
    ///   offset.
    package static func absolute(_ text: String) throws -> SessionOffset {
        guard case .absolute(let offset) = try OffsetExpression(text) else {
            throw LibraryError(
                .offsetRelative, "'\(text)' is a different offset in each session",
                cure: "write an offset from the start, such as 2:00")
        }
        return offset
    }
}

extension TimeArgument {
    /// What is between two moments, both of them included: of a day, a minute or a second the whole; nil if nothing was typed.
    ///
    /// - Parameters:
    ///   - zone: Asked for only where something was typed.
    ///   - warn: Called with what there is to say where the clocks showed a time twice, or never.
    /// - Throws: ``LibraryError`` with `.timeMalformed`; with `.rangeReversed` if the first is after the second; what `zone`
    ///   throws.
    package static func range(
        from lower: String?, upTo upper: String?, named names: RangeNames = .momentOptions,
        in zone: () throws -> ZoneRules, warn: (String) -> Void = { _ in }
    ) throws -> ClosedRange<Timestamp>? {
        guard lower != nil || upper != nil else { return nil }
        let zone = try zone()
        let lowest = try lower.map { try TimeArgument($0, in: zone) }
        let highest = try upper.map { try TimeArgument($0, in: zone) }
        if let lower, let warning = lowest?.warning { warn("\(names.lower) '\(lower)': \(warning)") }
        if let upper, let warning = highest?.lastWarning { warn("\(names.upper) '\(upper)': \(warning)") }
        let first = lowest?.first ?? Timestamp(milliseconds: .min)
        let last = highest?.last ?? Timestamp(milliseconds: .max)
        guard first <= last else {
            throw LibraryError(
                .rangeReversed,
                "\(names.lower) \(zone.exactText(first)) is after \(names.upper) \(zone.exactText(last))")
        }
        return first...last
    }
}
