/// A zone by a rule that is the same every year: POSIX's `TZ`, as it is at the end of a zone file.
///
/// Source: POSIX.1-2017, section 8.3, "TZ"; RFC 8536, section 3.3.1.
struct YearlyZone: Sendable, Hashable {
    /// What holds outside of summer time.
    let standard: ZoneOffset
    /// Nil if there is no summer time.
    private let daylightSaving: DaylightSaving?

    private struct DaylightSaving: Hashable {
        var offset: ZoneOffset
        /// By the clock of standard time.
        var start: Date
        /// By the clock of summer time.
        var end: Date
    }

    /// A moment of every year.
    private struct Date: Hashable {
        enum Day: Hashable {
            /// 1 ... 365; February 29 is never counted.
            case julian(Int)
            /// 0 ... 365; February 29 is counted.
            case ofYear(Int)
            /// The week is 1 ... 5, the last one for 5; Sunday is weekday 0.
            case ofMonth(month: Int, week: Int, weekday: Int)
        }

        var day: Day
        /// Seconds from the day's midnight, up to a week in both directions.
        var time: Int64

        /// Seconds since 1970 on the local clock.
        func second(in year: Int) -> Int64 {
            let january = CivilDate(year: year, month: 1, day: 1).daysSince1970
            let day: Int
            switch self.day {
            case .julian(let number):
                day = january + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
            case .ofYear(let number): day = january + number
            case .ofMonth(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1).daysSince1970
                // 1970 began on a Thursday.
                let firstWeekday = ((first + 4) % 7 + 7) % 7
                var distance = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
                if distance >= CivilDate.daysInMonth(month, of: year) { distance -= 7 }
                day = first + distance
            }
            return Int64(day) * 86400 + time
        }
    }

    /// What holds at a second.
    func period(at second: Int64) -> ZonePeriod {
        guard let daylightSaving else {
            return ZonePeriod(start: ZoneRules.distantPast, end: ZoneRules.distantFuture, offset: standard)
        }
        // A date can lie a week outside of its year, and zones without winter change twice in one second.
        let days = (second + standard.seconds).quotientAndRemainder(flooringBy: 86400).0
        let year = CivilDate(daysSince1970: Int(days)).year
        var changes: [(second: Int64, isDaylightSaving: Bool)] = []
        for year in year - 2...year + 2 {
            changes.append((daylightSaving.end.second(in: year) - daylightSaving.offset.seconds, false))
            changes.append((daylightSaving.start.second(in: year) - standard.seconds, true))
        }
        // If both are at one second, summer continues.
        changes.sort { ($0.second, $0.isDaylightSaving ? 1 : 0) < ($1.second, $1.isDaylightSaving ? 1 : 0) }
        let next = changes.firstIndex { $0.second > second } ?? changes.endIndex
        let last = next == 0 ? changes[0] : changes[next - 1]
        return ZonePeriod(
            start: last.second, end: next < changes.endIndex ? changes[next].second : ZoneRules.distantFuture,
            offset: last.isDaylightSaving ? daylightSaving.offset : standard)
    }
}

// MARK: - Reading

extension YearlyZone {
    /// Reads `CET-1CEST,M3.5.0,M10.5.0/3`; nil if it is no such rule.
    init?(_ text: [UInt8]) {
        var rest = text[...]
        guard let name = Self.name(&rest), let west = Self.time(&rest, hours: 24) else { return nil }
        standard = ZoneOffset(seconds: -west, abbreviation: name)
        if rest.isEmpty {
            daylightSaving = nil
            return
        }
        guard let name = Self.name(&rest) else { return nil }
        var offset = ZoneOffset(seconds: standard.seconds + 3600, abbreviation: name)
        if let first = rest.first, first != UInt8(ascii: ",") {
            guard let west = Self.time(&rest, hours: 24) else { return nil }
            offset.seconds = -west
        }
        // What the C library takes where nothing is said: the rule of the United States.
        if rest.isEmpty { rest = Array(",M3.2.0,M11.1.0".utf8)[...] }
        guard let start = Self.date(&rest), let end = Self.date(&rest), rest.isEmpty else { return nil }
        daylightSaving = DaylightSaving(offset: offset, start: start, end: end)
    }

    /// Three letters or more; in angle brackets also digits, and a sign before them.
    private static func name(_ rest: inout ArraySlice<UInt8>) -> String? {
        let isQuoted = rest.first == UInt8(ascii: "<")
        if isQuoted { rest.removeFirst() }
        let name = rest.prefix { isQuoted ? ZoneRules.isOfAbbreviation($0) : $0.isASCIILetter }
        rest = rest.dropFirst(name.count)
        guard name.count >= (isQuoted ? 1 : 3), !isQuoted || rest.popFirst() == UInt8(ascii: ">"),
            name.dropFirst().allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit })
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// `[+-]h[:m[:s]]`, in seconds.
    private static func time(_ rest: inout ArraySlice<UInt8>, hours limit: Int) -> Int64? {
        let sign = rest.first
        let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
        if isSigned { rest.removeFirst() }
        guard let hours = number(&rest, 0...limit) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where rest.first == UInt8(ascii: ":") {
            rest.removeFirst()
            guard let part = number(&rest, 0...59) else { return nil }
            seconds += part * unit
        }
        return Int64(sign == UInt8(ascii: "-") ? -seconds : seconds)
    }

    /// `,day[/time]`; two o'clock if there is no time.
    private static func date(_ rest: inout ArraySlice<UInt8>) -> Date? {
        guard rest.popFirst() == UInt8(ascii: ","), let day = day(&rest) else { return nil }
        guard rest.first == UInt8(ascii: "/") else { return Date(day: day, time: 7200) }
        rest.removeFirst()
        return time(&rest, hours: 167).map { Date(day: day, time: $0) }
    }

    private static func day(_ rest: inout ArraySlice<UInt8>) -> Date.Day? {
        switch rest.first {
        case UInt8(ascii: "J"):
            rest.removeFirst()
            return number(&rest, 1...365).map(Date.Day.julian)
        case UInt8(ascii: "M"):
            rest.removeFirst()
            guard let month = number(&rest, 1...12), rest.popFirst() == UInt8(ascii: "."),
                let week = number(&rest, 1...5), rest.popFirst() == UInt8(ascii: "."),
                let weekday = number(&rest, 0...6)
            else { return nil }
            return .ofMonth(month: month, week: week, weekday: weekday)
        default: return number(&rest, 0...365).map(Date.Day.ofYear)
        }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(4).prefix(while: \.isASCIIDigit)
        rest = rest.dropFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
    }
}

extension ZoneRules {
    /// Whether a byte can be in the abbreviation of an offset.
    static func isOfAbbreviation(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
