import Foundation
import TestSupport
import Testing

/// The release stands in one place, and all that shows it has it from there.
struct ReleaseTests {
    private static let place = "Sources/TraceConfiguration/Release.swift"

    /// What is said of the release.
    private func fact(_ name: String) throws -> String {
        let text = try Self.text(of: Self.place)
        let pattern = try Regex("static let \(name) = \"([^\"]+)\"", as: (Substring, Substring).self)
        return String(try #require(text.firstMatch(of: pattern)).output.1)
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
    }

    /// The files below some directories.
    private static func files(below directories: [String]) -> [String] {
        directories.flatMap { directory in
            let root = SourceFile.root.appending(path: directory).path
            let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
            return names.map { "\(directory)/\($0)" }
        }
    }

    @Test func `its number is written nowhere else`() throws {
        let number = try fact("version")
        #expect(number.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
        let pattern = try Regex("(^|[^0-9.])\(number.replacing(".", with: "\\."))([^0-9.]|$)")
        let files = ["Makefile"] + Self.files(below: ["Sources", "docs/man", "packaging", "systemd"])
        let places = files.filter { file in (try? Self.text(of: file))?.contains(pattern) == true }
        #expect(places == [Self.place])
    }

    @Test func `the Makefile finds it`() throws {
        let makefile = try Self.text(of: "Makefile")
        #expect(makefile.contains("static let $(1) = ") && makefile.contains(Self.place))
        for name in ["version", "date"] {
            #expect(makefile.contains("$(call release,\(name))"))
            #expect(try !fact(name).isEmpty)
        }
    }

    @Test(arguments: ["trace-session.5", "traced.8"])
    func `the manual pages that are written by hand bear its date`(page: String) throws {
        let date = try Date(fact("date"), strategy: .iso8601.year().month().day())
        let style = Date.VerbatimFormatStyle(
            format: "\(month: .wide) \(day: .defaultDigits), \(year: .defaultDigits)",
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian))
        #expect(try Self.text(of: "docs/man/\(page)").contains(".Dd \(date.formatted(style))\n"))
    }
}
