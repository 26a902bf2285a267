internal import TraceText

/// An offset from UTC and its abbreviation.
package struct ZoneOffset: Sendable, Hashable {
    /// Seconds ahead of UTC, negative behind it; less than 26 hours either way.
    var seconds: Int64
    /// `CET`, or a number such as `+0545` where the place has no name for it.
    var abbreviation: String

    init(seconds: Int64, abbreviation: String) {
        self.seconds = seconds
        self.abbreviation = abbreviation
    }

    /// No zone is further away from UTC (RFC 8536, section 3.2).
    static let limit: Int64 = 26 * 3600 - 1

    /// What people read behind a time: the abbreviation where it is a word, else `UTC+05:45`.
    package var label: String {
        if abbreviation.utf8.first.map({ $0 > UInt8(ascii: "9") }) ?? false { return abbreviation }
        let minutes = Int(seconds.magnitude / 60)
        return "UTC\(seconds < 0 ? "-" : "+")\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
    }
}

/// The time during which a zone has one offset, in seconds since 1970.
struct ZonePeriod {
    /// Its first second, and the first one after it.
    var start: Int64
    var end: Int64
    var offset: ZoneOffset
}

/// What the clocks of a zone show at any moment, and which moment a time on them means.
///
/// A value without files or state: it answers out of the table that was read (``init(name:file:)``), and beyond its end by the
/// yearly rule of the zone. Nothing of the C library's one zone for the whole process is used, so zones can differ within a
/// process and threads do no harm.
package struct ZoneRules: Sendable, Hashable {
    /// A transition: from this second on, the offset with this number applies.
    struct Change: Sendable, Hashable {
        var second: Int64
        var offset: Int
    }

    /// The name by which the zone is found again: `Europe/Berlin`, `UTC`, or a rule like `CET-1CEST,M3.5.0,M10.5.0/3`.
    package let name: String
    /// At least one; the first holds before the first change.
    private let offsets: [ZoneOffset]
    /// In the order of time.
    private let changes: [Change]
    /// What holds from the last change on; nil if its offset stays.
    private let yearly: YearlyZone?

    /// - Precondition: `offsets` is not empty, each change names one of them, and no two changes are at one second.
    init(name: String, offsets: [ZoneOffset], changes: [Change], yearly: YearlyZone?) {
        self.name = name
        self.offsets = offsets
        self.changes = changes
        self.yearly = yearly
    }

    package static let utc = ZoneRules(
        name: "UTC", offsets: [ZoneOffset(seconds: 0, abbreviation: "UTC")], changes: [], yearly: nil)

    /// The zone of a rule as POSIX has it in `TZ`, such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil if it is not one.
    package init?(rule: String) {
        guard let yearly = YearlyZone(Array(rule.utf8)) else { return nil }
        self.init(name: rule, offsets: [yearly.standard], changes: [], yearly: yearly)
    }

    // MARK: - From a moment to the clock

    /// The offset that holds at a moment.
    package func offset(at moment: Timestamp) -> ZoneOffset { period(at: moment.second).offset }

    /// What the clocks show at a moment, as if it were a moment of UTC.
    package func shown(at moment: Timestamp) -> Timestamp {
        moment.adding(SessionOffset(milliseconds: offset(at: moment).seconds * 1000))
    }

    /// Seconds that no moment reaches, for periods without a beginning or an end.
    static let distantPast: Int64 = -1 << 60
    static let distantFuture: Int64 = 1 << 60

    /// What holds at a second.
    func period(at second: Int64) -> ZonePeriod {
        // The number of changes up to the second.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].second <= second { low = middle + 1 } else { high = middle }
        }
        let start = low == 0 ? Self.distantPast : changes[low - 1].second
        let end = low < changes.count ? changes[low].second : Self.distantFuture
        if low == changes.count, let yearly {
            var period = yearly.period(at: second)
            period.start = max(period.start, start)
            return period
        }
        let offset = low == 0 ? offsets[0] : offsets[changes[low - 1].offset]
        return ZonePeriod(start: start, end: end, offset: offset)
    }

    // MARK: - From the clock to moments

    /// The moments that a local time can refer to.
    package struct MomentRange: Sendable, Hashable {
        /// The first moment at which the clocks show it; where they were set forward over it, the moment at which that was.
        package let first: Timestamp
        /// The last moment at which they show it, an hour or so after the first where they were set back; where they were set
        /// forward over it, the last moment before.
        package let last: Timestamp

        /// Whether the clocks never showed it.
        package var isSkipped: Bool { last < first }
        /// Whether the clocks showed it twice.
        package var isRepeated: Bool { first < last }
    }

    /// The moments that a local time can refer to.
    ///
    /// In the hour that is repeated when summer time ends, a time means two moments; what is between two times of clocks then
    /// reaches from the first meaning of the one to the last of the other. In the hour that is left out when it begins, a time
    /// means the moment of the change, so that such a range has everything that the clocks showed within it, and no more.
    ///
    /// - Parameter clock: What the clocks show, as if it were a moment of UTC.
    package func moments(showing clock: Timestamp) -> MomentRange {
        let second = clock.second
        var found: [Timestamp] = []
        var period = period(at: second - ZoneOffset.limit - 1)
        while true {
            let moment = second - period.offset.seconds
            if period.start <= moment, moment < period.end {
                found.append(clock.subtracting(SessionOffset(milliseconds: period.offset.seconds * 1000)))
            }
            guard period.end <= second + ZoneOffset.limit + 1 else { break }
            let next = self.period(at: period.end)
            if found.isEmpty, period.end + period.offset.seconds <= second,
                second < period.end + next.offset.seconds
            {
                let change = Timestamp(milliseconds: period.end * 1000)
                return MomentRange(first: change, last: change.previous)
            }
            period = next
        }
        return MomentRange(first: found.first ?? clock, last: found.last ?? clock)
    }
}

extension Timestamp {
    /// The second that has begun, since 1970.
    fileprivate var second: Int64 { milliseconds.quotientAndRemainder(flooringBy: 1000).0 }
}
