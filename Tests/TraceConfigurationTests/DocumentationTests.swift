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
        if ProcessInfo.processInfo.environment["TRACE_WRITE_DOCS"] != nil {
            let new = text[..<start.upperBound] + configurationReference() + text[end.lowerBound...]
            try Data(new.utf8).write(to: path)
        }
        #expect(table == configurationReference(), "TRACE_WRITE_DOCS=1 and this test rewrite it")
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

/// The file that packages install as `/etc/trace/config.yaml`.
@Suite(.machine) struct ExampleTests {
    static let active: Set = ["roots", "state_directory", "runtime_directory"]

    @Test func `systemd/config.yaml is the one that the declarations give`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../systemd/config.yaml")
        let example = configurationExample(active: Self.active)
        if ProcessInfo.processInfo.environment["TRACE_WRITE_DOCS"] != nil {
            try Data(example.utf8).write(to: path)
        }
        #expect(
            try String(contentsOf: path, encoding: .utf8) == example,
            "TRACE_WRITE_DOCS=1 and this test rewrite it")
    }

    @Test func `it is read without a complaint, with every key taken out of its comment too`() throws {
        let machine = Machine.current
        let all = Set(TraceKeys.all.map(\.name))
        for active in [Self.active, all, []] {
            try machine.write(configurationExample(active: active), to: machine.systemFile)
            let settings = try machine.load()
            let fromFile = settings.origins.filter {
                if case .file = $0.origin { true } else { false }
            }
            #expect(Set(fromFile.map(\.key)) == active)
        }
        try machine.write(configurationExample(active: all), to: machine.systemFile)
        #expect(try machine.load().metricsFile == "/run/trace/traced.prom")
        #expect(try machine.load().speechCommand.count == 11)
    }
}
