import RecordFormat
import TestSupport
import Testing
import TraceFormat
import TraceFuzzing

/// Damage by generation to the sample, and to whole sessions.
struct SampleDamageTests {
    private static let samples =
        "\(#filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined())/sessions-sample"

    /// Every file of records and every `session.json` of the sample, conflict copies among them.
    private static let records: [(name: String, kind: RecordKind, bytes: [UInt8])] = {
        let files = (try? FileTree("\(samples)/sessions"))?.files ?? [:]
        return files.sorted { $0.key < $1.key }.compactMap { path, bytes in
            let name = String(path.split(separator: "/").last ?? "")
            let original = JournalLayout.session.original(of: name) ?? name
            return RecordKind.allCases.first { $0.fileName == original }.map { (path, $0, bytes) }
        }
    }()

    @Test(arguments: records.map(\.name)) func `a file of the sample, cut off at any byte`(name: String)
        throws
    {
        let file = try #require(Self.records.first { $0.name == name })
        if file.kind == .session { return try checkHeaders(file.bytes) }
        // A cut changes nothing before the line that it lies in, so only that line is read anew.
        var start = RecordStream.ResumePoint.start
        for count in Torture.places(0..<file.bytes.count + 1) {
            let places = PlaceCheck(Array(file.bytes.prefix(count)))
            let stream = try RecordStream(.of(file.kind), from: start) {
                try places.requireWholeLine($0)
            } onFinding: {
                try places.require($0)
            }
            try stream.read(Array(file.bytes[start.byteOffset..<count]))
            try stream.finish()
            start = stream.resumePoint
        }
    }

    private func checkHeaders(_ bytes: [UInt8]) throws {
        for count in Torture.places(0..<bytes.count + 1) {
            let places = PlaceCheck(Array(bytes.prefix(count)))
            var tree = FileTree()
            tree.files["session.json"] = Array(bytes.prefix(count))
            for finding in try SessionFiles(tree).findings() { try places.require(finding, mayBeWhole: true) }
        }
    }

    @Test func `an entry of the sample's queue, cut off at any byte, is none, and says why`() throws {
        let entries = try FileTree("\(Self.samples)/queue").files.filter { $0.key.hasSuffix(".json") }
        try #require(entries.count == 6)
        for (file, bytes) in entries {
            let name = try #require(ULID(String(file.dropLast(5))))
            _ = try SpoolEntry(parsing: bytes, named: name)
            // A line break at the end is none of its bytes that count.
            let end = bytes.last == 0x0A ? bytes.count - 1 : bytes.count
            for count in 0..<end {
                #expect(throws: FormatError.self, "\(file) cut at \(count)") {
                    try SpoolEntry(parsing: Array(bytes.prefix(count)), named: name)
                }
            }
        }
    }

    /// An active session with a marker and its voice note.
    private static let small: SessionFiles = {
        var session = SessionFiles(FileTree())
        session["session.json"] =
            #"{"id":"01KGN6Z5BM0000000000000001","created_at":"2026-02-04T20:00:00Z","updated_at":"2026-02-04T20:00:00Z","#
            + #""status":"active","start_time":"2026-02-04T20:00:00Z","timeline_path":"timeline.jsonl","#
            + #""markers_path":"markers.jsonl","transcript_path":null,"voice_notes_path":"voice_notes.jsonl","#
            + #""digest_path":null,"media":[]}"#
        session["timeline.jsonl"] =
            #"{"id":"01KGN6Z5BM0000000000000003","kind":"session_start","offset_ms":0,"wall_time":"2026-02-04T20:00:00Z","#
            + #""created_at":"2026-02-04T20:00:00Z","source":"system"}"# + "\n"
        session["markers.jsonl"] =
            #"{"id":"01KGN6Z5BM0000000000000005","offset_ms":1,"created_at":"2026-02-04T20:00:01Z","source":"user","#
            + #""tags":["x"],"voice_note_id":"01KGN6Z5BM0000000000000006"}"# + "\n"
        session["voice_notes.jsonl"] =
            #"{"id":"01KGN6Z5BM0000000000000006","created_at":"2026-02-04T20:00:02Z","media_path":"media/a","offset_ms":2,"#
            + #""duration_ms":9,"marker_id":"01KGN6Z5BM0000000000000005"}"# + "\n"
        session["media/a"] = ""
        return session
    }()

    @Test(arguments: ["session.json", "timeline.jsonl", "markers.jsonl", "voice_notes.jsonl"])
    func `a whole session with any bit of a file flipped`(name: String) throws {
        #expect(try Self.small.findings() == [])
        var files = Self.small.tree.files
        var records: [RecordKind: [RecordSummary]] = [:]
        for kind in RecordKind.lines {
            records[kind] = try Self.reading(files[kind.fileName] ?? [], kind).records
        }
        let damaged = try #require(RecordKind.allCases.first { $0.fileName == name })
        var bytes = try #require(files[name])
        for index in Torture.places(bytes.indices) {
            for bit in 0..<8 {
                bytes[index] ^= 1 << UInt8(bit)
                files[name] = bytes
                let places = PlaceCheck(bytes)
                let reading = try Self.reading(bytes, damaged)
                records[damaged] = reading.records
                let session = try Self.header(files["session.json"] ?? [])
                let rules = Self.findings(of: session, records, files)
                for finding in reading.findings + rules where finding.place.file == name {
                    try places.require(finding, mayBeWhole: true)
                }
                bytes[index] ^= 1 << UInt8(bit)
            }
        }
    }

    /// What one file holds, and what is wrong with it; of `session.json` only the latter.
    private static func reading(
        _ bytes: [UInt8], _ kind: RecordKind
    ) throws -> (records: [RecordSummary], findings: [Finding]) {
        var records: [RecordSummary] = []
        var findings: [Finding] = []
        if kind == .session {
            let checker = try RecordChecker(.session)
            PaddedBytes.withLine(bytes) { line in _ = checker.check(line) { findings.append($0) } }
            return ([], findings)
        }
        let stream = try RecordStream(.of(kind)) {
            records.append($0)
        } onFinding: {
            findings.append($0)
        }
        try stream.read(bytes)
        try stream.finish()
        return (records, findings)
    }

    private static func header(_ bytes: [UInt8]) throws -> Session {
        let checker = try RecordChecker(.session)
        return PaddedBytes.withLine(bytes) { line in checker.check(line) { _ in }.map { Session($0) } }
            ?? Session()
    }

    /// What the rules across lines and files say.
    private static func findings(
        of session: Session, _ records: [RecordKind: [RecordSummary]], _ files: [String: [UInt8]]
    ) -> [Finding] {
        var builder = SessionFactsBuilder(session: session)
        for kind in RecordKind.lines { for record in records[kind] ?? [] { builder.add(record) } }
        var directory = SessionFacts.Directory()
        directory.files = Set(files.keys)
        for path in builder.mediaPaths { directory.media[path] = files[path] == nil ? .missing : .present }
        return builder.finish(directory: directory).findings()
    }
}
