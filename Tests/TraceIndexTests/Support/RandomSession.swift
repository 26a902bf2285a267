import SystemPackage
import TestSupport

@testable import TraceIndex

/// Does to a session directory what people, programs and sync tools do, in an order that a seed decides.
struct RandomSession {
    let folder: SessionFolder
    private var numbers: SeededRandom

    init(_ folder: SessionFolder, seed: UInt64) {
        self.folder = folder
        numbers = SeededRandom(seed: seed)
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &numbers) }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0..<values.count)] }

    private static let files: [FilePath.Component] = [
        "markers.jsonl", "markers.jsonl", "markers.jsonl", "voice_notes.jsonl", "timeline.jsonl",
        "transcript.jsonl",
        "actions.jsonl",
    ]

    /// Does something, and says what.
    mutating func step() throws -> String {
        let name = pick(Self.files)
        let file = folder.file(name)
        switch number(0..<16) {
        case 0..<6:
            let text = (0..<number(1..<4)).map { _ in line(of: name) }.joined()
            try folder.append(text, to: name)
            return "append to \(name): \(text)"
        case 6: return try editInPlace(file)
        case 7:
            let text = (0..<number(0..<8)).map { _ in line(of: name) }.joined()
            try folder.write(text, to: name)
            return "rewrite \(name)"
        case 8:
            let old = file.contents ?? []
            try file.write(old.prefix(number(0..<old.count + 1)))
            return "truncate \(name)"
        case 9:
            let text = (file.contents ?? []) + (0..<number(0..<3)).flatMap { _ in Array(line(of: name).utf8) }
            try folder.replace(name, with: text)
            return "replace \(name)"
        case 10:
            try file.unlink()
            return "delete \(name)"
        case 11:
            let text = line(of: name)
            try folder.append(String(text.prefix(number(1..<max(2, text.count)))), to: name)
            return "tear \(name)"
        case 12:
            if file.contents != nil { try file.setModified(secondsAgo: number(-100..<100_000)) }
            return "set the time of \(name)"
        case 13: return try changeHeader()
        case 14: return try changeMedia()
        default: return try editAndAppend(file, name)
        }
    }

    private mutating func changeHeader() throws -> String {
        let more = pick([
            #""status":"active""#,
            #""status":"closed","end_time":"2026-02-04T19:01:00Z","duration_ms":60000"#,
            #""status":"closed""#, #""status":"closed","duration_ms":-4"#, #""status":"lost""#,
        ])
        let media = pick(["", item(1, "media/a.m4a"), item(2, "media/b.m4a") + "," + item(3, "media/../x")])
        let start = pick(["2026-02-04T19:00:00.000Z", "2026-02-04T20:00:00.000Z", "soon"])
        let text = SessionFolder.header(
            id: pick([SessionFolder.id(3), "01ARZ3NDEKTSV4RRFFQ69G5FAA", "broken"]), startTime: start,
            more: more,
            voiceNotes: pick([true, false]), transcript: pick([true, false]), media: media)
        if pick([true, false]) {
            try folder.replace("session.json", with: Array(text.utf8))
        } else {
            try folder.write(pick([text, text, text, String(text.dropLast(3)), ""]), to: "session.json")
        }
        return "change session.json: \(more)"
    }

    private func item(_ number: Int, _ path: String) -> String {
        """
        {"id":"\(SessionFolder.id(number))","kind":"audio","path":"\(path)","mime":"audio/mp4","created_at":"2026-02-04T19:00:00Z","start_offset_ms":0}
        """
    }

    private mutating func changeMedia() throws -> String {
        let name: FilePath = pick([
            "media/a.m4a", "media/b.m4a", "markers.sync-conflict-20260204-120000-ABCDEFG.jsonl", "digest.md",
        ])
        let file = folder.path.pushing(name)
        if file.contents == nil { try file.write([1, 2, 3]) } else { try file.unlink() }
        return "toggle \(name)"
    }

    private mutating func editInPlace(_ file: FilePath) throws -> String {
        guard var bytes = file.contents, !bytes.isEmpty else { return "nothing" }
        let place = number(0..<bytes.count)
        bytes[place] = pick(Array("0123456789AB\n\"}".utf8))
        try file.write(bytes, [])
        return "edit byte \(place) of \(file.lastComponent?.string ?? "")"
    }

    private mutating func editAndAppend(_ file: FilePath, _ name: FilePath.Component) throws -> String {
        let what = try editInPlace(file)
        try folder.append(line(of: name), to: name)
        return what + ", then append"
    }

    /// A line with few different ids, so that they meet; mostly valid.
    private mutating func line(of file: FilePath.Component) -> String {
        let id = number(0..<12)
        let offset = number(0..<90) * 1000
        if number(0..<12) == 0 {
            return pick(["\n", "{}\n", "nonsense\n", "[1]\n", "{\"id\":7}\r\n", "\u{0}\u{0}\n"])
        }
        switch file {
        case "markers.jsonl":
            return SessionFolder.marker(
                id, at: offset,
                more: pick([
                    "", #","tags":["highlight"]"#, #","tags":["b","a","b"],"label":"Łódź \u00e9""#,
                    #","tags":["No Tag"]"#,
                    #","voice_note_id":"\#(SessionFolder.id(number(0..<12)))""#, #","colour":1"#,
                    #","duration_ms":20"#,
                ]))
        case "voice_notes.jsonl":
            return SessionFolder.voiceNote(
                id, at: offset, media: pick(["media/a.m4a", "media/b.m4a", "media/deep/c.m4a", "../out"]),
                more: pick(["", #","marker_id":"\#(SessionFolder.id(number(0..<12)))""#]))
        case "timeline.jsonl":
            return SessionFolder.start.replacing(
                "session_start", with: pick(["session_start", "session_end", "media_start", "odd"])
            ).replacing("\"offset_ms\":0", with: "\"offset_ms\":\(offset)").replacing(
                "01ARZ3NDEKTSV4RRFFQ69G5FAV", with: SessionFolder.id(id))
        case "transcript.jsonl": return SessionFolder.segment(id, at: offset)
        default: return SessionFolder.action(id, pick(["started", "succeeded", "failed", "lost"]))
        }
    }
}
