import Foundation
import ProgramHarness
import Testing

/// docs/http.md against a daemon: what it shows is what happens.
struct HTTPExamplesTests {
    @Test func `the examples of docs/http.md get the statuses and the answers that it shows`() throws {
        let served = try ServedSample(["TRACE_SETTLE_TIME": "0s"])
        let scratch = try Scratch()
        let variables = [
            "TRACE": "http://127.0.0.1:\(served.port)",
            "TOKEN": try served.newToken("--name", "laptop", "--scope", "mark"),
        ]
        for example in HTTPExample.all {
            // The status of each answer goes to a file, so that the output is what a reader sees.
            let script = """
                curl() { command curl --max-time 60 --show-error --write-out '%{stderr}%{http_code}\\n' "$@" 2>> statuses; }
                \(example.script)
                """
            let outcome = try scratch.run("/bin/bash", ["-c", script], variables)
            #expect(outcome.errors == "", "\(example)")
            let statuses = try scratch.text("statuses", filled: false).split(separator: "\n").map(String.init)
            try scratch.remove("statuses")
            #expect(statuses == example.statuses, "\(example): \(outcome)")
            #expect(example.isAnswered(by: outcome.output), "\(example): \(outcome)")
        }
    }

    @Test func `every example has a script that calls curl, a status for each call, and an answer`() {
        #expect(HTTPExample.all.count == 10)
        for example in HTTPExample.all {
            let calls = example.script.matches(of: /\bcurl\b/).count
            #expect(calls > 0, "\(example)")
            #expect(example.statuses.count >= calls, "\(example)")
            #expect(!example.answer.isEmpty, "\(example)")
        }
    }

    @Test(arguments: [
        ("[1,2]", "[1, 2]\n", true), ("[1,…]", "[1,2]", true), ("[1,…]", "[2,1]", false),
        ("[1]", "[1,2]", false), ("{\"a\":…,\"b\":2}", "{\"b\":2,\"a\":1}", false),
        ("{…\"b\":2…}", "{\"a\":1,\"b\":2}", true), ("a…a", "a", false),
    ])
    func `an abridged answer stands for the outputs that have its parts in their order`(
        answer: String, output: String, isAnswered: Bool
    ) {
        let example = HTTPExample(name: "", script: "", statuses: [], answer: answer)
        #expect(example.isAnswered(by: output) == isAnswered)
    }
}
