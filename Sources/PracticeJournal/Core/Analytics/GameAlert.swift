/// Something to look at in a game.
///
/// Source: docs/spec/practice.md#numbers-of-a-game.
package struct GameAlert: Sendable, Equatable {
    package enum Severity: String, Sendable {
        case info, caution, warning
    }

    package let severity: Severity
    package let message: String
}

extension GameHistory {
    /// What there is to look at; one that says so, if there is nothing.
    package var alerts: [GameAlert] {
        var alerts: [GameAlert] = []
        func alert(_ severity: GameAlert.Severity, _ message: String) {
            alerts.append(GameAlert(severity: severity, message: message))
        }
        if let days = days(since: .rulesheetRead) {
            if days >= 90 { alert(.warning, "Rulesheet last read \(days) days ago.") }
        } else {
            alert(.info, "No rulesheet reading logged yet.")
        }
        if let days = days(since: .practiceSession) {
            if days >= 14 { alert(.warning, "No practice logged in the last \(days) days.") }
        } else {
            alert(.info, "No practice sessions logged yet.")
        }
        if statistics?.isHighRisk ?? false {
            alert(.caution, "Score variance is high (wide floor-to-upper spread).")
        }
        if alerts.isEmpty { alert(.info, "No immediate alerts for this game.") }
        return alerts
    }
}
