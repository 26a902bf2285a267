import Testing

/// Offsets, lengths and moments come from files, where any number of 64 bits may stand: nothing adds or multiplies them but the
/// functions of their own types, which are checked.
struct CheckedTimeTests {
    /// `.milliseconds` of a value beside an operator, or with a function of integers behind it; `.milliseconds(5)` is a duration.
    private static var raw: [Regex<Substring>] {
        [
            #/\.milliseconds\s*[-+*&]/#, #/[-+*]\s*[\w.?$]*\.milliseconds\b(?!\()/#,
            #/\.milliseconds\)?\s*\.(?:adding|subtracting|multiplied(?!FullWidth))/#,
            #/\.(?:adding|subtracting)\w*\([^)]*\.milliseconds\b(?!\()/#,
        ]
    }

    /// Where raw numbers are taken out and put in: the types themselves; and units of the configuration, which are no times.
    private static let homes = ["RecordFormat/Time/", "TraceConfiguration/Values/Durations.swift"]

    /// Whether a line of source calculates with raw milliseconds.
    private static func isRaw(_ line: some StringProtocol) -> Bool {
        let code = String(line)
        guard code.contains("milliseconds"), !code.drop(while: \.isWhitespace).hasPrefix("//") else {
            return false
        }
        return raw.contains { code.firstMatch(of: $0) != nil }
    }

    @Test(arguments: [
        "let a = end.milliseconds - start.milliseconds", "x + offset.milliseconds", "-duration.milliseconds",
        "offset.milliseconds.addingReportingOverflow(1)", "total.addingClamped(length?.milliseconds ?? 0)",
        "moment.milliseconds * 1000",
    ])
    func `arithmetic on raw milliseconds is seen`(line: String) { #expect(Self.isRaw(line)) }

    @Test(arguments: [
        "now + .milliseconds(5)", "offset.milliseconds / 1000", "a.milliseconds.multipliedFullWidth(by: b)",
        "/// offset.milliseconds + 1", "end.subtracting(start).milliseconds",
        "Double(offset.milliseconds) * rate",
    ])
    func `what can't go wrong is not`(line: String) { #expect(!Self.isRaw(line)) }

    @Test func `no source calculates with raw milliseconds`() {
        for file in SourceFile.all
        where !Self.homes.contains(where: file.name.hasPrefix) && file.text.contains(".milliseconds") {
            for (number, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            where Self.isRaw(line) {
                Issue.record("Sources/\(file.name):\(number + 1): \(line)")
            }
        }
    }
}
