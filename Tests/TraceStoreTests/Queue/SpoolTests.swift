import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

struct SpoolTests {
    let scratch: ScratchDirectory
    let spool: Spool

    init() throws {
        scratch = try ScratchDirectory()
        spool = Spool(scratch("queue"))
    }

    func entry(_ id: Int = 10, note: String = "") -> SpoolEntry {
        SpoolEntry(
            id: number(id), kind: .marker, journalID: SampleSession.id, createdAt: morning, device: "laptop",
            payload: JSONText(verbatim: QueueScene.markerLine(id, note: note).utf8))
    }

    func voiceNote(_ id: Int = 20, audio: String) throws -> SpoolEntry {
        SpoolEntry(
            id: number(id), kind: .voiceNote, journalID: SampleSession.id, createdAt: morning,
            device: "laptop",
            payload: JSONText(verbatim: QueueScene.noteLine(id).utf8),
            attachment: try Spool.attachment(for: scratch("a.m4a"), named: audio))
    }

    func read(_ text: String, _ id: Int = 10) throws -> SpoolEntry {
        try OpenDirectory.make(spool.path)
        try spool.path.appending("\(number(id)).json").write(text)
        return try spool.read(try #require(spool.files().first))
    }

    // MARK: - Adding

    @Test func `an entry is a file named by its id, and comes back as it was`() throws {
        try spool.add(entry())
        #expect(
            try tree(of: scratch.path) == [
                "queue": "(directory)",
                "queue/\(number(10)).json": """
                {"id":"\(number(10))","kind":"marker","session_id":"\(number(1))",\
                "created_at":"2026-02-05T08:00:00.000Z","device":"laptop","payload":\(QueueScene.markerLine(10))}

                """,
            ])
        #expect(try spool.files().map(\.id) == [number(10)])
        #expect(try spool.read(spool.files()[0]) == entry())
    }

