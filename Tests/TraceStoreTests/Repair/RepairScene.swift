import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// A session with everything wrong that repair can mend, a state directory, and a clock that stands still.
struct RepairScene {
    let root: FilePath
    let session: SampleSession
    var state: FilePath { root.appending("state") }

    static let copy: FilePath.Component = "markers.sync-conflict-20260204-203000-ABCDEFG.jsonl"
    static let headerCopy: FilePath.Component = "session (conflicted copy 2026-02-04 203000).json"

    /// Closed, with an `end_time` and a `duration_ms` that a rewrite dropped.
    static let header = SampleSession.header.replacing("\"active\"", with: "\"closed\"")
        .replacing("  \"x_mood\": 1.50e1,\n", with: "")
    static let end = """
        {"id":"\(number(3))","kind":"session_end","offset_ms":5000,"wall_time":"2026-02-04T20:00:05.000Z",\
        "created_at":"2026-02-04T20:00:05.000Z","source":"user"}

        """

    static func marker(_ id: Int, _ note: String = "") -> String {
        let second = String(100 + id % 50).suffix(2)
        return """
            {"id":"\(number(id))","offset_ms":\(id),"created_at":"2026-02-04T20:00:\(second).000Z","source":"user",\
            "note":"\(note)"}

            """
    }

    static let torn = "{\"id\":\"01J"

    /// A session in order.
    init(sound root: FilePath) throws {
        self.root = root
        session = try SampleSession(
            at: root.appending("set"),
            header: SampleSession.header.replacing("  \"x_mood\": 1.50e1,\n", with: ""))
    }

    /// Makes a session that needs every mend there is.
    init(in root: FilePath) throws {
        self.root = root
        session = try SampleSession(at: root.appending("set"), header: "\u{FEFF}" + Self.header)
        try session("timeline.jsonl").write("\u{FEFF}" + SampleSession.start)
        try session("timeline 2.jsonl").write(SampleSession.start + Self.end)
        try session("markers.jsonl").write(Self.marker(10) + Self.marker(12) + Self.torn)
        try session(Self.copy).write(Self.marker(10) + Self.marker(11) + Self.marker(10, "edited") + "{\"to")
        try session("transcript 2.jsonl").write("")
        try session("voice_notes (Anna's conflicted copy).jsonl").write(Self.note)
        try OpenDirectory.make(session.path.appending("media"))
        try session.path.appending("media").appending("a.m4a").write("sound")
        try session("digest.md").write("# Set\n")
        try session("digest 2.md").write("# Set\n")
        try session(Self.headerCopy).write(Self.header.replacing("Late set", with: "Later set"))
    }

    static let note = """
        {"id":"\(number(20))","created_at":"2026-02-04T20:00:03.000Z","media_path":"media/a.m4a","offset_ms":3,\
        "duration_ms":1}

        """

    /// A scene that has been made already, e.g. by the parent of this process.
    init(at root: FilePath) {
        self.root = root
        session = SampleSession(existing: root.appending("set"))
    }

    func repair(
        remembered: Session? = nil, settleTime: Duration = .zero, failPoint: FailPoint? = nil
    ) -> SessionRepair {
        var writer = SessionWriter(session.path)
        writer.failPoint = failPoint
        return SessionRepair(
            writer, keptIn: state, settleTime: settleTime, remembered: remembered, now: { morning })
    }

    /// The files of the session.
    var files: [String: String] {
        get throws { try tree(of: session.path) }
    }

    /// Every file that was ever kept, by its name, in whichever run.
    var kept: [String: Set<String>] {
        get throws {
            guard state.exists else { return [:] }
            var kept: [String: Set<String>] = [:]
            for (path, text) in try tree(of: state) where text != "(directory)" {
                kept[String(path.split(separator: "/").last ?? ""), default: []].insert(text)
            }
            return kept
        }
    }
}

// MARK: - Values, order and the end

