import Configuration
import Testing
import TraceText

@testable import TraceConfiguration

@Suite struct SnapshotTests {
    @Test func `a provider of swift-configuration can make the snapshot from bytes`() throws {
        let bytes = Array("log_level: debug\nroots: [/a, b]\n".utf8)
        let file = try SettingsFile(data: bytes.span.bytes, providerName: "any", parsingOptions: .default)
        #expect(file.providerName == "config.yaml")
        #expect(file.description == "config.yaml (2 keys)")
        #expect(file.debugDescription == "config.yaml (log_level, roots)")
        #expect(
            try file.value(forKey: ["roots"], type: .stringArray).value?.content == .stringArray(["/a", "b"]))
        #expect(try file.value(forKey: ["log_level"], type: .string).value?.content == .string("debug"))
        #expect(
            try file.value(forKey: ["log_level"], type: .stringArray).value?.content
                == .stringArray(["debug"]))
        #expect(try file.value(forKey: ["spools"], type: .stringArray).value == nil)
        let error = #expect(throws: ConfigurationError.self) {
            try file.value(forKey: ["roots"], type: .string)
        }
        #expect(error?.code == .wrongType)
    }

    @Test(arguments: [
        ("roots", "roots", 0), ("root", "roots", 1), ("rotos", "roots", 1), ("", "abc", 3), ("abc", "", 3),
        ("kitten", "sitting", 3),
    ])
    func `edits are counted`(source: String, target: String, edits: Int) {
        #expect(editDistance(Array(source), Array(target)) == edits)
    }

    @Test(
        arguments: [
            (.zero, "0s"), (.milliseconds(100), "100ms"), (.seconds(300), "5m"),
            (.seconds(90_061), "1d1h1m1s"),
            (.milliseconds(1500), "1s500ms"),
        ] as [(Duration, String)])
    func `a duration is written as it can be read`(duration: Duration, text: String) {
        #expect(written(duration) == text)
        #expect(readDuration(Array(text.utf8)) == duration)
    }
}
