internal import RecordFormat
internal import TraceStore

extension Shape<SkillSummary> {
    static let skill = Shape(
        "PracticeSkill", "How a flipper skill has been",
        [
            .always("skill", "its name", \.skill),
            .always("logs", "how many there are", \.count),
            .always("series", "how well it went, oldest first, from 1 to 5", \.series),
            .sometimes("latest", "1 to 5", \.latest),
            .sometimes(
                "of all, and of the later half less the earlier one",
                ["average": \.average, "trend": \.trend]),
        ])
}

extension Question {
    static let mechanics = list(
        "mechanics", command: "mechanics --summary", "How the flipper skills have been", of: .skill,
        columns: [
            .text("SKILL", least: 12, \.skill), .number("LOGS") { "\($0.count)" },
            .number("LATEST") { $0.latest.map { "\($0)" } ?? "" },
            .number("AVERAGE") { hundredths($0.average) }, .number("TREND") { hundredths($0.trend) },
        ], nothing: "no skill was logged"
    ) { (journal: OpenedPractice, _) in try journal.answers.mechanics }

    private static func hundredths(_ number: Double?) -> String {
        number.map { DocumentNumber.text(($0 * 100).rounded() / 100) } ?? ""
    }
}
