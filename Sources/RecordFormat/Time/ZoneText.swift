/// Times for people.
extension ZoneRules {
    /// `2026-02-04 21:15`, if the zone is shown elsewhere.
    func minute(of moment: Timestamp) -> String { text(moment, time: 11..<16) }

    /// `2026-02-04 21:15 CET`
    package func minuteText(_ moment: Timestamp) -> String { "\(minute(of: moment)) \(label(moment))" }

    /// `2026-02-04 21:15:47 CET`
    package func secondText(_ moment: Timestamp) -> String {
        "\(text(moment, time: 11..<19)) \(label(moment))"
    }

    /// As ``secondText(_:)``, with the milliseconds if there are any: `2026-02-04 23:59:59.999 CET`.
    package func exactText(_ moment: Timestamp) -> String {
        guard moment.milliseconds % 1000 != 0 else { return secondText(moment) }
        return "\(text(moment, time: 11..<23)) \(label(moment))"
    }

    /// `21:15:47`, for what has just happened.
    package func time(of moment: Timestamp) -> String { String(text(moment, time: 11..<19).dropFirst(11)) }

    /// `20:15`, what the clocks of the zone show.
    package func clock(of moment: Timestamp) -> String { String(minute(of: moment).dropFirst(11)) }

    /// `2026-02-04`, the day by the clocks of the zone.
    package func date(of moment: Timestamp) -> String { String(minute(of: moment).prefix(10)) }

    private func label(_ moment: Timestamp) -> String { offset(at: moment).label }

    private func text(_ moment: Timestamp, time: Range<Int>) -> String {
        let shown = Array(shown(at: moment).description.utf8)
        return String(decoding: shown[..<10] + [0x20] + shown[time], as: UTF8.self)
    }
}
