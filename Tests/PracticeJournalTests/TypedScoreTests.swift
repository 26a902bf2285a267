import Foundation
import RecordFormat
import Testing

@testable import PracticeJournal

/// What is a score to the command line is one to the page, and the same.
struct TypedScoreTests {
    /// A text that was typed, and the score that it is; nil for none.
    struct Typed: Sendable, CustomTestStringConvertible {
        let text: String
        let score: Double?
        var testDescription: String { "'\(text)'" }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized

    static let all: [Typed] = {
        let file = try? Data(contentsOf: root.appending(path: "Tests/Fixtures/typed-scores.json"))
        return GoldenValue(file ?? Data()).elements.map {
            Typed(text: $0.elements[0].string ?? "", score: $0.elements[1].number)
        }
    }()

    @Test func `there is something to type`() { #expect(Self.all.count > 40) }

    @Test(arguments: all)
    func `the command line takes a score or refuses it`(typed: Typed) {
        #expect(ScoreText.typed(typed.text) == typed.score)
        #expect((try? TypedNumber.score(typed.text))?.double == typed.score)
        #expect((try? RowPatch.reading("score", typed.text))?.double == typed.score)
    }

    @Test(arguments: all)
    func `the page takes the same scores`(typed: Typed) throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "page/practice/score.js"), encoding: .utf8)
        let written = try #require(page.firstMatch(of: /export const SCORE = (".*");/)?.1)
        // A text of JavaScript like this one is a text of JSON, too.
        let pattern = try #require(GoldenValue(written.utf8).string)
        let score = try Regex(pattern).asciiOnlyDigits().matchingSemantics(.unicodeScalar)
        #expect(page.contains(#"export const number = (typed) => Number(typed.replace(/[^\d]/g, ""));"#))
        let isTaken = try score.wholeMatch(in: typed.text) != nil
        #expect(isTaken == (typed.score.map { $0 > 0 } ?? false), "\(typed.text)")
        if isTaken { #expect(Double(typed.text.filter { $0.isASCII && $0.isNumber }) == typed.score) }
    }

    @Test(
        arguments: [
            ("15,000,000", 15_000_000), ("45.5", 45.5), ("1e3", 1000), ("1.5E+08", 150_000_000), ("-3", -3),
            ("+4", 4), ("1,234.5", 1234.5), ("007", 7), (".5", 0.5), ("1,234e2", 123_400),
            ("45,5", nil), ("1,5", nil), ("1,23", nil), ("1234,567", nil), ("1,2345", nil), (",123", nil),
            ("1.234,5", nil), ("1.2.3", nil), ("1e2,345", nil), ("1.123,456", nil), ("1 234", nil),
            ("1'234", nil),
            ("1_234", nil), ("inf", nil), ("nan", nil), ("0x1F", nil), ("e", nil), ("1e400", nil), ("—", nil),
            ("fifteen", nil), ("", nil), ("-", nil), ("1,,234", nil), ("1,234,", nil),
        ] as [(String, Double?)])
    func `a table has points as decimal signs and commas between groups`(text: String, number: Double?) {
        #expect(ScoreText.inTable(text) == number)
    }
}
