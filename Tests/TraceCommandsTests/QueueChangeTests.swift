import Foundation
import Testing

/// `trace queue add` of changes: written by a drain, and taken back.
struct QueueChangeTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func markers() throws -> String { try scratch.text("sessions/a/markers.jsonl") }

    @Test func `a change of a marker waits, is written, and is undone`() throws {
        try scratch.session("a", markers: marker(10, at: 5000))
        let before = try markers()
        let add = ["queue", "add", "marker-edit", "@0:05", "--label", "Drop", "--tag", "x", "--session", "a"]
        #expect(try scratch.trace(add, in: "sessions") == Outcome("queued: <ulid>\n"))
        #expect(try scratch.trace("queue", "flush").output.hasSuffix("flushed: 1 applied\n"))
        #expect(try markers().contains(#""label":"Drop""#))
        let undone = try scratch.trace("undo")
        #expect(
            undone.output.contains("removed 1 line (marker \(number(10))) from markers.jsonl"), "\(undone)")
        #expect(try markers() == before)
        #expect(try scratch.trace("redo").status == 0)
        #expect(try markers().contains(#""label":"Drop""#))
    }

    @Test func `what was changed meanwhile is refused, and both values are shown`() throws {
        try scratch.session("a", markers: marker(10, at: 5000))
        let queued = try scratch.trace(
            "queue", "add", "marker-edit", "--session", "sessions/a", number(10), "--label", "mine")
        #expect(queued.status == 0, "\(queued)")
        #expect(
            try scratch.trace("marker", "edit", "sessions/a", number(10), "--label", "theirs").status == 0)
        let flushed = try scratch.trace("queue", "flush")
        #expect(flushed.status == 1 && flushed.output.contains("changed meanwhile: label"), "\(flushed)")
        let listed = try scratch.trace("queue", "list", "--all", "--json").output
        #expect(
            listed.contains(#""conflicts":[{"member":"label","was":null,"now":"theirs","set":"mine"}]"#),
            "\(listed)")
        let file = try #require(try scratch.names(in: "state/failed").first { $0.hasSuffix(".json") })
        let shown = try scratch.trace("queue", "show", String(file.dropLast(5))).output
        #expect(shown.contains(#"conflict: {"member":"label""#), "\(shown)")
        #expect(try markers().contains("theirs"))
    }

    @Test func `a session that is not here needs to be said what was there`() throws {
        let session = ["--session", number(1)]
        let refused = try scratch.trace(
            ["queue", "add", "marker-edit", number(10), "--label", "x"] + session)
        #expect(refused.status == 66 && refused.errors.contains("--was"), "\(refused)")
        let part = try scratch.trace(["queue", "add", "marker-remove", "last", "--was", "{}"] + session)
        #expect(part.errors.contains("write the 26 characters of the id"), "\(part)")
        let added = try scratch.trace(
            ["queue", "add", "marker-edit", number(10), "--label", "x", "--was", #"{"label":null}"#] + session
        )
        #expect(added == Outcome("queued: <ulid>\n"))
        let wrong = try scratch.trace(
            ["queue", "add", "marker-edit", number(10), "--label", "x", "--was", "label"] + session)
        #expect(wrong.status == 65 && wrong.errors.contains("is not an object"), "\(wrong)")
        #expect(try scratch.trace("queue", "list").output.contains("\tmarker.edit\t"))
    }

    @Test func `a session is begun, paused, renamed and ended by what was queued, and the start is undone`()
        throws
    {
        let session = ["--session", number(7)]
        for words in [
            ["start", "--title", "Monday", "--at", "2026-02-04T20:00:00Z"],
            ["pause", "--at", "2026-02-04T20:10:00Z"], ["resume", "--at", "2026-02-04T20:20:00Z"],
            ["edit", "--title", "Tuesday", "--was", #"{"title":"Monday"}"#],
            ["close", "--at", "2026-02-04T20:30:00Z"],
        ] {
            let outcome = try scratch.trace(["queue", "add", "session"] + words + session)
            #expect(outcome == Outcome("queued: <ulid>\n"), "\(outcome)")
        }
        let flushed = try scratch.trace("queue", "flush")
        #expect(flushed.output.hasSuffix("flushed: 5 applied\n"), "\(flushed)")
        let directory = try #require(try scratch.names(in: "sessions").first { $0.contains("monday") })
        let header = try scratch.text("sessions/\(directory)/session.json")
        #expect(
            header.contains(#""title": "Tuesday""#) && header.contains(#""duration_ms": 1200000"#),
            "\(header)")
        for _ in 0..<5 {
            let undone = try scratch.trace("undo", "--session", number(7))
            #expect(undone.status == 0, "\(undone)")
        }
        #expect(try !scratch.names(in: "sessions").contains(directory))
        let redone = try scratch.trace("redo")
        #expect(redone.status == 0, "\(redone)")
        #expect(try scratch.names(in: "sessions").contains(directory))
    }
}
