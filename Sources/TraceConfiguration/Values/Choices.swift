internal import TraceText

/// How much is logged; the levels of swift-log.
package enum LogLevel: String, CaseIterable, Sendable {
    /// The levels, from everything to only the worst.
    case trace, debug, info, notice, warning, error, critical
}

/// How the log is written.
package enum LogFormat: String, CaseIterable, Sendable {
    /// `journald` when standard error is the journal, else `text`.
    case auto
    /// Lines for people, with time stamps.
    case text
    /// One JSON object a line.
    case json
    /// Lines with journald's priority prefixes and without time stamps.
    case journald
}

extension SettingType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of a few words.
    static var choice: SettingType {
        .single(
            "one of " + Value.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
            read: { (text, _) throws(SettingProblem) in
                if let value = String(validating: text, as: UTF8.self).flatMap(Value.init) { return value }
                throw SettingProblem(
                    .invalidValue, "\(quoted(text)) is not one of its values",
                    cure: "write one of: \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
            }, write: { $0.rawValue })
    }
}
