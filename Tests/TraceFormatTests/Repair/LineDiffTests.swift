import FormatHarness
import TestSupport
import Testing
import TraceFormat

/// Unified diffs of lines.
struct LineDiffTests {
    func diff(_ old: String, _ new: String, context: Int = 2, limit: Int = .max) -> [String] {
        LineDiff(from: Array(old.utf8), to: Array(new.utf8)).unified(context: context, limit: limit).map(
            \.text)
    }

    @Test func `what is the same has no diff`() {
        #expect(diff("", "") == [])
        #expect(diff("a\nb\n", "a\nb\n") == [])
    }

    @Test func `changes stand in hunks with two lines around them`() {
        let old = (1...20).map { "\($0)\n" }.joined()
        let new = (1...20).map { $0 == 5 ? "five\n" : $0 == 15 ? "" : "\($0)\n" }.joined()
        #expect(
            diff(old, new) == [
                "@@ -3,5 +3,5 @@", " 3", " 4", "-5", "+five", " 6", " 7",
                "@@ -13,5 +13,4 @@", " 13", " 14", "-15", " 16", " 17",
            ])
    }

    @Test func `changes whose surroundings touch stand in one hunk`() {
        #expect(
            diff("1\n2\n3\n4\n5\n6\n", "1\nx\n3\n4\n5\ny\n") == [
                "@@ -1,6 +1,6 @@", " 1", "-2", "+x", " 3", " 4", " 5", "-6", "+y",
            ])
    }

    @Test func `a file that is new, and one that becomes empty`() {
        #expect(diff("", "a\n") == ["@@ -0,0 +1,1 @@", "+a"])
        #expect(diff("a\n", "") == ["@@ -1,1 +0,0 @@", "-a"])
    }

    @Test func `a newline at the end is a difference`() {
        #expect(
            diff("a\nb", "a\nb\n") == [
                "@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+b",
            ])
    }

    @Test func `a line that moved is taken out and put in`() {
        #expect(diff("a\nb\nc\n", "b\nc\na\n") == ["@@ -1,3 +1,3 @@", "-a", " b", " c", "+a"])
    }

    @Test func `equal lines are told apart by their place`() {
        #expect(diff("x\nx\nx\n", "x\nx\n") == ["@@ -1,3 +1,2 @@", " x", " x", "-x"])
    }

    @Test func `a limit says how much it hides`() {
        #expect(diff("", "a\nb\nc\n", limit: 2) == ["@@ -0,0 +1,3 @@", "+a", "… 2 more lines of the diff"])
    }

    /// A diff means what it says: applied to the old text it gives the new one.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `applied to the old text, a diff gives the new one`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let words = (0..<Int.random(in: 1...12, using: &random)).map { "\($0)" }
        func text() -> [String] {
            (0..<Int.random(in: 0...15, using: &random)).map { _ in random.element(of: words) }
        }
        let old = text()
        let new = text()
        let lines = diff(old.map { $0 + "\n" }.joined(), new.map { $0 + "\n" }.joined())
        #expect(try apply(lines, to: old) == new)
    }

    private func apply(_ diff: [String], to old: [String]) throws -> [String] {
        var result: [String] = []
        var position = 0
        for line in diff {
            let text = String(line.dropFirst())
            switch line.first {
            case "@":
                let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
                let start = numbers[1] == 0 ? numbers[0] : numbers[0] - 1
                result += old[position..<start]
                position = start
            case " ":
                #expect(old[position] == text)
                result.append(text)
                position += 1
            case "-":
                #expect(old[position] == text)
                position += 1
            default: result.append(text)
            }
        }
        return result + old[position...]
    }

    @Test func `a large text with a change is quickly compared`() {
        let old = (0..<50_000).map { "line \($0)\n" }.joined()
        let new = (0..<50_000).map { $0 == 25_000 ? "" : "line \($0)\n" }.reversed().joined()
        let work = CountedWork.processorTime {
            _ = diff(old, old.replacing("line 777\n", with: ""))
            #expect(diff(old, new, limit: 5).count == 6)
        }
        #expect(work < .seconds(30))
    }
}
