internal import Glibc
internal import TraceFormat
internal import TraceStore

/// A moment as a person types it: `today`, `monday`, `2026-02-04`, `2026-02-04T20:15`, `2026-02-04T20:15:30.5`, in local time, or with `Z` or
/// `+01:00` behind the time.
struct TypedMoment {
    /// The moment, or where the day, minute or second that was typed begins.
    let first: Timestamp
    /// Where that day, minute or second ends: its last millisecond.
    let last: Timestamp

    /// - Throws: ``CommandFailure`` with `.usage`.
    init(_ typed: String) throws(CommandFailure) {
        let text = Self.date(named: typed) ?? typed
        let time = text.dropFirst(10)
        if time.isEmpty {
            let day = try Self.moment(text, "00:00:00", in: text)
            first = Self.fromLocal(day)
            last = Self.justBefore(Self.fromLocal(day + SessionOffset(milliseconds: 86_400_000)))
            return
        }
        guard "Tt ".contains(time.prefix(1)) else { throw Self.malformed(text) }
        let (clock, zone) = try Self.parts(time.dropFirst(), in: text)
        let hasSeconds = clock.count > 5
        let civil = try Self.moment(
            String(text.prefix(10)), hasSeconds ? clock : "\(clock):00", in: text)
        first =
            zone.map { civil + SessionOffset(milliseconds: -$0) } ?? Self.fromLocal(civil)
        let unit: Int64 = clock.contains(".") ? 1 : hasSeconds ? 1000 : 60_000
        last = Self.justBefore(first + SessionOffset(milliseconds: unit))
    }

    /// The local date that a word names: today, yesterday, or the latest day of that name, today among them.
    private static func date(named word: String) -> String? {
        let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        var seconds = time_t(Clock.now().milliseconds / 1000)
        var fields = tm()
        localtime_r(&seconds, &fields)
        let word = word.lowercased()
        let daysAgo: Int?
        switch word {
        case "today": daysAgo = 0
        case "yesterday": daysAgo = 1
        default:
            daysAgo = weekdays.firstIndex { $0 == word || (word.count == 3 && $0.hasPrefix(word)) }.map {
                (Int(fields.tm_wday) - $0 + 7) % 7
            }
        }
        guard let daysAgo else { return nil }
        // What the local clock shows, as if it were UTC: there every day has 24 hours.
        let shown = Timestamp(milliseconds: Int64(timegm(&fields)) * 1000)
        return String(
            (shown + SessionOffset(milliseconds: -86_400_000 * Int64(daysAgo))).description.prefix(10))
    }

    /// The clock and, in milliseconds, how far its zone is ahead of UTC; nil for local time.
    private static func parts(_ text: Substring, in whole: String) throws(CommandFailure) -> (String, Int64?)
    {
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
    ) throws(CommandFailure) -> Timestamp {
        guard let moment = Timestamp("\(date)T\(clock)Z") else { throw malformed(whole) }
        return moment
    }

    /// The moment at which the local clocks show what `civil` is in UTC.
    private static func fromLocal(_ civil: Timestamp) -> Timestamp {
        var seconds = time_t(civil.milliseconds / 1000)
        let rest = civil.milliseconds % 1000
        var fields = tm()
        gmtime_r(&seconds, &fields)
        fields.tm_isdst = -1
        return Timestamp(milliseconds: Int64(mktime(&fields)) * 1000 + rest)
    }

    private static func justBefore(_ moment: Timestamp) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds - 1)
    }

    private static func malformed(_ text: String) -> CommandFailure {
        CommandFailure(
            .usage, "'\(ArgumentBytes.shown(text))' is not a moment",
            hint: "write 2026-02-04 or 2026-02-04T20:15 for local time, 2026-02-04T20:15:00Z for UTC, "
                + "today, yesterday or monday")
    }

    /// The beginning of a moment that was typed for something that has happened.
    ///
    /// - Throws: ``CommandFailure`` with `.usage`; where the moment is still to come, too.
    static func past(_ typed: String, _ option: String) throws(CommandFailure) -> Timestamp {
        let moment = try TypedMoment(typed).first
        guard moment <= Clock.now() else {
            throw CommandFailure(
                .usage, "\(option) '\(ArgumentBytes.shown(typed))' is \(moment), in the future",
                hint: "correct it; without a zone a time is local, with Z behind it UTC")
        }
        return moment
    }

    /// What lies between two moments, both of them included; nil where neither is given.
    static func range(since: String?, until: String?) throws(CommandFailure) -> ClosedRange<Timestamp>? {
        guard since != nil || until != nil else { return nil }
        var lower = Timestamp(milliseconds: .min)
        var upper = Timestamp(milliseconds: .max)
        if let since { lower = try TypedMoment(since).first }
        if let until { upper = try TypedMoment(until).last }
        guard lower <= upper else {
            throw CommandFailure(.usage, "--since \(lower) lies after --until \(upper)")
        }
        return lower...upper
    }
}
