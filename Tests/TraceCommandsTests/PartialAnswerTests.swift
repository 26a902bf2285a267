import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Questions about all sessions, of which one can't be read.
struct PartialAnswerTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.closedSession("a", markers: marker(10, at: 5, "\"label\":\"Drop\",", tags: ["drop"]))
        try scratch.closedSession("b", id: 2, markers: marker(20, at: 5, tags: ["drop"]))
    }

    private static let cause = """
        error: <scratch>/sessions/b/markers.jsonl: is a directory, not a regular file [file-unreadable]
          hint: fix the file's type or permissions

        """

    /// The index may know what stood in the file before, or know nothing yet.
    private func hideMarkers(isIndexed: Bool) throws {
        if isIndexed { #expect(try scratch.trace("sessions").status == 0) }
        #expect(
            try scratch.shell("rm sessions/b/markers.jsonl && mkdir sessions/b/markers.jsonl") == Outcome())
    }

    @Test(
        arguments: [
            ["markers", "list", "--all"], ["markers", "list", "--all", "--json"],
            ["markers", "list", "--all", "--format", "csv"], ["search", "Drop"],
            ["at", "2026-02-04T20:00:00Z", "-q"],
            ["sessions"], ["markers", "list", "--all", "--session", "b"],
        ], [false, true])
    func `what can't be read is told, and the answer is not called whole`(
        _ question: [String], _ isIndexed: Bool
    ) throws {
        try hideMarkers(isIndexed: isIndexed)
        let outcome = try scratch.trace(question)
        #expect(outcome.errors == Self.cause, "\(outcome)")
        #expect(outcome.status == 74)
        #expect(outcome.output.isEmpty == question.contains("b"), "\(outcome)")
    }

    @Test(arguments: [["markers", "list", "--all", "--tag", "x"], ["search", "Nothing"]])
    func `it is not said that there is nothing`(_ question: [String]) throws {
        try hideMarkers(isIndexed: false)
        #expect(try scratch.trace(question) == Outcome(errors: Self.cause, status: 74))
    }

    @Test(arguments: [["markers", "list", "--all"], ["search", "--kind", "marker", "Drop"]])
    func `a file that the question is not about does not matter`(_ question: [String]) throws {
        #expect(try scratch.shell("mkdir sessions/b/transcript.jsonl") == Outcome())
        let outcome = try scratch.trace(question)
        #expect(outcome.status == 0 && outcome.errors == "" && outcome.output.contains("Drop"), "\(outcome)")
    }

    @Test(arguments: [
        ["search", "Drop"], ["timeline", "--day", "2026-02-04"],
        ["at", "2026-02-04T20:00:05Z"],
    ])
    func `a session that keeps changing is named beside the answers of all others`(_ question: [String])
        throws
    {
        let file = URL(filePath: scratch.path).appending(path: "sessions/b/markers.jsonl")
        let changing = try ChangingFile(file) { number in
            marker(20, at: 5000 + number % 100, "\"label\":\"Drop \(number)\",")
        }
        defer { changing.stop() }
        var outcome = Outcome()
        try soon("one session is named: \(outcome)") {
            outcome = try scratch.trace(question)
            #expect(outcome.output.contains("Drop"), "\(outcome)")
            return outcome.errors.contains("<scratch>/sessions/b/markers.jsonl")
        }
        #expect(outcome.errors.contains("[index-stale]") && outcome.status == 75, "\(outcome)")
        changing.stop()
        #expect(try scratch.trace(question).status == 0)
    }

    @Test(arguments: [
        ["markers", "list", "--all"], ["search", "Drop"], ["sessions"],
        ["digest", "show", "--since", "2026-01-01"],
    ])
    func `a directory that can't be searched is told as well`(_ question: [String]) throws {
        let outcome = try scratch.outcomeWithout(searching: "sessions/c", question)
        #expect(outcome.output != "", "\(outcome)")
        #expect(outcome.errors.hasPrefix("error: <scratch>/sessions/c: "), "\(outcome)")
        #expect(outcome.status == 77)
    }
}

extension Scratch {
    /// Runs `trace` where a directory can't be searched: as another user where root runs the tests, who may search all.
    func outcomeWithout(searching directory: String, _ arguments: [String]) throws -> Outcome {
        try makeDirectory(directory)
        try makeDirectory("state")
        let user = "setpriv --reuid=65534 --clear-groups --inh-caps=-all --"
        return try shell(
            """
            chmod 0 '\(directory)'
            test "$(id -u)" = 0 && { chown -R 65534 state; set -- \(user); }
            "$@" "$TRACE" \(arguments.map { "'\($0)'" }.joined(separator: " "))
            status=$?
            chmod 755 '\(directory)'
            exit $status
            """)
    }
}
