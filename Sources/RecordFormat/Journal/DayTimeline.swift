/// What all journals have of a day, in the order in which it happened.
///
/// Source: docs/spec/journals.md#the-timeline-of-a-day.
package struct DayTimeline {
    /// A record that is on the timeline.
    package struct Entry: Sendable {
        let kind: JournalKind
        /// Of the journal.
        let title: String
        /// The name of the kind of entry, without that of the kind of journal before it.
        let entryKind: String
        /// Milliseconds since 1970, with fractions where the journal has them.
        let time: Double
        let text: String

        package init(_ kind: JournalKind, title: String, entryKind: String, time: Double, text: String) {
            self.kind = kind
            self.title = title
            self.entryKind = entryKind
            self.time = time
            self.text = text
        }

        /// Local time, kind, title, kind of entry and text, between tabs, on one line.
        ///
        /// - Parameter isDated: Whether the time has its day and its zone: among entries of several days.
        func line(in zone: ZoneRules, isDated: Bool = false) -> String {
            fields(in: zone, isDated: isDated).joined(separator: "\t")
        }

        /// As ``line(in:isDated:)``, each by itself.
        package func fields(in zone: ZoneRules, isDated: Bool) -> [String] {
            let moment = Timestamp(flooring: time)
            return [
                isDated ? zone.secondText(moment) : zone.time(of: moment), kind.name, Self.line(title),
                entryKind, Self.line(text),
            ]
        }

        /// The text with a space in place of line breaks and tabs.
        private static func line(_ text: String) -> String {
            text.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" || $0 == "\t" }.joined(separator: " ")
        }
    }

    /// By time; of one time in the order of the kinds, then in that in which they came.
    let entries: [Entry]
    private let zone: ZoneRules

    /// - Parameters:
    ///   - day: By the clocks of the zone.
    ///   - entries: Of any days; those of a journal in the order of its files.
    ///   - kinds: In the order in which they are recognised.
    package init(
        _ day: CivilDate, in zone: ZoneRules, _ entries: some Sequence<Entry>, kinds: [JournalKind]
    ) {
        let start = zone.start(of: day)
        let first = Double(start.milliseconds)
        // Not 24 hours on: days on which clocks are changed are shorter or longer.
        let next = CivilDate(daysSince1970: day.daysSince1970 + 1)
        let end = Double(zone.start(of: next).milliseconds)
        let ranks = Dictionary(zip(kinds, kinds.indices), uniquingKeysWith: { one, _ in one })
        self.zone = zone
        self.entries = entries.enumerated().filter { $0.element.time >= first && $0.element.time < end }
            .map { (entry: $0.element, rank: ranks[$0.element.kind] ?? kinds.count, number: $0.offset) }
            .sorted { ($0.entry.time, $0.rank, $0.number) < ($1.entry.time, $1.rank, $1.number) }
            .map(\.entry)
    }

    /// Each entry on one line (``Entry/line(in:)``).
    package var lines: [String] { entries.map { $0.line(in: zone) } }
}