    @Test func `a voice note's audio lies beside it`() throws {
        try scratch.write("sound", to: "a.m4a")
        let note = try voiceNote(audio: "\(number(20)).m4a")
        try spool.add(note, attachment: scratch("a.m4a"))
        #expect(try tree(of: spool.path).keys.sorted() == ["\(number(20)).json", "\(number(20)).m4a"])
        #expect(try spool.path.appending("\(number(20)).m4a").text() == "sound")
        #expect(
            note.attachment == .init(name: "\(number(20)).m4a", size: 5, sha256: QueueScene.soundChecksum))
        #expect(try spool.read(spool.files()[0]) == note)
    }

    @Test func `the same entry once more changes nothing, another of its id is refused`() throws {
        try spool.add(entry())
        try spool.add(entry())
        let before = try tree(of: scratch.path)
        expectError(
            .alreadyExists,
            """
            \(spool.path.string)/\(number(10)).json: there is already an entry with this id [already-exists]
              hint: see 'trace queue show \(number(10))'
            """
        ) { try spool.add(entry(note: "other")) }
        #expect(try tree(of: scratch.path) == before)
    }

    @Test func `what the drain would reject is not queued`() throws {
        try scratch.write("sound", to: "a.m4a")
        let bad = SpoolEntry(
            id: number(10), kind: .marker, journalID: SampleSession.id, createdAt: morning,
            payload: JSONText(
                verbatim: QueueScene.markerLine(10).replacing("highlight", with: "High").utf8))
        expectError(
            .invalidData,
            """
            payload: the key 'tags' contains 'High', which is not a valid tag [tag-malformed] [invalid-data]
              hint: use lower-case letters, digits, - and _, beginning with a letter or digit, such as 'fix-review'
            """
        ) { try spool.add(bad) }
        expectError(
            .invalidData,
            """
            the entry's audio is missing [invalid-data]
              hint: give a file if, and only if, the entry refers to one
            """
        ) { try spool.add(voiceNote(audio: "\(number(20)).m4a")) }
        expectError(
            .invalidData,
            """
            the entry does not refer to audio [invalid-data]
              hint: give a file if, and only if, the entry refers to one
            """
        ) { try spool.add(entry(), attachment: scratch("a.m4a")) }
        for name in ["../a.m4a", "", "..", "\(number(11)).json", "\(number(11)).JSON"] {
            expectError(
                .invalidData,
                """
                attachment is malformed [invalid-data]
                  hint: write name (of a file next to the entry, not ending in .json), size in bytes and sha256 in lower-case hexadecimal
                """
            ) { try spool.add(voiceNote(audio: name), attachment: scratch("a.m4a")) }
        }
        #expect(try scratch.names() == ["a.m4a"])
    }

    @Test func `an attachment must be a file that is there`() throws {
        #expect(code { try Spool.attachment(for: scratch("no"), named: "x") } == .notFound)
        #expect(code { try Spool.attachment(for: scratch.path, named: "x") } == .notRegularFile)
        #expect(code { try Spool.attachment(for: "/", named: "x") } == .notRegularFile)
    }

    // MARK: - Listing

    @Test func `a spool that is not there is empty`() throws {
        #expect(try spool.files() == [])
    }

    @Test func `entries are told by their names, in the order of their ids; other files are none of ours`()
        throws
    {
        try OpenDirectory.make(spool.path)
        let id = number(10).description
        for name in [
            "\(number(12)).json", "\(number(11)).json", "\(id).json.tmp", ".\(id).json", "\(id).m4a", "\(id)",
            ".syncthing.\(id).json.tmp", "\(id.dropLast()).json", "\(id)0.json", "\(id) (my copy).json",
            "U\(id.dropFirst()).json", ".\(id).json.trace-tmp", ".trace-media.tmp", "\(id).2.json",
        ] { try spool.path.appending(name).write("") }
        try spool.path.appending(crookedName).write("")
        #expect(try spool.files().map(\.id) == [number(11), number(12)])
    }

    @Test(arguments: [
        "\(number(10)).sync-conflict-20260204-120000-ABCDEFG.json", "\(number(10)) 2.json",
        "\(number(10)) (conflicted copy 2026-02-04 120000).json",
    ])
    func `what a sync tool has renamed is one more delivery of its entry`(name: String) throws {
        try OpenDirectory.make(spool.path)
        try spool.path.appending(name).write(QueueScene.marker(10))
        let files = try spool.files()
        #expect(files.map(\.id) == [number(10)])
        #expect(try spool.read(files[0]).id == number(10))
    }

    @Test(arguments: ["01j00000000000000000000010.json", "01J00000000000000000000010.JSON"])
    func `a name whose case was folded still names its id`(name: String) throws {
        try OpenDirectory.make(spool.path)
        try spool.path.appending(name).write(QueueScene.marker(10))
        let files = try spool.files()
        #expect(files.map(\.id) == [number(10)])
        #expect(files.map(\.name.string) == [name])
        #expect(try spool.read(files[0]).id == number(10))
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become somebody else"))
    func `a spool that can't be listed is an error`() async throws {
        try OpenDirectory.make(spool.path)
        try #require(chmod(scratch.path.string, 0o755) == 0)
        try #require(chmod(spool.path.string, 0) == 0)
        await #expect(processExitsWith: .success) { [path = spool.path.string as String] in
            try #require(seteuid(65534) == 0)
            #expect(code { try Spool(FilePath(path)).files() } == .permissionDenied)
        }
    }

    // MARK: - Reading

    @Test func `every prefix of an entry is not whole, and never anything worse`() throws {
        let text = QueueScene.note(10).dropLast(2)
        for count in 0..<text.utf8.count {
            #expect {
                try read(String(decoding: text.utf8.prefix(count), as: UTF8.self))
            } throws: { error in
                (error as? FormatError)?.code == .jsonMalformed
            }
        }
    }

    @Test(arguments: [
        (
            #""kind":"marker""#, #""kind":"song""#, "kind 'song' is malformed",
            EntryKinds.cure
        ),
        (
            #""session_id":"01J"#, #""session_id":"01L"#,
            "session_id '\("\(SampleSession.id)".replacing("01J", with: "01L"))' is malformed",
            "write the id from session.json"
        ),
        (
            #""id":"01J00000000000000000000010","kind""#, #""id":"01J00000000000000000000011","kind""#,
            "the entry has the id 01J00000000000000000000011, and its file's name 01J00000000000000000000010",
            "name the file 01J00000000000000000000011.json, or give it that id"
        ),
        (
            "2026-02-04T20:54:41.780Z\",\"device", "yesterday\",\"device",
            "created_at 'yesterday' is malformed",
            "write a time such as 2026-02-04T20:01:00.000Z"
        ),
        (
            #""payload""#, #""load""#, "payload is missing",
            "put the record there, as the line to write into the session"
        ),
    ])
    func `an object that is no entry is invalid`(old: String, new: String, message: String, hint: String)
        throws
    {
        #expect(throws: FormatError(.recordInvalid, message, cure: Cure(hint))) {
            try read(QueueScene.marker(10).replacing(old, with: new))
        }
    }

    @Test func `the payload is a record of the kind with the entry's id, and a voice note has audio`() throws
    {
        #expect(
            throws: FormatError(
                .recordInvalid, "payload: source is missing [key-missing]", cure: "add the key")
        ) {
            try read(QueueScene.marker(10).replacing(#""source":"user","#, with: ""))
        }
        #expect(
            throws: FormatError(
                .recordInvalid, "the payload has another id",
                cure: "give entry, payload and file name one id, which no other record has")
        ) {
            try read(QueueScene.entry(10, "marker", QueueScene.markerLine(11)))
        }
        #expect(
            throws: FormatError(
                .recordInvalid, "a voice note needs its audio as attachment",
                cure: "put the audio next to the entry, and its name, size and sha256 into attachment")
        ) {
            try read(QueueScene.entry(10, "voice_note", QueueScene.noteLine(10)))
        }
    }

    @Test func `a payload over several lines becomes one, with its numbers and keys as they are spelled`()
        throws
    {
        let payload = """
            {
              "tags" : [ "highlight" ], "note": "a  \\"b\\" \\\\",
              "offset_ms": 1.20e3, "id": "\(number(10))",
              "created_at": "2026-02-04T20:54:41Z", "source": "user"
            }
            """
        #expect(
            try String(decoding: read(QueueScene.entry(10, "marker", payload)).payload, as: UTF8.self)
                == """
                {"tags":["highlight"],"note":"a  \\"b\\" \\\\","offset_ms":1.20e3,"id":"\(number(10))",\
                "created_at":"2026-02-04T20:54:41Z","source":"user"}
                """)
    }

    @Test func `an entry that has been taken, is too large, or no file is an error of its own`() throws {
        try OpenDirectory.make(spool.path)
        let name = try #require(FilePath.Component("\(number(10)).json"))
        let file = Spool.File(id: number(10), name: name)
        expectError(.notFound, "\(spool.path.appending(name).string): was taken [not-found]") {
            try spool.read(file)
        }
        try spool.path.appending(name).write(String(repeating: " ", count: 1 << 20) + "{}")
        #expect(code { try spool.read(file) } == .invalidData)
        try #require(unlink(spool.path.appending(name).string) == 0)
        try OpenDirectory.make(spool.path.appending(name))
        #expect(code { try spool.read(file) } == .notRegularFile)
    }
}
