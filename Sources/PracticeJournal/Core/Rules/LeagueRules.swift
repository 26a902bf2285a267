package import RecordFormat
internal import TraceText

/// The rules of league tables. Source: docs/rules.md#practice-journals.
extension Rule {
    /// Every rule of a league table.
    package static let league = [
        leagueSeparator, leagueColumnMissing, leagueRowWidth, leagueRowUnreadable, leagueNumber, leagueDate,
    ]

    static let leagueSeparator = Rule(
        "league-separator", .error, "The fields of a league table are separated by commas.",
        cure: "save the table with commas between its fields, and quotes around a field that has one")
    package static let leagueColumnMissing = Rule(
        "league-column-missing", .error, "A league table has the columns from which it is read.",
        cure: "fetch the table again, or correct the names in its first row")
    static let leagueRowWidth = Rule(
        "league-row-width", .warning, "A row of a league table has as many fields as the header.",
        cure: "add or remove fields, or put quotes around a field that has a comma")
    package static let leagueRowUnreadable = Rule(
        "league-row-unreadable", .warning,
        "A row of a league table is UTF-8 without NUL, closes its quotes, and has the names by which it is found.",
        cure: "correct the row, or fetch the table again")
    static let leagueNumber = Rule(
        "league-number", .warning,
        "A number of a league table is written in digits: a comma groups three of them, and the decimal sign is a point.",
        cure: "write the number in digits, such as 12,345,678 or 45.5")
    static let leagueDate = Rule(
        "league-date", .warning, "A date of a league table is a day of the calendar.",
        cure: "write the day as YYYY-MM-DD")
}
