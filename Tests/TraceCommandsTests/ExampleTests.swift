import Foundation
import ProgramHarness
import Testing

/// The examples of the documentation can be typed where the sample is.
struct ExampleTests {
    @Test(arguments: ["exchange.md", "practice.md"])
    func `each command prints the lines that the page shows`(_ page: String) throws {
        let scratch = try Scratch()
        try scratch.copySample()
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/\(page)")
        let text = try String(contentsOf: file.standardized, encoding: .utf8)
        var commands = 0
        for block in text.matches(of: #/(?ms)^```console\n(.*?)^```$/#) {
            for example in block.output.1.split(separator: #/(?m)^\$ /#) {
                let lines = example.split(separator: "\n")
                let outcome = try scratch.shell("trace() { \"$TRACE\" \"$@\"; }\n\(lines[0])")
                #expect(outcome.status == 0, "\(lines[0])\n\(outcome)")
                let said = outcome.output.replacing("<scratch>", with: "/home/ann").split(separator: "\n")
                for line in lines.dropFirst() where line != "…" {
                    #expect(said.contains(line), "\(lines[0])\n\(outcome)")
                }
                commands += 1
            }
        }
        #expect(commands > 0)
    }

    @Test func `sessions that the pages name are those of the sample`() throws {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
            .standardized
        let sample = try FileManager.default.contentsOfDirectory(
            atPath: docs.appending(path: "../sessions-sample/sessions").standardized.path)
        for page in try FileManager.default.contentsOfDirectory(atPath: docs.path) where page.hasSuffix(".md")
        {
            let text = try String(contentsOf: docs.appending(path: page), encoding: .utf8)
            for line in text.split(separator: "\n") where line.hasPrefix("$ trace ") {
                for name in line.matches(of: #/[\w-]*(late-set|loop-practice|rehearsal)[\w-]*(?!\S*\.)/#) {
                    #expect(sample.contains(String(name.output.0)), "\(page): \(line)")
                }
            }
        }
    }
}
