import Foundation
import Testing

/// `trace media add` and `trace media add-review-audio`.
struct MediaTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.write("pictures", to: "take.mp4")
    }

    private static let added = "media: <ulid> (media/<ulid>.mp4)\n"

    private func timeline(_ kind: String, _ offset: Int, _ time: String) -> String {
        """
        {"id":"<ulid>","kind":"\(kind)","offset_ms":\(offset),"wall_time":"2026-02-04T\(time)Z","created_at":"<now>",\
        "source":"system"}

        """
    }

    private func header(_ before: String, _ item: String) -> String {
        before.replacing(#/"updated_at": "[^"]+"/#, with: #""updated_at": "<now>""#)
            .replacing("\"media\": []", with: "\"media\": [\n    {\n\(item)\n    }\n  ]")
    }

    private static let item = """
              "id": "<ulid>",
              "kind": "video",
              "path": "media/<ulid>.mp4",
              "mime": "video/mp4",
              "created_at": "<now>",
              "start_offset_ms": 1500
        """

    // MARK: - media add

    @Test func `the file is copied, its place is in the timeline, and session.json names it`() throws {
        try scratch.session("a")
        let before = try scratch.text("sessions/a/session.json")
        let start = try scratch.text("sessions/a/timeline.jsonl")
        #expect(
            try scratch.trace(
                "media", "add", "sessions/a", "--file", "take.mp4", "--kind", "video", "--mime", "video/mp4",
                "--offset", "1500", "--duration", "60000")
                == Outcome(Self.added, errors: "at 0:01.500 (1500 ms)\n"))
        #expect(
            try scratch.text("sessions/a/session.json")
                == header(before, Self.item + ",\n      \"duration_ms\": 60000"))
        #expect(
            try scratch.text("sessions/a/timeline.jsonl") == start
                + timeline("media_start", 1500, "20:00:01.500") + timeline("media_end", 61500, "20:01:01.500")
        )
        let media = try scratch.names(in: "sessions/a/media")
        #expect(media.count == 1)
        #expect(try scratch.text("sessions/a/media/\(media[0])") == "pictures")
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `kind and media type follow from the name, and another item is written as its neighbour`()
        throws
    {
        try scratch.session("a")
        _ = try scratch.trace("media", "add", "--file", "take.mp4", "--offset", "1500", "-q")
        #expect(
            try scratch.trace(
                "media", "add", "--file", "take.mp4", "--offset", "2:00", "--duration", "1s", "-q", "--json")
                == Outcome(
                    """
                    {"id":"<ulid>","path":"media/<ulid>.mp4","kind":"video","mime":"video/mp4","start_offset_ms":120000,\
                    "duration_ms":1000,"session_path":"<scratch>/sessions/a","session_id":"\(number(1))"}

                    """))
        let text = try scratch.text("sessions/a/session.json")
        #expect(
            text.contains(
                "\"media\": [\n    {\n\(Self.item)\n    },\n    {\n\(Self.item.replacing("1500", with: "120000")),\n"
            ))
        #expect(text.hasSuffix("\"duration_ms\": 1000\n    }\n  ]\n}\n"))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test
    func `what starts before something that is there is put where it belongs, also in a closed session`()
        throws
    {
        try scratch.closedSession("a")
        let lines = try scratch.text("sessions/a/timeline.jsonl").split(separator: "\n").map { "\($0)\n" }
        #expect(
            try scratch.trace(
                "media", "add", "sessions/a", "--file", "take.mp4", "--offset", "0", "--duration", "120000",
                "-q")
                == Outcome(Self.added))
        #expect(
            try scratch.trace(
                "media", "add", "sessions/a", "--file", "take.mp4", "--offset", "60s", "--duration", "1", "-q"
            )
                == Outcome(Self.added))
        #expect(
            try scratch.text("sessions/a/timeline.jsonl") == lines[0]
                + timeline("media_start", 0, "20:00:00.000") + timeline("media_start", 60000, "20:01:00.000")
                + timeline("media_end", 60001, "20:01:00.001")
                + timeline("media_end", 120_000, "20:02:00.000")
                + lines[1])
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test(arguments: [
        (
            ["--offset", "0"], 64, "missing --file, --kind, or --mime for media add",
            "the kind and media type can't be derived from the file's extension; give them"
        ),
        (
            ["--offset", "x"], 64, "'x' is not an offset",
            "write 120000, 2:00, 1:02:03.250, 90s, 250ms, now, end, +5s or -10s"
        ),
        (
            ["--offset", "0", "--kind", "music", "--mime", "x"], 64,
            "invalid --kind 'music' (use audio, video, screen, other)", ""
        ),
    ])
    func `what can't be read changes nothing`(arguments: [String], status: Int, message: String, hint: String)
        throws
    {
        try scratch.session("a")
        try scratch.write("x", to: "take.xyz")
        let before = try scratch.tree("sessions")
        let outcome = try scratch.trace(["media", "add", "-q", "--file", "take.xyz"] + arguments)
        #expect(outcome.status == status)
        #expect(outcome.errors.hasPrefix("error: \(message)"))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `a file that is not there, or lies after the end, changes nothing`() throws {
        try scratch.closedSession("a")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("media", "add", "sessions/a", "--file", "no.mp4", "--offset", "0", "-q")
                == .failure(
                    66,
                    """
                    <scratch>/no.mp4: does not exist [not-found]
                      hint: check the path; if it is on a removable or network disk, mount the disk
                    """))
        #expect(
            try scratch.trace(
                "media", "add", "sessions/a", "--file", "take.mp4", "--offset", "119s", "--duration", "1001",
                "-q")
                == .failure(
                    65,
                    """
                    the media file ends at 2:00.001 (120001 ms), after the closed session's end at 2:00.000 [invalid-data]
                      hint: check --offset and --duration: both are milliseconds, or have a unit such as 90s
                    """))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `a session without a timeline, or a start, takes no media`() throws {
        try scratch.session("a")
        try scratch.remove("sessions/a/timeline.jsonl")
        #expect(
            try scratch.trace("media", "add", "sessions/a", "--file", "take.mp4", "--offset", "0", "-q")
                == .failure(
                    66,
                    """
                    <scratch>/sessions/a/timeline.jsonl: does not exist [not-found]
                      hint: restore it from a copy of the session; 'trace validate' shows more
                    """))
        try scratch.session("b", id: 2)
        let header = try scratch.text("sessions/b/session.json", filled: false)
        try scratch.write(header.replacing("start_time", with: "begin_time"), to: "sessions/b/session.json")
        #expect(
            try scratch.trace("media", "add", "sessions/b", "--file", "take.mp4", "--offset", "0", "-q")
                == .failure(
                    65,
                    """
                    <scratch>/sessions/b/session.json: session start_time is missing or invalid [invalid-data]
                      hint: write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ, then try again
                    """))
        #expect(try scratch.names(in: "sessions/b/media") == [])
    }

    @Test func `an undo takes the file, the item and the entries out again`() throws {
        try scratch.closedSession("a")
        let before = try scratch.tree("sessions")
        _ = try scratch.trace(
            "media", "add", "sessions/a", "--file", "take.mp4", "--offset", "0", "--duration", "5000", "-q")
        let undone = try scratch.trace("undo")
        #expect(
            undone
                == Outcome(
                    """
                    undone: media add in <scratch>/sessions/a, written <now>
                      removed the media item from session.json
                      removed 2 lines from timeline.jsonl
                      moved media/<ulid>.mp4 to <scratch>/state/undo/<ulid>

                    """))
        var after = try scratch.tree("sessions")
        after["a/session.json"] = before["a/session.json"]
        #expect(after == before)
        #expect(try scratch.text("sessions/a/session.json").contains("\"media\": []"))
    }

    // MARK: - media add-review-audio

    /// A second of a tone, in a file of that name.
    private func sound(_ name: String, _ codec: String...) throws {
        let made = try scratch.run(
            "/usr/bin/ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=1"] + codec + [name])
        #expect(made == Outcome())
    }

    private static let review = "media: <ulid> (media/<ulid>.m4a)\n"

    @Test(arguments: [
        ("take.mp4", ["-c:a", "aac"], "copied"), ("take.mkv", ["-c:a", "libvorbis"], "encoded"),
        ("take.wav", ["-c:a", "pcm_s24le"], "encoded"),
    ])
    func `the sound is copied where it can be, else encoded`(name: String, codec: [String], how: String)
        throws
    {
        try scratch.closedSession("a")
        try scratch.remove("take.mp4")
        let made = try scratch.run(
            "/usr/bin/ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=1"] + codec + [name])
        #expect(made == Outcome())
        let outcome = try scratch.trace(
            "media", "add-review-audio", "sessions/a", "--source", name, "--json")
        #expect(outcome.complaints == "")
        #expect(
            outcome.output.wholeMatch(
                of:
                    #/\{"id":"<ulid>","path":"media/<ulid>.m4a","kind":"audio","mime":"audio/mp4","start_offset_ms":0,"duration_ms":(1\d\d\d),"session_path":"<scratch>\/sessions\/a","session_id":"01J0+1","audio":"(\w+)"\}\n/#
            )?.output.2.description == how)
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
        #expect(try scratch.names(in: "").filter { $0.hasPrefix("trace-") } == [])
    }

    @Test func `of several audio tracks the first that is not silent is taken, or the one that is named`()
        throws
    {
        try scratch.closedSession("a")
        let made = try scratch.run(
            "/usr/bin/ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "anullsrc=d=4", "-f", "lavfi", "-i", "sine=d=4"]
                + ["-map", "0:a", "-map", "1:a", "-t", "4", "-c:a", "aac"]
                + ["-metadata:s:a:0", "title=Desktop", "-metadata:s:a:1", "title=Mic", "tracks.mkv"])
        #expect(made == Outcome())
        let arguments = ["media", "add-review-audio", "sessions/a", "--source", "tracks.mkv"]
        let chosen = try scratch.trace(arguments)
        #expect(
            chosen
                == Outcome(
                    Self.review,
                    errors: "audio track 2 'Mic' of 2 is taken; track 1 'Desktop' seems to be silent; "
                        + "--track takes another\n"))
        let named = try scratch.trace(arguments + ["--track", "1"])
        #expect(named.status == 0 && named.output == Self.review, "\(named)")
        #expect(
            named.errors.hasPrefix(
                "audio track 1 'Desktop' of 2 is taken\nwarning: the audio seems to be silent\n"),
            "\(named)")
        let wrong = try scratch.trace(arguments + ["--track", "3"])
        #expect(
            wrong.status == 64
                && wrong.errors.hasPrefix("error: --track 3: the recording has 2 audio tracks"),
            "\(wrong)")
        #expect(try scratch.trace(arguments + ["--track", "0"]).status == 64)
        let added = try scratch.trace("media", "add", "sessions/a", "--file", "tracks.mkv", "--offset", "0")
        #expect(
            added.errors.contains(
                "tracks.mkv: it has 2 audio tracks; most players play the first, 1 'Desktop', which seems to be silent"
            ),
            "\(added)")
    }

    @Test func `a typed length that is not that of the recording is written, and said`() throws {
        try scratch.closedSession("a")
        try sound("take.flac")
        let arguments = ["media", "add", "sessions/a", "--file", "take.flac", "--offset", "0", "--duration"]
        #expect(try scratch.trace(arguments + ["1s"]).errors == "at 0:00.000 (0 ms)\n")
        #expect(
            try scratch.trace(arguments + ["1:00"]).errors
                == "at 0:00.000 (0 ms)\nwarning: --duration 1:00.000 is written, but the file lasts 0:01.000\n"
        )
    }

    @Test func `a recording of an unknown container is opened for its owner alone`() throws {
        try scratch.closedSession("a")
        try sound("take.avi", "-c:a", "pcm_s16le")
        let arguments = ["media", "add-review-audio", "sessions/a", "--source", "take.avi"]
        let own = try scratch.trace(arguments)
        #expect(own.status == 0 && own.output == Self.review, "\(own)")
        guard geteuid() == 0 else { return }
        try #require(chown("\(scratch.path)/take.avi", 65_534, 65_534) == 0)
        let other = try scratch.trace(arguments)
        #expect(
            other.status != 0 && other.errors.contains("belongs to another user [tool-failed]"), "\(other)")
    }

    @Test func `review audio is what is heard, though another recording was there before`() throws {
        try scratch.closedSession("a")
        try sound("first.m4a")
        try sound("second.wav")
        let first = try scratch.trace("media", "add", "sessions/a", "--file", "first.m4a", "--offset", "0")
        #expect(first.status == 0, "\(first)")
        let added = try scratch.trace(
            "media", "add-review-audio", "sessions/a", "--source", "second.wav", "--offset", "30s", "--json")
        #expect(added.complaints == "" && added.output.contains(#""start_offset_ms":30000"#))
        let text = try scratch.text("sessions/a/session.json")
        let offsets = text.matches(of: /"start_offset_ms": ?(\d+)/).map { String($0.output.1) }
        #expect(offsets == ["30000", "0"], "\(text)")
        // Its offset counts: a marker at 31 s is at its first second.
        #expect(try scratch.trace("mark", "sessions/a", "--offset", "31s", "--label", "riff").status == 0)
        let chapters = try scratch.trace(
            "export", "sessions/a", "--format", "ffmetadata", "--media", "review")
        #expect(chapters.output.contains("START=1000\n"), "\(chapters)")
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `review audio that stands behind another recording is moved by a repair`() throws {
        try scratch.closedSession("a")
        try sound("first.m4a")
        try sound("second.wav")
        let added = ["add", "--file", "first.m4a"], reviewed = ["add-review-audio", "--source", "second.wav"]
        for command in [added, reviewed] {
            let outcome = try scratch.trace(
                ["media"] + command + ["--session", "sessions/a", "--offset", "0"])
            try #require(outcome.status == 0, "\(outcome)")
        }
        // As older versions left it: the review audio came last.
        let text = try scratch.text("sessions/a/session.json", filled: false)
        let items = text.matches(of: #/\{[^{}]*"start_offset_ms"[^{}]*\}/#).map(\.output)
        try #require(items.count == 2)
        let list = items[0].startIndex..<items[1].endIndex
        let between = text[items[0].endIndex..<items[1].startIndex]
        try scratch.write(
            text.replacingCharacters(in: list, with: "\(items[1])\(between)\(items[0])"),
            to: "sessions/a/session.json")
        try scratch.letRest("sessions/a")
        let repaired = try scratch.trace("repair", "sessions/a", "--write")
        #expect(
            repaired.output.contains(
                "it was added as review audio, according to the undo log [review-audio]"), "\(repaired)")
        #expect(try scratch.text("sessions/a/session.json", filled: false) == text)
    }

    @Test func `a recording that lasts longer than the session has no end in the timeline`() throws {
        try scratch.closedSession("a")
        try sound("long.m4a")
        let outcome = try scratch.trace(
            "media", "add-review-audio", "sessions/a", "--source", "long.m4a", "--offset", "119.5s")
        #expect(outcome.output == Self.review)
        #expect(
            outcome.errors.wholeMatch(
                of:
                    #/warning: it lasts until 2:00.5\d\d, longer than the session \(2:00.000\): the timeline does not record its end\n/#
            ) != nil)
        #expect(try scratch.text("sessions/a/timeline.jsonl").contains("media_end") == false)
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `what has no sound, or is no recording, is told`() throws {
        try scratch.session("a")
        let before = try scratch.tree("sessions")
        let made = try scratch.run(
            "/usr/bin/ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "color=duration=0.2", "-c:v", "mpeg4", "mute.mp4"])
        #expect(made == Outcome())
        #expect(
            try scratch.trace("media", "add-review-audio", "--source", "mute.mp4")
                == .failure(
                    65,
                    """
                    <scratch>/mute.mp4: has no audio [tool-failed]
                      hint: name a recording that has an audio stream
                    """))
        #expect(
            try scratch.trace("media", "add-review-audio", "--source", "take.mp4")
                == .failure(
                    65,
                    """
                    ffmpeg failed: <scratch>/take.mp4: Invalid data found when processing input [tool-failed]
                      hint: check that the file plays
                    """))
        #expect(
            try scratch.trace("media", "add-review-audio", "--source", "no.mp4")
                == .failure(
                    66,
                    """
                    <scratch>/no.mp4: does not exist [not-found]
                      hint: check the path; if it is on a removable or network disk, mount the disk
                    """))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `without ffmpeg it is told what to install`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace(
                "media", "add-review-audio", "--source", "take.mp4", environment: ["PATH": "/nowhere"])
                == .failure(
                    69,
                    """
                    ffmpeg not found (required for add-review-audio) [tool-missing]
                      hint: install it (apt install ffmpeg) and ensure it is on PATH
                    """))
    }

    @Test func `an interrupt ends ffmpeg with its children, and leaves nothing`() throws {
        try scratch.session("a")
        let before = try scratch.tree("sessions")
        try scratch.makeDirectory("bin")
        try scratch.makeDirectory("tmp")
        // As ffmpeg behaves that has much to do, and has a child; it may write into no other file than its output.
        try scratch.writeProgram(
            "#!/bin/sh\n/bin/sleep 60 &\nfor last; do :; done\necho $! > \"$last\"\nwait\n", to: "bin/ffmpeg")
        let command = try scratch.start(
            "export PATH=\(scratch.path)/bin TMPDIR=\(scratch.path)/tmp; exec $TRACE media add-review-audio --source take.mp4",
            log: "log")
        var child: pid_t?
        try soon("ffmpeg runs") {
            let output = try scratch.names(in: "tmp").first.map { "tmp/\($0)/review.m4a" } ?? "tmp/none"
            guard scratch.exists(output) else { return false }
            child = pid_t(try scratch.text(output).trimmingCharacters(in: .newlines))
            return child != nil
        }
        kill(command.id, SIGINT)
        #expect(try command.wait() == 130)
        #expect(try scratch.text("log") == "error: stopped before it finished [stopped]\n")
        try soon("its child is gone") { try kill(#require(child), 0) != 0 }
        #expect(try scratch.tree("sessions") == before)
        #expect(try scratch.names(in: "tmp") == [])
    }
}
