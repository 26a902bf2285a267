internal import TraceText

/// A place in a session: whole milliseconds from its start. Also the length of something within it.
///
/// Files may say any number of 64 bits, so it has no `+` and no `-`, which would end the process where the result has none: there are
/// functions that stop at the last number there is (``adding(_:)``), and such that say that there is none (``sum(with:)``).
///
/// Source: docs/spec/format.md#scalars.
public struct SessionOffset: Sendable, Hashable, Comparable {
    /// Milliseconds from `start_time`.
    public let milliseconds: Int64

    /// The offset of so many milliseconds.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The offset of a time with fractions, rounded to the nearest; nil if it can't be said.
    package init?(rounding milliseconds: Double) {
        guard let whole = Int64(exactly: milliseconds.rounded()) else { return nil }
        self.init(milliseconds: whole)
    }

    /// The start of the session.
    public static let zero = SessionOffset(milliseconds: 0)

    /// Orders offsets by time.
    public static func < (left: SessionOffset, right: SessionOffset) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Where something is over that begins here; here, if it has no length.
    package func end(lasting duration: SessionOffset?) -> SessionOffset {
        adding(max(.zero, duration ?? .zero))
    }
}

extension SessionOffset {
    /// So much later, or as late as can be said.
    package func adding(_ length: SessionOffset) -> SessionOffset {
        SessionOffset(milliseconds: milliseconds.addingClamped(length.milliseconds))
    }

    /// So much earlier, or as early as can be said.
    package func subtracting(_ length: SessionOffset) -> SessionOffset {
        SessionOffset(milliseconds: milliseconds.subtractingClamped(length.milliseconds))
    }

    /// So much later; nil if that can't be said.
    package func sum(with length: SessionOffset) -> SessionOffset? {
        let (sum, overflow) = milliseconds.addingReportingOverflow(length.milliseconds)
        return overflow ? nil : SessionOffset(milliseconds: sum)
    }

    /// How far this is behind another place; nil if that can't be said.
    package func distance(from start: SessionOffset) -> SessionOffset? {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(start.milliseconds)
        return overflow ? nil : SessionOffset(milliseconds: difference)
    }

    /// How far this is behind an earlier place; 0 if that is not earlier.
    package func length(since start: SessionOffset) -> UInt64 {
        // Without a sign, 64 bits hold the distance of any two.
        self > start ? UInt64(bitPattern: milliseconds &- start.milliseconds) : 0
    }

    /// The next millisecond; nil behind the last.
    package var next: SessionOffset? { sum(with: SessionOffset(milliseconds: 1)) }

    /// The millisecond before; nil before the first.
    package var previous: SessionOffset? { distance(from: SessionOffset(milliseconds: 1)) }

    /// The place in whole units of so many milliseconds, cut off.
    ///
    /// - Parameter unit: > 0.
    package func whole(_ unit: Int64) -> Int64 { milliseconds / unit }

    /// The half of a length.
    package var half: SessionOffset { SessionOffset(milliseconds: milliseconds / 2) }
}

extension SessionOffset: CustomStringConvertible {
    /// `m:ss.mmm`, or `h:mm:ss.mmm` from an hour on.
    public var description: String {
        clock + "." + padded(Int(milliseconds.magnitude % 1000), 3)
    }

    /// `m:ss.m`, or `h:mm:ss.m` from an hour on, for lists; what is finer is cut off.
    package var tenths: String { "\(clock).\(milliseconds.magnitude % 1000 / 100)" }

    /// `m:ss`, or `h:mm:ss` from an hour on; fractions of a second are cut off.
    public var clock: String {
        let seconds = Int(milliseconds.magnitude / 1000)
        let sign = milliseconds < 0 ? "-" : ""
        guard seconds >= 3600 else { return "\(sign)\(seconds / 60):\(padded(seconds % 60, 2))" }
        return "\(sign)\(seconds / 3600):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    }
}
