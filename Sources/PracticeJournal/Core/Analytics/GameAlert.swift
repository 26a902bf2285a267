/// Something to look at in a game.
///
/// Source: docs/spec/practice.md#numbers-of-a-game.
package struct GameAlert: Sendable, Equatable {
    package enum Severity: String, Sendable {
        case info, caution, warning
    }

    /// What it is about.
    enum Code: String, CaseIterable, Sendable {
        case rulesheetStale = "rulesheet-stale"
        case rulesheetUnread = "rulesheet-unread"
        case practiceStale = "practice-stale"
        case practiceMissing = "practice-missing"
        case scoresSpread = "scores-spread"
        case nothing = "none"
    }

    package let severity: Severity
    let code: Code
    /// How many whole days ago, where it is about that.
    package let days: Int?
    package let message: String
}

extension GameHistory {
    /// What there is to look at; one that says so, if there is nothing.
    package var alerts: [GameAlert] {
        var alerts: [GameAlert] = []
        func alert(
            _ severity: GameAlert.Severity, _ code: GameAlert.Code, days: Int? = nil, _ message: String
        ) {
            alerts.append(GameAlert(severity: severity, code: code, days: days, message: message))
        }
        if let days = days(since: .rulesheetRead) {
            if days >= 90 {
                alert(.warning, .rulesheetStale, days: days, "Rulesheet last read \(days) days ago.")
            }
        } else {
            alert(.info, .rulesheetUnread, "No rulesheet reading logged yet.")
        }
        if let days = days(since: .practiceSession) {
            if days >= 14 {
                alert(.warning, .practiceStale, days: days, "No practice logged in the last \(days) days.")
            }
        } else {
            alert(.info, .practiceMissing, "No practice sessions logged yet.")
        }
        if statistics?.isHighRisk ?? false {
            alert(.caution, .scoresSpread, "Score variance is high (wide floor-to-upper spread).")
        }
        if alerts.isEmpty { alert(.info, .nothing, "No immediate alerts for this game.") }
        return alerts
    }
}
