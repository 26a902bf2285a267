package import RecordFormat

/// When a group begins or ends: a moment, or a day of the journal.
///
/// Source: docs/spec/practice.md#groups.
package enum GroupDate: Sendable {
    /// In milliseconds since 1970.
    case moment(Double)
    /// It begins when this day does.
    case firstDay(CivilDate)
    /// It ends when this day does.
    case lastDay(CivilDate)

    /// In milliseconds since 1970. Not every day has 24 hours, and who asks may be in another zone.
    func time(in zone: ZoneRules) -> Double {
        switch self {
        case .moment(let time): time
        case .firstDay(let day): Double(zone.start(of: day).milliseconds)
        case .lastDay(let day): Double(zone.endOfDay(of: zone.start(of: day)).milliseconds)
        }
    }

    /// - Throws: ``ArgumentProblem`` if the calendar has no such day.
    static func day(_ text: String) throws(ArgumentProblem) -> CivilDate {
        guard let day = CivilDate(text) else {
            throw .refused("'\(text)' is not a day: write one as 2026-03-01.")
        }
        return day
    }
}
