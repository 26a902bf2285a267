import Testing

/// Sessions that nobody closed, and how they are shown and ended.
struct ForgottenSessionTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        // Active since February, with a marker at one minute.
        try scratch.session("monday", title: "Monday", markers: marker(10, at: 60_000))
    }

    private let closing = "trace session close <scratch>/sessions/monday --at last"

    @Test func `elsewhere than on a terminal the mark is written where the session is named, and told`()
        throws
    {
        let outcome = try scratch.trace("mark", "-s", "monday")
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.contains(
                #/warning: nothing has happened in session 'Monday' for \d+ days, and it was never closed; the mark is at \d+:\d\d:\d\d\.\d{3} there/#
            ), "\(outcome)")
        #expect(outcome.errors.contains("'\(closing)' ends it at its last record"))
        #expect(try scratch.text("sessions/monday/markers.jsonl").split(separator: "\n").count == 2)
    }

    @Test func `an offset from the start is meant`() throws {
        #expect(try !scratch.trace("mark", "--offset", "2:00").errors.contains("never closed"))
    }

    @Test(arguments: [("n", 1), ("y", 0)]) func `on a terminal it is asked`(answer: String, status: Int32)
        throws
    {
        let outcome = try scratch.shell(
            #"printf '\#(answer)\n' | script -qec '"$TRACE" mark' /dev/null; wc -l < sessions/monday/markers.jsonl"#
        )
        #expect(outcome.output.contains("never closed"), "\(outcome)")
        #expect(outcome.output.hasSuffix(status == 0 ? "2\n" : "1\n"), "\(outcome)")
    }

    @Test func `after as long as the settings say, and not before`() throws {
        for (limit, isTold) in [("60s", true), ("3650d", false)] {
            let outcome = try scratch.trace("mark", environment: ["TRACE_STALE_AFTER": limit])
            // The first mark is a record of now.
            #expect(outcome.errors.contains("never closed") == isTold, "\(outcome)")
            try scratch.write(marker(10, at: 60_000), to: "sessions/monday/markers.jsonl")
        }
    }

    @Test func `status, doctor, sessions and the digest show it with its cure`() throws {
        let listed = try scratch.trace("sessions", "--json").output
        #expect(listed.contains(#""forgotten_since":"2026-02-04T20:01:00.000Z""#), "\(listed)")
        let status = try scratch.trace("status").output
        #expect(
            status.contains(
                #/\nforgotten: Monday \(<scratch>\/sessions\/monday\): nothing for \d+ days, and never closed \('trace session close/#
            ),
            "\(status)")
        let doctor = try scratch.trace("doctor").output
        #expect(
            doctor.contains(
                "warning session       nothing has happened in Monday (<scratch>/sessions/monday) for"),
            "\(doctor)")
        #expect(doctor.contains("cure: '\(closing)' ends it at its last record"))
        #expect(
            try scratch.trace("digest", "show", "monday").output.contains(
                #/never closed, nothing for \d+ days/#))
        #expect(try scratch.trace("digest", "show", "--since", "2026-02-01").output.contains("never closed"))
        // What is written into a file does not depend on the day.
        _ = try scratch.trace("digest", "generate", "monday")
        #expect(try !scratch.text("sessions/monday/digest.md").contains("never closed"))
    }

    @Test func `it ends at its last record`() throws {
        #expect(
            try scratch.trace("session", "close", "sessions/monday", "--at", "last")
                == Outcome("closed: sessions/monday (duration 60000ms)\n"))
        #expect(try scratch.trace("validate", "sessions/monday") == Outcome("ok: sessions/monday\n"))
    }

    @Test func `what lasts longer than its beginning, and what lies in the future, is noticed`() throws {
        let far = 400 * 365 * 86_400_000
        try scratch.write(
            marker(10, at: 60_000, "\"duration_ms\":5000,") + marker(11, at: far),
            to: "sessions/monday/markers.jsonl")
        let outcome = try scratch.trace("session", "close", "sessions/monday", "--at", "last", "--json")
        #expect(
            outcome.output.hasSuffix(#""duration_ms":65000,"markers_behind_end":1}"# + "\n"), "\(outcome)")
        #expect(
            outcome.errors.hasPrefix(
                "warning: a marker is after the end at 1:05\n  hint: 'trace markers list "))
        #expect(
            try scratch.trace("markers", "list", "sessions/monday", "--offset-min", "65001").output
                == "\(number(11))\t\(far)\n")
    }

    @Test
    func `a session whose timeline reaches as far as can be said is closed, with the marker at its end`()
        throws
    {
        let last = Int64.max
        try scratch.write(marker(10, at: Int(last)), to: "sessions/monday/markers.jsonl")
        let timeline = try scratch.text("sessions/monday/timeline.jsonl")
        try scratch.write(
            timeline + """
                {"id":"\(number(12))","kind":"media_start","offset_ms":\(last),"wall_time":"2026-02-04T21:00:00.000Z",\
                "created_at":"2026-02-05T21:00:00.000Z","source":"system"}

                """, to: "sessions/monday/timeline.jsonl")
        #expect(
            try scratch.trace("session", "close", "sessions/monday")
                == Outcome("closed: sessions/monday (duration \(last)ms)\n"))
    }

    @Test func `a marker in the future makes no week longer`() throws {
        try scratch.write(
            marker(10, at: 60_000) + marker(11, at: 90_000_000), to: "sessions/monday/markers.jsonl")
        let week = try scratch.trace("digest", "show", "--since", "2026-02-01", "--json").output
        #expect(
            week.contains(#""duration_ms":60000"#) && !week.contains(#""duration_ms":90000000"#), "\(week)")
    }

    @Test func `a session without a start has no last moment`() throws {
        let header = try scratch.text("sessions/monday/session.json")
        try scratch.write(
            header.replacing(#/  "start_time": "[^"]+",\n/#, with: ""), to: "sessions/monday/session.json")
        let outcome = try scratch.trace("session", "close", "sessions/monday", "--at", "last")
        #expect(outcome.status == 65 && outcome.errors.contains("--at last needs a record"), "\(outcome)")
    }
}
