import Foundation
import Testing
import TraceFiles

/// `trace export`
struct ExportTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Texts that break whatever can be broken; JSON strings.
    static let labels = [
        "Warm-up", "tab\\there", "say \\\"no\\\"", "line\\nbreak", "a --> b & <c>", "bar | pipe",
        "k=v; # hash \\\\ back",
        "👩‍👩‍👧‍👦 🎸", "שלום עולם", "=1+1", String(repeating: "long", count: 2500),
    ]

    /// The same as a format of one line has them.
    static let lines = labels.map {
        $0.replacing("\\t", with: " ").replacing("\\n", with: " ").replacing("\\\"", with: "\"").replacing(
            "\\\\", with: "\\")
    }

    /// The same as chapters of a media file have them.
    static let titles = lines.map { $0.utf8.count > 255 ? $0.prefix(252) + "…" : $0 }

    private func hostile() throws {
        try scratch.closedSession(
            "set",
            markers: Self.labels.enumerated().map { number, label in
                marker(20 + number, at: 10_040 + number * 10_000, "\"label\":\"\(label)\",")
            }.reversed().joined())
    }

    private var offsets: [Int] { Self.labels.indices.map { 10_040 + $0 * 10_000 } }

    private func withRecording(_ start: Int, _ length: Int, _ name: String = "take.m4a") throws {
        let make = try scratch.shell(
            "ffmpeg -nostdin -v error -f lavfi -i sine=duration=\(length / 1000) -c:a aac take.m4a")
        try #require(make.status == 0, "\(make)")
        let add = try scratch.trace(
            "media", "add", "set", "--file", name, "--offset", "\(start)", "--duration", "\(length)")
        try #require(add.status == 0, "\(add)")
    }

    // MARK: - Read by others

    @Test(arguments: ["csv", "tsv", "reaper", "podcast", "webvtt", "otio", "edl"])
    func `what is exported is what others read`(format: String) throws {
        try hostile()
        let file = "set.\(format)"
        let outcome = try scratch.trace(
            ["export", "set", "--format", format, "-o", file] + (format == "edl" ? ["--fps", "25"] : []))
        #expect(outcome == Outcome("exported: 11 markers to <scratch>/\(file)\n"))
        let seen = try ReadBack.entries(format, file, in: scratch)
        #expect(seen.map(\.offset) == offsets)
        let whole = Self.labels.map { $0.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\") }
        switch format {
        case "csv":
            #expect(
                seen.map(\.text) == whole.map { $0.replacing("\\t", with: "\t").replacing("\\n", with: "\n") }
            )
        case "tsv": #expect(seen.map(\.text) == whole.map { $0.replacing(" \\ ", with: " \\\\ ") })
        case "edl":
            // The library leaves it to others to look into comments.
            let titles = Self.lines.map { "|C:ResolveColorBlue |M:\($0.replacing("|", with: "/")) |D:1" }
            #expect(seen.map(\.text) == titles)
        default: #expect(seen.map(\.text) == Self.lines)
        }
    }

    @Test func `what OpenTimelineIO saves again has lost nothing`() throws {
        try hostile()
        _ = try scratch.trace("export", "set", "-o", "set.otio")
        _ = try ReadBack.entries("otio", "set.otio", in: scratch)
        try scratch.session("copy", id: 2)
        let outcome = try scratch.trace("import", "set.otio.again", "sessions/copy", "--format", "otio")
        #expect(outcome.output.hasSuffix("imported: 11 added\n"), "\(outcome)")
        let (one, other) = try (
            scratch.trace("export", "sessions/set", "-f", "csv"),
            scratch.trace("export", "sessions/copy", "-f", "csv")
        )
        #expect(one == other)
    }

    @Test(arguments: ["m4a", "mka", "mkv"])
    func `chapters stand in a copy of the recording to the millisecond`(
        container: String
    ) throws {
        try hostile()
        try withRecording(1_015, 118_000)
        let before = try scratch.tree("sessions")
        let file = "out.\(container)"
        let outcome = try scratch.trace("export", "set", "--embed", file)
        #expect(outcome == Outcome("exported: 11 markers to <scratch>/\(file)\n"))
        #expect(try scratch.tree("sessions") == before)
        var seen = try ReadBack.chapters(of: file, in: scratch)
        if container == "m4a" { #expect(seen.removeFirst() == ReadBack.Entry(0, "Start")) }
        #expect(seen.map(\.offset) == offsets.map { $0 - 1_015 })
        #expect(seen.map(\.text) == Self.titles)
        // The sound is the same, bit for bit.
        let sound = try scratch.shell(
            """
            for f in \(file) sessions/set/media/*; do ffmpeg -nostdin -v error -i $f -map 0:a -c copy -f adts - | md5sum; done | uniq | wc -l
            """)
        #expect(sound.output == "1\n")
    }

    @Test func `chapters stand in an MP3`() throws {
        try hostile()
        let make = try scratch.shell(
            "ffmpeg -nostdin -v error -f lavfi -i sine=duration=118 -c:a libmp3lame take.mp3")
        try #require(make.status == 0, "\(make)")
        _ = try scratch.trace(
            "media", "add", "set", "--file", "take.mp3", "--offset", "0", "--duration", "118000")
        #expect(try scratch.trace("export", "set", "--embed", "out.mp3").status == 0)
        let seen = try ReadBack.chapters(of: "out.mp3", in: scratch)
        #expect(seen.map(\.offset) == offsets && seen.map(\.text) == Self.titles)
    }

    // MARK: - What is chosen

    @Test func `times count from a recording, and what lies outside is left out`() throws {
        try scratch.closedSession(
            "set", markers: marker(10, at: 500) + marker(11, at: 2_500, tags: ["x"]) + marker(12, at: 90_000))
        try withRecording(1_000, 60_000)
        let media = try scratch.text("sessions/set/session.json", filled: false).firstMatch(
            of: #/"media\/([0-9A-Z]{26})/#)
        let id = try String(#require(media).output.1)
        for name in ["review", id, String(id.lowercased().prefix(20)), "media/\(id).m4a", "\(id).m4a"] {
            #expect(
                try scratch.trace("export", "set", "-f", "audacity", "--media", name)
                    == Outcome(
                        "1.500000\t1.500000\t[x]\n", errors: "2 markers outside the recording are left out\n")
            )
        }
        let moved = try scratch.trace("export", "set", "-f", "jsonl", "--media", "review", "-q").output
        #expect(moved == marker(11, at: 1_500, tags: ["x"]))
    }

    @Test func `a tag chooses, and a lead goes back`() throws {
        try scratch.session(
            "set",
            markers: marker(10, at: 2_000, tags: ["x"]) + marker(11, at: 9_000, tags: ["x", "y"])
                + marker(12, at: 9_500))
        #expect(
            try scratch.trace("export", "-f", "audacity", "--tag", "x", "--lead", "5s")
                == Outcome("0.000000\t0.000000\t[x]\n4.000000\t4.000000\t[x, y]\n"))
        #expect(
            try scratch.trace("export", "-f", "audacity", "--tag", "x", "--tag", "y")
                == Outcome("9.000000\t9.000000\t[x, y]\n"))
        #expect(
            try scratch.trace("export", "-f", "audacity", "--tag", "y", "-o", "-")
                == Outcome("9.000000\t9.000000\t[x, y]\n"))
        #expect(
            try scratch.trace("export", "-f", "csv") == scratch.trace("markers", "list", "--format", "csv"))
    }

    @Test func `a file that is there is replaced only if that is meant`() throws {
        try scratch.session("set", markers: marker(10, at: 5))
        try scratch.write("mine", to: "x.vtt")
        #expect(
            try scratch.trace("export", "-o", "x.vtt")
                == .failure(
                    73,
                    "<scratch>/x.vtt: already exists [already-exists]\n  hint: choose another file, or replace it with --force"
                ))
        #expect(try scratch.text("x.vtt") == "mine")
        #expect(
            try scratch.trace("export", "-o", "x.vtt", "--force")
                == Outcome("exported: 1 marker to <scratch>/x.vtt\n"))
        #expect(try scratch.text("x.vtt").hasPrefix("WEBVTT\n"))
        #expect(try scratch.names(in: "").filter { $0.hasPrefix(".") || $0.contains("tmp") } == [])
    }

    @Test(arguments: [
        (
            ["-f", "edl"], 65,
            "an EDL counts frames, but does not contain the frame rate\n  hint: give the timeline's with --fps: 24, 25, 29.97, 30, …"
        ),
        (
            ["-f", "edl", "--fps", "0"], 64,
            "--fps '0' is not a frame rate\n  hint: write 24, 25, 29.97 or 30000/1001"
        ),
        (
            ["-f", "csv", "--media", "review"], 66,
            "no recording of the session is named 'review'\n  hint: the session has none; add one with 'trace media add'"
        ),
        (
            ["--embed", "x.m4a"], 66,
            "the session has no recording from which 'x.m4a' could be made\n  hint: add one with 'trace media add' or 'trace media add-review-audio'"
        ),
        (
            ["-o", "x.txt"], 64,
            "which format?\n  hint: give --format: one of audacity, reaper, csv, tsv, jsonl, youtube, podcast, ffmetadata, webvtt, edl, otio"
        ),
        (
            ["-o", "none/x.vtt"], 66,
            "<scratch>/none: does not exist [not-found]"
        ),
    ]) func `what can't be done is told`(arguments: [String], status: Int32, message: String) throws {
        try scratch.session("set", markers: marker(10, at: 5))
        let outcome = try scratch.trace(["export"] + arguments)
        #expect(outcome.status == status && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("error: \(message)"), "\(outcome)")
        #expect(try scratch.names(in: "").filter { $0.hasPrefix("x.") } == [])
    }

    @Test func `without ffmpeg no chapters are embedded, and FLAC can't have any`() throws {
        try scratch.closedSession("set", markers: marker(10, at: 5))
        try withRecording(0, 60_000)
        let missing = try scratch.trace(
            ["export", "set", "--embed", "x.m4a"], environment: ["PATH": "/nowhere"])
        #expect(
            missing
                == .failure(
                    69,
                    "ffmpeg not found (required for export --embed) [tool-missing]\n  hint: install it (apt install ffmpeg) and ensure it is on PATH"
                ))
        #expect(
            try scratch.trace("export", "set", "--embed", "x.flac")
                == .failure(64, "'x.flac' can't hold chapters\n  hint: use a .m4a, .mka, .mp3, .mp4 or .mkv")
        )
    }
}
