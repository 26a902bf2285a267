internal import TraceText

/// A place in a session: whole milliseconds from its start. Also the length of something within it.
///
/// Source: format.md, "Scalars".
public struct SessionOffset: Sendable, Hashable, Comparable {
    /// Milliseconds from `start_time`.
    public var milliseconds: Int64

    /// The offset of so many milliseconds.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The start of the session.
    public static let zero = SessionOffset(milliseconds: 0)

    /// Orders offsets by time.
    public static func < (left: SessionOffset, right: SessionOffset) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Where something is over that begins here; here, if it has no length.
    package func end(lasting duration: SessionOffset?) -> SessionOffset {
        let length = max(0, duration?.milliseconds ?? 0)
        let (sum, isTooLarge) = milliseconds.addingReportingOverflow(length)
        return SessionOffset(milliseconds: isTooLarge ? .max : sum)
    }
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
