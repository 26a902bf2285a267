import TestSupport
import Testing

/// Offsets, lengths and moments come from files, where any number of 64 bits may stand: nothing adds or multiplies them but the
/// functions of their own types, which are checked.
struct CheckedTimeTests {
    /// `.milliseconds` of a value beside an operator, or with a function of integers behind it; `.milliseconds(5)` is a duration. And a
    /// number with fractions that is made a time by ending the process where there is none.
    private static var raw: [Regex<Substring>] {
        [
            #/\.milliseconds\s*[-+*&]/#, #/[-+*]\s*[\w.?$]*\.milliseconds\b(?!\()/#,
            #/\.milliseconds\)?\s*\.(?:adding|subtracting|multiplied(?!FullWidth))/#,
            #/\.(?:adding|subtracting)\w*\([^)]*\.milliseconds\b(?!\()/#,
            #/milliseconds: *U?Int\w*\(.*\.rounded/#,
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
        "moment.milliseconds * 1000", "SessionOffset(milliseconds: Int64((seconds * 1000).rounded()))",
    ])
    func `arithmetic on raw milliseconds is seen`(line: String) { #expect(Self.isRaw(line)) }

    @Test(arguments: [
        "now + .milliseconds(5)", "offset.milliseconds / 1000", "a.milliseconds.multipliedFullWidth(by: b)",
        "/// offset.milliseconds + 1", "end.subtracting(start).milliseconds",
        "Double(offset.milliseconds) * rate", "Timestamp(milliseconds: Int64(id.time))",
    ])
    func `what can't go wrong is not`(line: String) { #expect(!Self.isRaw(line)) }

    /// What a raw number of milliseconds is called in a source, once it was taken out.
    private static func names(in text: String) -> Set<String> {
        let one = text.matches(
            of:
                #/(?:let|var) (\w+)(?:: Int64)? = [^\n]*\.milliseconds\)?(?: \?\? [-.\w]+)?(?:,| else \{| \{)?\n/#
        )
        let two = text.matches(of: #/(?:let|var) \((\w+), (\w+)\) = [^\n]*\.milliseconds\b(?!\()/#)
        // What has fractions has no end.
        let whole = one.filter { !$0.0.contains("Double(") }
        return Set(whole.map { String($0.1) } + two.flatMap { [String($0.1), String($0.2)] })
    }

    /// Whether a line of source adds, subtracts or multiplies what has one of the names.
    private static func calculates(_ line: some StringProtocol, with names: Set<String>) -> Bool {
        let code = String(line)
        guard !code.drop(while: \.isWhitespace).hasPrefix("//") else { return false }
        let operands =
            code.matches(of: #/(?:^|[^.\w])(\w+)\)? [-+*]=? /#).map { String($0.1) }
            + code.matches(of: #/ [-+*]=? (\w+)\b/#).map { String($0.1) }
        return operands.contains(where: names.contains)
    }

    @Test(arguments: [
        "let end = offset.milliseconds\nlet length = end - start",
        "if let end = offset?.milliseconds,\n    start + end < 5",
        "var second = resolved(offset).milliseconds\nsecond += 1",
        "let (first, last) = (range.lowerBound.milliseconds, range.upperBound.milliseconds)\nUInt64(last - first)",
    ])
    func `arithmetic on milliseconds that have got a name is seen`(text: String) {
        let names = Self.names(in: text)
        #expect(text.split(separator: "\n").contains { Self.calculates($0, with: names) })
    }

    /// Where such a number is small, and why.
    private static let small = [
        // What ``ExchangeTime/seconds(_:)`` reads has twelve digits at most.
        "TraceExchange/FrameRate.swift",
        // Offsets of 32 bits.
        "TraceIndex/Questions/MarkerOffsets.swift",
    ]

    @Test func `no source calculates with raw milliseconds`() {
        for file in SourceFile.all
        where !Self.homes.contains(where: file.name.hasPrefix) && file.text.contains("milliseconds") {
            let names = Self.small.contains(file.name) ? [] : Self.names(in: file.text)
            for (number, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            where Self.isRaw(line) || Self.calculates(line, with: names) {
                Issue.record("Sources/\(file.name):\(number + 1): \(line)")
            }
        }
    }

    @Test func `neither an offset nor a moment has operators but for comparing`() {
        let types = SourceFile.all.filter { file in
            ["SessionOffset.swift", "Timestamp.swift"].contains { file.name == "RecordFormat/Time/\($0)" }
        }
        #expect(types.count == 2)
        let operators = SourceFile.all.flatMap { file in
            file.text.matches(of: #/static func [-+*&]=? ?\([^)]*(?:Timestamp|SessionOffset)\b[^)]*\)/#).map {
                String($0.0)
            }
        }
        #expect(operators == [])
        for file in types { #expect(file.text.contains("public let milliseconds: Int64"), "\(file.name)") }
    }
}
