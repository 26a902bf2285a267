import Testing
import TraceText

struct ErrorReportTests {
    private struct Broken: StructuredError {
        var report: ErrorReport
        var meaning: ErrorMeaning { .failure }
    }

    private static let whole = ErrorReport(
        code: "disk-full", place: "a/b:3", message: "no room", cure: "free some")

    @Test func `a terminal shows the hint on a line of its own, and a log on the same`() {
        #expect(Broken(report: Self.whole).description == "a/b:3: no room [disk-full]\n  hint: free some")
        #expect(Self.whole.logText == "a/b:3: no room [disk-full]; hint: free some")
    }

    @Test func `the code is at the end of the first line, not of a list below it`() {
        let list = ErrorReport(
            code: "ambiguous-session", message: "2 are meant:\n  a  Night\n  b  Day", cure: "choose")
        #expect(list.text == "2 are meant [ambiguous-session]:\n  a  Night\n  b  Day\n  hint: choose")
        #expect(ErrorReport(code: "x", message: ":\n").headline == " [x]:\n")
        #expect(ErrorReport(code: "x", message: "\na").headline == " [x]\na")
    }

    @Test func `what is not known is left out`() {
        let report = ErrorReport(message: "no room")
        #expect(report.text == "no room")
        #expect(report.logText == "no room")
    }

    @Test func `a code may be for programs alone`() {
        var report = Self.whole
        report.isCodeShown = false
        #expect(report.headline == "a/b:3: no room")
        #expect(report.code == "disk-full")
    }

    @Test func `an error without parts tells its description`() {
        struct Other: Error, CustomStringConvertible { let description = "it broke" }
        #expect(Other().anyReport == ErrorReport(message: "it broke"))
        #expect(Broken(report: Self.whole).anyReport == Self.whole)
    }
}
