import Foundation
import Testing

/// What the folders of the commands may know of each other.
struct FolderTests {
    private static let commands = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/TraceCommands")

    /// The code of each file, without comments, by its path below `Sources/TraceCommands`.
    private static let sources: [String: String] = {
        var sources: [String: String] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: commands.path) ?? .init()
        where name.hasSuffix(".swift") {
            let text = (try? String(contentsOf: commands.appending(path: name), encoding: .utf8)) ?? ""
            sources[name] = text.split(separator: "\n").filter { !$0.contains(#/^ *///#) }.joined(
                separator: "\n")
        }
        return sources
    }()

    @Test func `what all commands share names no verb`() {
        var verbs: [Substring: String] = [:]
        for (file, code) in Self.sources where file.contains("/") && !file.hasPrefix("Support/") {
            for type in code.matches(
                of: #/(?m)^(?:final |indirect )*(?:struct|class|enum|actor|protocol) (\w+)/#)
            {
                verbs[type.output.1] = file
            }
        }
        #expect(verbs["MarkCommand"] == "Markers/MarkCommand.swift")
        for (file, code) in Self.sources where file.hasPrefix("Support/") {
            for name in Set(code.matches(of: #/\b[A-Z]\w+/#).map(\.output)) {
                #expect(verbs[name] == nil, "\(file) names \(name) of \(verbs[name] ?? "")")
            }
        }
    }
}
