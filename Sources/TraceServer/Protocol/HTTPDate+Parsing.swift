extension HTTPDate {
    /// Reads any of the three forms of a date: `Sun, 06 Nov 1994 08:49:37 GMT`, and the two of old programs, `Sunday, 06-Nov-94
    /// 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    ///
    /// The weekday must be a valid name, but is not compared with the date. A date before 1970 is clamped to 1970-01-01.
    /// - Parameter now: A year of two digits is taken to be at most 50 years later than this.
    /// - Returns: nil for any other form, and for a day or a time that does not exist.
    /// - Source: RFC 9110, section 5.6.7.
    package init?(_ text: String, now: HTTPDate) {
        var scanner = FieldScanner(text)
        scanner.skipSpace()
        guard let weekday = Self.index(of: &scanner, in: Self.dayNames) else { return nil }
        let moment: HTTPDate?
        if scanner.peek == UInt8(ascii: ",") {
            moment = Self.fixed(&scanner)
        } else if scanner.peek == UInt8(ascii: " ") {
            moment = Self.unixForm(&scanner)
        } else {
            moment = Self.oldForm(&scanner, weekday: weekday, now: now)
        }
        scanner.skipSpace()
        guard let moment, scanner.isAtEnd else { return nil }
        self = moment
    }

    /// Takes one of these names and returns its index.
    private static func index(of scanner: inout FieldScanner, in names: [StaticString]) -> Int? {
        for (index, name) in names.enumerated() where scanner.skip(name) { return index }
        return nil
    }

    private static func month(_ scanner: inout FieldScanner) -> Int? {
        index(of: &scanner, in: monthNames).map { $0 + 1 }
    }

    /// `, 06 Nov 1994 08:49:37 GMT`
    private static func fixed(_ scanner: inout FieldScanner) -> HTTPDate? {
        guard scanner.skip(", "), let day = scanner.digits(2), scanner.skip(" "), let month = month(&scanner),
            scanner.skip(" "), let year = scanner.digits(4), scanner.skip(" "),
            let time = timeOfDay(&scanner), scanner.skip(" GMT")
        else { return nil }
        return moment(year, month, day, time)
    }

    /// `day, 06-Nov-94 08:49:37 GMT`
    private static func oldForm(_ scanner: inout FieldScanner, weekday: Int, now: HTTPDate) -> HTTPDate? {
        let rests: [StaticString] = ["day", "day", "sday", "nesday", "rsday", "day", "urday"]
        guard scanner.skip(rests[weekday]), scanner.skip(", "), let day = scanner.digits(2),
            scanner.skip("-"),
            let month = month(&scanner), scanner.skip("-"), let shortYear = scanner.digits(2),
            scanner.skip(" "), let time = timeOfDay(&scanner), scanner.skip(" GMT")
        else { return nil }
        // The latest year with these digits that is not more than 50 years ahead.
        let latest = now.year + 50
        let year = latest - (latest - shortYear) % 100
        return moment(year, month, day, time)
    }

    /// ` Nov  6 08:49:37 1994`
    private static func unixForm(_ scanner: inout FieldScanner) -> HTTPDate? {
        guard scanner.skip(" "), let month = month(&scanner), scanner.skip(" "),
            let day = scanner.skip(" ") ? scanner.digits(1) : scanner.digits(2), scanner.skip(" "),
            let time = timeOfDay(&scanner), scanner.skip(" "), let year = scanner.digits(4)
        else { return nil }
        return moment(year, month, day, time)
    }

    /// `08:49:37` in seconds; the grammar has a leap second, which is the first one of the next minute.
    private static func timeOfDay(_ scanner: inout FieldScanner) -> Int? {
        guard let hour = scanner.digits(2), hour < 24, scanner.skip(":"), let minute = scanner.digits(2),
            minute < 60, scanner.skip(":"), let second = scanner.digits(2), second <= 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    private static func moment(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> HTTPDate? {
        guard day >= 1, day <= dayCount(ofMonth: month, in: year) else { return nil }
        let dayOfYear = (1..<month).reduce(day - 1) { $0 + dayCount(ofMonth: $1, in: year) }
        return HTTPDate(seconds: Int64((firstDay(of: year) + dayOfYear) * 86400 + time))
    }
}
