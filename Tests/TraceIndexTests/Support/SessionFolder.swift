import SystemPackage

/// A session directory of a test.
struct SessionFolder {
    let path: FilePath

    /// Makes a session with a start, and without markers.
    init(_ path: FilePath) throws {
        self.path = path
        try path.makeDirectory()
        try path.appending("media").makeDirectory()
        try write(Self.header(), to: "session.json")
        try write(Self.start, to: "timeline.jsonl")
        try write("", to: "markers.jsonl")
    }

    func file(_ name: FilePath.Component) -> FilePath { path.appending(name) }

    func write(_ text: String, to name: FilePath.Component) throws { try file(name).write(text.utf8) }

    func append(_ text: String, to name: FilePath.Component = "markers.jsonl") throws {
        try file(name).write(text.utf8, [.create, .append])
    }

    /// Puts a file in the place of another by rename, as sync tools do.
    func replace(_ name: FilePath.Component, with text: [UInt8]) throws {
        try path.appending(".part").write(text)
        try path.appending(".part").rename(to: file(name))
    }

    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "01ARZ3NDEKTSV4" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    static let start = """
        {"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","kind":"session_start","offset_ms":0,"wall_time":"2026-02-04T19:00:00Z","created_at":"2026-02-04T19:00:00Z","source":"system"}

        """

    static func header(
        id: String = "01ARZ3NDEKTSV4RRFFQ69G5FAA", title: String = "Late set",
        startTime: String = "2026-02-04T19:00:00.000Z",
        more: String = #""status":"active""#, voiceNotes: Bool = false, transcript: Bool = false,
        media: String = ""
    ) -> String {
        """
        {"id":"\(id)","title":"\(title)","created_at":"2026-02-04T19:00:00Z","updated_at":"2026-02-04T19:00:00Z",
        "start_time":"\(startTime)",\(more),"timeline_path":"timeline.jsonl","markers_path":"markers.jsonl",
        "transcript_path":\(transcript ? "\"transcript.jsonl\"" : "null"),"voice_notes_path":\(voiceNotes ? "\"voice_notes.jsonl\"" : "null"),
        "digest_path":null,"media":[\(media)]}
        """
    }

    static func marker(_ number: Int, at offset: Int = 1000, more: String = "") -> String {
        """
        {"id":"\(id(number))","offset_ms":\(offset),"created_at":"2026-02-04T19:00:01Z","source":"user"\(more)}

        """
    }

    static func voiceNote(
        _ number: Int, at offset: Int = 1000, media: String = "media/a.m4a", more: String = ""
    ) -> String {
        """
        {"id":"\(id(number))","created_at":"2026-02-04T19:00:01Z","media_path":"\(media)","offset_ms":\(offset),"duration_ms":500\(more)}

        """
    }

    static func segment(_ number: Int, at offset: Int = 1000) -> String {
        """
        {"id":"\(id(number))","offset_ms":\(offset),"duration_ms":500,"text":"words \(number)"}

        """
    }

    static func action(_ number: Int, _ status: String = "started") -> String {
        """
        {"id":"\(id(number))","action":"transcribe","created_at":"2026-02-04T19:00:01Z","status":"\(status)"}

        """
    }
}
