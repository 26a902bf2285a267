/// A day of the proleptic Gregorian calendar, as in RFC 3339.
package struct CivilDate: Equatable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Whether the calendar has this day.
    var exists: Bool {
        (1...12).contains(month) && day >= 1 && day <= Self.daysInMonth(month, of: year)
    }

    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    // Years are counted from March, so that the leap day is the last of its year and a month's first day is a
    // linear function of its number: day 0 of that count is 0000-03-01, which lies 719,468 days before 1970.

    /// Days from 1970-01-01, negative before it.
    var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day so many days after 1970-01-01.
    init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension CivilDate {
    /// The day that a text such as `2026-03-01` names; nil if it is not one of the calendar.
    package init?(_ text: some StringProtocol) {
        var numbers = (year: 0, month: 0, day: 0)
        var place = 0
        for byte in text.utf8 {
            let digit = Int(byte) - Int(UInt8(ascii: "0"))
            let isDigit = (0...9).contains(digit)
            switch place {
            case 0..<4 where isDigit: numbers.year = numbers.year * 10 + digit
            case 5..<7 where isDigit: numbers.month = numbers.month * 10 + digit
            case 8..<10 where isDigit: numbers.day = numbers.day * 10 + digit
            case 4, 7: if byte != UInt8(ascii: "-") { return nil }
            default: return nil
            }
            place += 1
        }
        guard place == 10 else { return nil }
        self.init(year: numbers.year, month: numbers.month, day: numbers.day)
        if !exists { return nil }
    }
}