extension RepairScene {
    /// Makes a session whose values are spelled as other programs spell them, whose lines are in no order, and which has no
    /// `session_end`. It was paused for 10 s at 2 s, and ended after 5 s of recording.
    init(misspelled root: FilePath) throws {
        self.root = root
        let path = root.appending("set")
        session = try SampleSession(at: path, header: Self.spelledOtherwise(Self.closed))
        try session("timeline.jsonl").write(
            Self.spelledOtherwise(SampleSession.start + Self.media + Self.pause))
        let markers = Self.noted + Self.marker(11)
        try session("markers.jsonl").write(Self.spelledOtherwise(markers))
        try session(Self.copy).write(Self.spelledOtherwise(Self.noted + Self.marker(12)))
        try session("voice_notes.jsonl").write(Self.spelledOtherwise(Self.linkedNote))
        try session("transcript.jsonl").write(Self.words(31, 9) + Self.words(30, 4))
        try OpenDirectory.make(path.appending("media"))
        try path.appending("media").appending("a.m4a").write("sound")
    }

    /// Every time as a clock one hour ahead of UTC shows it, and these ids in lower case.
    private static func spelledOtherwise(_ text: String) -> String {
        let ids = [SampleSession.id, number(10), number(20), number(40)].map(\.description)
        return ids.reduce(text.replacing(#/T20:(\d\d:\d\d(\.\d+)?)Z/#) { "T21:\($0.output.1)+01:00" }) {
            $0.replacing($1, with: $1.lowercased())
        }
    }

    static let closed = SampleSession.header.replacing("\"active\"", with: "\"closed\"")
        .replacing("  \"x_mood\": 1.50e1,\n", with: "")
        .replacing("\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\"")
        .replacing("\"transcript_path\": null", with: "\"transcript_path\": \"transcript.jsonl\"")
        .replacing(
            "\"media\": []",
            with: """
                "media": [{"id":"\(number(40))","kind":"audio","path":"media/a.m4a","mime":"audio/mp4",
                    "created_at":"2026-02-04T20:00:09.5Z","start_offset_ms":3000}]
                """
        )
        .replacing(
            "\"title\": \"Late set\"",
            with:
                "\"title\": \"Late set\",\n  \"end_time\": \"2026-02-04T20:00:15.000Z\",\n  \"duration_ms\": 5000"
        )

    static let media = """
        {"id":"\(number(4))","kind":"media_start","offset_ms":3000,"wall_time":"2026-02-04T20:00:13.000Z",\
        "created_at":"2026-02-04T20:30:00.000Z","source":"system"}

        """
    /// Two lines at one offset.
    static let pause = """
        {"id":"\(number(6))","kind":"media_end","offset_ms":2000,"wall_time":"2026-02-04T20:00:02.000Z",\
        "created_at":"2026-02-04T20:00:02.000Z","source":"system"}
        {"id":"\(number(5))","kind":"media_start","offset_ms":2000,"wall_time":"2026-02-04T20:00:12.000Z",\
        "created_at":"2026-02-04T20:00:12.000Z","source":"system"}

        """
    static let noted = marker(10).replacing("}\n", with: ",\"voice_note_id\":\"\(number(20))\"}\n")
    static let linkedNote = note.replacing("}\n", with: ",\"marker_id\":\"\(number(10))\"}\n")

    static func words(_ id: Int, _ offset: Int) -> String {
        #"{"id":"\#(number(id))","offset_ms":\#(offset),"duration_ms":1,"text":"again"}"# + "\n"
    }

    /// The `session_end` that is made of what `session.json` says.
    static func derivedEnd(_ id: String) -> String {
        """
        {"id":"\(id)","kind":"session_end","offset_ms":5000,"wall_time":"2026-02-04T20:00:15.000Z",\
        "created_at":"2026-02-04T20:00:15.000Z","source":"system"}

        """
    }
}
