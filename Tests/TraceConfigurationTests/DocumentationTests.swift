import Foundation
import SystemPackage
import Testing
import TraceConfiguration

@Suite struct DocumentationTests {
    @Test func `the table in docs/configuration.md is the one that the declarations give`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/configuration.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- keys: configurationReference() -->\n"))
        let end = try #require(text.range(of: "<!-- keys: end -->"))
        let table = String(text[start.upperBound..<end.lowerBound])
        #expect(table == configurationReference(), "replace the table by:\n\(configurationReference())")
    }

    @Test func `every key has a value in the settings, and every value a key`() throws {
        let settings = try TraceSettings.load(
            in: SettingsContext(
                environment: [:], workingDirectory: nil, systemFile: "/nonexistent/config.yaml"))
        #expect(settings.origins.map(\.key) == TraceKeys.all.map(\.name))
    }

    @Test func `no two keys share a name, and all are in snake case`() {
        let names = TraceKeys.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil })
    }
}
