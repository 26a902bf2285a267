/// Days as the clocks of a zone count them.
///
/// Source: docs/spec/journals.md#time.
extension ZoneRules {
    /// How many calendar days the first moment can be moved on, at the same local time, without being after the second; 0 if
    /// the second is before it.
    package func wholeDays(from first: Timestamp, to second: Timestamp) -> Int {
        guard first < second else { return 0 }
        let (day, time) = localTime(of: first)
        var days = max(localTime(of: second).day - day, 0)
        while days > 0, moment(day: day + days, time: time) > second { days -= 1 }
        return Int(days)
    }

    /// The moment at which a day begins.
    package func start(of day: CivilDate) -> Timestamp {
        moment(day: Int64(day.daysSince1970), time: 0)
    }

    /// The moment at which the local day of `moment` begins, or the one that is `days` days on.
    package func startOfDay(of moment: Timestamp, plus days: Int = 0) -> Timestamp {
        self.moment(day: localTime(of: moment).day.addingClamped(Int64(days)), time: 0)
    }

    /// The moment that the clocks show as 23:59:59 on the local day of `moment`.
    package func endOfDay(of moment: Timestamp) -> Timestamp {
        self.moment(day: localTime(of: moment).day, time: 86_399_000)
    }

    /// The days since 1970-01-01 and the milliseconds since midnight that the clocks show.
    private func localTime(of moment: Timestamp) -> (day: Int64, time: Int64) {
        shown(at: moment.clamped).milliseconds.quotientAndRemainder(flooringBy: Self.millisecondsPerDay)
    }

    /// Of a local time that is shown twice the first moment; of one that is left out the last before the change.
    private func moment(day: Int64, time: Int64) -> Timestamp {
        let clock = Timestamp(milliseconds: day * Self.millisecondsPerDay + time)
        let range = moments(showing: clock)
        return min(range.first, range.last)
    }

    private static let millisecondsPerDay: Int64 = 86_400_000
}
