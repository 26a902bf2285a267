import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The examples of `--help`: each does what it says on a machine that has what they name.
struct HelpExampleTests {
    /// What can't be done there and then, and why.
    private static let notRun = [
        "watch": "waits for others", "watch last --json --count 10": "waits for others",
        "digest edit last": "opens an editor on a terminal",
        "transcribe last": "needs a speech-to-text program",
        "transcribe --voice-notes last": "needs a speech-to-text program",
        "practice library fetch https://example.org/pinball/": "needs a server",
        "practice library fetch --from copy": "needs a library",
    ]

    @Test func `every command has examples, and each works`() throws {
        let examples = try Self.examples()
        #expect(Self.notRun.keys.allSatisfy { examples.contains($0) }, "each exception is an example")
        // A write that is queued has the arguments of the write.
        try run(
            examples.filter { Self.notRun[$0] == nil && !$0.hasPrefix("queue add practice ") })
    }

    private func run(_ examples: [String]) throws {
        let shell = try DocumentShell()
        // Each begins with the same files.
        let typed = examples.map { example in
            """
            example \(Self.quoted(example))
            trace \(example)
            """
        }
        let preparation = "sample; examples"
        let steps =
            [(CommandPage.Step.Kind.preparation, preparation)]
            + typed.map { (CommandPage.Step.Kind.script(at: 0), $0) }
        let outcomes = try shell.run(steps)
        #expect(outcomes.count == steps.count, "\(outcomes.last?.output ?? "")")
        for (example, outcome) in zip(examples, outcomes.dropFirst()) {
            // Nothing may be found, but nothing may fail.
            let isFine = outcome.status == 0 || outcome.status == 1 && !outcome.output.contains("error:")
            if isFine { continue }
            Issue.record("trace \(example)\nended with status \(outcome.status)\n\(outcome.output)")
        }
    }

    /// What follows `trace` in the examples of every command.
    private static func examples() throws -> [String] {
        let scratch = try Scratch()
        let commands = try ParsingTests.commands(in: scratch)
        #expect(commands.count > 40 && commands.contains(["queue", "add", "marker"]))
        return try commands.flatMap { command in
            let help = try scratch.trace(command + ["--help"]).output
            let examples = help.components(separatedBy: "\nEXAMPLES:\n").dropFirst().joined()
                .split(separator: "\n").map { String($0.trimmingPrefix("  trace ")) }
            #expect(!examples.isEmpty, "\(command) has no example")
            #expect(examples.allSatisfy { $0.hasPrefix(command.joined(separator: " ")) }, "\(examples)")
            return examples
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
