import FormatHarness
import RecordFormat
import TraceFormat

/// A session directory in memory, and what checking it finds.
///
/// What needs a file system is answered from the list of files; `TraceStore` does the same on a real directory.
struct SessionFiles {
    var tree: FileTree
    /// Whether a last line without newline has rested long enough to count as torn.
    var isSettled = true

    init(_ tree: FileTree, isSettled: Bool = true) {
        self.tree = tree
        self.isSettled = isSettled
    }

    /// The text of one file; nil where there is none.
    subscript(name: String) -> String? {
        get { tree.files[name]?.text }
        set { tree.files[name] = newValue.map { Array($0.utf8) } }
    }

    /// Everything that is wrong, in the order of a report.
    func findings() throws -> [Finding] {
        var findings: [Finding] = []
        var session = Session()
        if let header = tree.files[RecordKind.session.fileName] {
            let checker = try RecordChecker(.session)
            session =
                PaddedBytes.withLine(header) { line in
                    checker.check(line) { findings.append($0) }.map { Session($0) }
                } ?? Session()
        }
        var builder = SessionFactsBuilder(session: session)
        for kind in RecordKind.lines {
            if let bytes = tree.files[kind.fileName] {
                let stream = try RecordStream(.of(kind), isSettled: isSettled) {
                    builder.add($0)
                } onFinding: {
                    findings.append($0)
                }
                try stream.read(bytes)
                try stream.finish()
            } else if tree.directories.contains(kind.fileName) {
                let place = Finding.Place(file: kind.fileName)
                findings.append(Finding(.fileUnreadable, at: place, "it is a directory, not a regular file"))
            }
        }
        let contents = directory(mediaPaths: builder.mediaPaths)
        return JournalLayout.session.sorted(findings + builder.finish(directory: contents).findings())
    }

    private func directory(mediaPaths: Set<String>) -> SessionFacts.Directory {
        let names = (Array(tree.files.keys) + tree.directories).filter { !$0.contains("/") }
        var directory = SessionFacts.Directory()
        directory.files = Set(names)
        directory.conflictCopies = names.filter { JournalLayout.session.original(of: $0) != nil }.sorted()
        directory.misnamed = names.sorted().compactMap { name in
            let original = JournalLayout.session.fileInOtherCase(name)
            let holdsRecords =
                JournalLayout.session.mayHoldRecords(name)
                && JournalLayout.holdsRecord(tree.files[name] ?? [])
            return original != nil || holdsRecords
                ? SessionFacts.Misnamed(name: name, original: original) : nil
        }
        for path in mediaPaths {
            let leaves = path.hasPrefix("/") || path.split(separator: "/").contains("..")
            directory.media[path] = leaves ? .outside : tree.files[path] == nil ? .missing : .present
        }
        return directory
    }
}

extension RecordStream {
    /// Feeds bytes in pieces of the sizes that `sizes` gives.
    func read(_ bytes: [UInt8], sizes: () -> Int = { .max }) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let space = space()
            let piece = rest.prefix(min(space.count, max(1, sizes())))
            space.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            try filled(piece.count)
        }
    }
}

extension SessionFiles {
    /// A closed session with one record of every kind and nothing wrong.
    static var valid: SessionFiles {
        var session = SessionFiles(FileTree())
        session["session.json"] = """
            {
              "id": "01KGN6Z5BM0000000000000001",
              "title": "Late set",
              "created_at": "2026-02-04T20:00:00.000Z",
              "updated_at": "2026-02-04T20:10:00.000Z",
              "status": "closed",
              "start_time": "2026-02-04T20:00:00.000Z",
              "end_time": "2026-02-04T20:10:00.000Z",
              "duration_ms": 600000,
              "timeline_path": "timeline.jsonl",
              "markers_path": "markers.jsonl",
              "transcript_path": "transcript.jsonl",
              "voice_notes_path": "voice_notes.jsonl",
              "digest_path": "digest.md",
              "media": [{"id":"01KGN6Z5BM0000000000000002","kind":"audio","path":"media/review.m4a","mime":"audio/mp4",
                "created_at":"2026-02-04T20:00:01.000Z","start_offset_ms":1000,"duration_ms":599000}]
            }

            """
        session["timeline.jsonl"] = """
            {"id":"01KGN6Z5BM0000000000000003","kind":"session_start","offset_ms":0,"wall_time":"2026-02-04T20:00:00Z","created_at":"2026-02-04T20:00:00Z","source":"system"}
            {"id":"01KGN6Z5BM0000000000000004","kind":"session_end","offset_ms":600000,"wall_time":"2026-02-04T20:10:00Z","created_at":"2026-02-04T20:10:00Z","source":"user"}

            """
        session["markers.jsonl"] = """
            {"id":"01KGN6Z5BM0000000000000005","offset_ms":1500,"created_at":"2026-02-04T20:00:01.5Z","source":"user","tags":["highlight","fix-review"],"label":"Größe \\u00e9","note":"","duration_ms":1e3,"voice_note_id":"01KGN6Z5BM0000000000000006"}

            """
        session["voice_notes.jsonl"] = """
            {"id":"01KGN6Z5BM0000000000000006","created_at":"2026-02-04T20:00:02Z","media_path":"media/note.m4a","offset_ms":2000,"duration_ms":900.0,"transcript_text":"again","marker_id":"01KGN6Z5BM0000000000000005"}

            """
        session["transcript.jsonl"] = """
            {"id":"01KGN6Z5BM0000000000000007","offset_ms":2000,"duration_ms":800,"text":"once more","speaker":"A","confidence":0.93}

            """
        session["actions.jsonl"] = """
            {"id":"01KGN6Z5BM0000000000000008","action":"summarize","created_at":"2026-02-04T20:11:00Z","status":"started","inputs":{"a":[1,null]}}
            {"id":"01KGN6Z5BM0000000000000008","action":"summarize","created_at":"2026-02-04T20:11:00Z","status":"succeeded","outputs":{}}

            """
        session["digest.md"] = "# Late set\n"
        session["media/review.m4a"] = ""
        session["media/note.m4a"] = ""
        return session
    }
}
