package import RecordFormat
internal import TraceStore
internal import TraceText

/// A moment as a person types it: `20:15` for today, `today`, `monday`, `last week`, `3d`, `1w`, `2026-02-04`, `2026-02-04T20:15`, `2026-02-04T20:15:30.5`, in their zone, or with `Z` or
/// `+01:00` behind the time.
///
/// Where the clocks were set back or forward, it means what ``ZoneRules/moments(showing:)`` says.
package struct TimeArgument {
    /// The moment, or where the day, minute or second that was typed begins.
    package let first: Timestamp
    /// Where that day, minute or second ends: its last millisecond.
    package let last: Timestamp
    /// Why ``first`` may not be the moment that was meant, and which it is; nil if there is only one.
    package private(set) var warning: String?
    /// The same of ``last``.
    private(set) var lastWarning: String?

    /// - Parameter now: The current time, for `today` and for times without a date.
    /// - Throws: ``LibraryError`` with `.timeMalformed`.
    package init(
        _ typed: String, in zone: ZoneRules, now: Timestamp = Clock.now()
    ) throws(LibraryError) {
        if let week = Self.week(named: typed, in: zone, now: now) {
            first = zone.moments(showing: week).first
            last = zone.moments(showing: Self.end(of: week, lasting: 7 * 86_400_000)).last
            return
        }
        let text =
            Self.date(named: typed, in: zone, now: now) ?? Self.today(at: typed, in: zone, now: now) ?? typed
        let time = text.dropFirst(10)
        guard !time.isEmpty else {
            let day = try Self.moment(text, "00:00:00", in: text)
            first = zone.moments(showing: day).first
            last = zone.moments(showing: Self.end(of: day, lasting: 86_400_000)).last
            return
        }
        guard "Tt ".contains(time.prefix(1)) else { throw Self.malformed(text) }
        let (clock, distance) = try Self.parts(time.dropFirst(), in: text)
        let hasSeconds = clock.count > 5
        let civil = try Self.moment(
            String(text.prefix(10)), hasSeconds ? clock : "\(clock):00", in: text)
        let unit: Int64 = clock.contains(".") ? 1 : hasSeconds ? 1000 : 60_000
        if let distance {
            first = civil.subtracting(SessionOffset(milliseconds: distance))
            last = Self.end(of: first, lasting: unit)
            return
        }
        let meaning = zone.moments(showing: civil)
        first = meaning.first
        last = zone.moments(showing: Self.end(of: civil, lasting: unit)).last
        if meaning.isRepeated {
            func twice(_ taken: String, _ moment: Timestamp, other: String, _ otherMoment: Timestamp)
                -> String
            {
                "the clocks showed that time twice; using the \(taken), \(zone.exactText(moment)); for the \(other), "
                    + "\(zone.exactText(otherMoment)), write \(otherMoment)"
            }
            warning = twice("first", meaning.first, other: "second", meaning.last)
            lastWarning = twice("second", meaning.last, other: "first", meaning.first)
        } else if meaning.isSkipped {
            warning = "the clocks skipped that time; using the moment of the change"
            lastWarning = warning
        }
    }

    /// The date that a word names: today, yesterday, or the latest day of that name, today among them.
    private static func date(named word: String, in zone: ZoneRules, now: Timestamp) -> String? {
        let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        // What the clocks show, as if it were UTC: there every day has 24 hours.
        let shown = zone.shown(at: now)
        let word = word.lowercased()
        let daysAgo: Int?
        switch word {
        case "today": daysAgo = 0
        case "yesterday": daysAgo = 1
        default:
            daysAgo =
                weekdays.firstIndex { $0 == word || (word.count == 3 && $0.hasPrefix(word)) }.map {
                    (shown.weekday - $0 + 7) % 7
                } ?? Self.daysAgo(word)
        }
        guard let daysAgo else { return nil }
        return ZoneRules.utc.date(
            of: shown.subtracting(SessionOffset(milliseconds: 86_400_000 * Int64(daysAgo))))
    }

    /// How many days ago `3d` or `2w` was.
    private static func daysAgo(_ word: String) -> Int? {
        guard let unit = ["d": 1, "w": 7][word.suffix(1)], (2...4).contains(word.utf8.count),
            word.dropLast().utf8.allSatisfy(\.isASCIIDigit), let count = Int(word.dropLast())
        else { return nil }
        return count * unit
    }

    /// Where the week begins that words name, this one or the last: on a Monday, as the clocks show it.
    private static func week(named words: String, in zone: ZoneRules, now: Timestamp) -> Timestamp? {
        let weeksAgo: Int
        switch words.lowercased() {
        case "this week": weeksAgo = 0
        case "last week": weeksAgo = 1
        default: return nil
        }
        let shown = zone.shown(at: now)
        let days = (shown.weekday + 6) % 7 + 7 * weeksAgo
        let monday = ZoneRules.utc.date(
            of: shown.subtracting(SessionOffset(milliseconds: 86_400_000 * Int64(days))))
        return Timestamp("\(monday)T00:00:00Z")
    }

    /// With today's date before it, where only the time was typed: `20:15`, `9:05:30`.
    private static func today(at clock: String, in zone: ZoneRules, now: Timestamp) -> String? {
        guard let colon = clock.firstIndex(of: ":"), (1...2).contains(clock[..<colon].utf8.count),
            clock[..<colon].utf8.allSatisfy(\.isASCIIDigit)
        else { return nil }
        let hours = clock[..<colon].utf8.count == 1 ? "0" : ""
        return "\(zone.date(of: now))T\(hours)\(clock)"
    }

    /// The clock and, in milliseconds, how far its zone is ahead of UTC; nil for the person's own.
    private static func parts(_ text: Substring, in whole: String) throws(LibraryError) -> (String, Int64?) {
        if text.hasSuffix("Z") || text.hasSuffix("z") { return (String(text.dropLast()), 0) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (String(text), nil) }
        let digits = text[sign...].dropFirst().filter { $0 != ":" }
        guard digits.count == 4, digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int64(digits),
            number / 100 < 24, number % 100 < 60
        else { throw malformed(whole) }
        let distance = (number / 100 * 60 + number % 100) * 60_000
        return (String(text[..<sign]), text[sign] == "-" ? -distance : distance)
    }

    /// What the date and the clock would be in UTC.
    private static func moment(
        _ date: String, _ clock: String, in whole: String
    ) throws(LibraryError) -> Timestamp {
        guard let moment = Timestamp("\(date)T\(clock)Z") else { throw malformed(whole) }
        return moment
    }

    /// The last millisecond of a time that lasts so many.
    private static func end(of start: Timestamp, lasting unit: Int64) -> Timestamp {
        start.adding(SessionOffset(milliseconds: unit - 1))
    }

    private static func malformed(_ text: String) -> LibraryError {
        LibraryError(
            .timeMalformed, "'\(text)' is not a time",
            cure:
                "write a time of today (20:15), a date (2026-02-04), a date and time (2026-02-04T20:15, or 2026-02-04T20:15:00Z "
                + "in UTC), a day: today, yesterday, monday … sunday, 3d or 1w ago, or a week: this week, last week"
        )
    }

    /// The beginning of a moment that was typed for something that has happened.
    ///
    /// - Parameters:
    ///   - option: What the moment is called where it was typed.
    ///   - warn: Called with what there is to say where the clocks showed the time twice, or never.
    /// - Throws: ``LibraryError`` with `.timeMalformed`; with `.timeInFuture` if the moment is still to come; with `.timeTooEarly` if it is before 1860.
    package static func past(
        _ typed: String, _ option: String, in zone: ZoneRules, now: Timestamp = Clock.now(),
        warn: (String) -> Void = { _ in }
    ) throws(LibraryError) -> Timestamp {
        let argument = try TimeArgument(typed, in: zone, now: now)
        let moment = argument.first
        if let warning = argument.warning { warn("\(option) '\(typed)': \(warning)") }
        guard moment <= now else {
            throw LibraryError(
                .timeInFuture,
                "\(option) '\(typed)' is \(zone.exactText(moment)), in the future",
                cure:
                    "correct it; a time without a zone is in the configured time zone, one with Z in UTC"
            )
        }
        try requireLikely(moment, option, zone.exactText(moment))
        return moment
    }

    /// 1860: nothing was recorded before.
    private static let earliest = Timestamp(milliseconds: -3_471_292_800_000)

    /// Refuses what is before there were recordings: a slip in the year.
    ///
    /// - Throws: ``LibraryError`` with `.timeTooEarly`.
    package static func requireLikely(
        _ moment: Timestamp, _ name: String, _ shown: String
    ) throws(LibraryError) {
        guard moment < earliest else { return }
        throw LibraryError(
            .timeTooEarly, "\(name) is \(shown), before there were recordings", cure: "correct the year")
    }
}
