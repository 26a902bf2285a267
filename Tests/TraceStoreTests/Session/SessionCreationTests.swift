import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

struct SessionCreationTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test func `a new session has exactly the four entries of the format`() throws {
        let id = try SessionWriter.create(at: scratch("set"), title: "Spät \"live\"", start: morning)
        let start = try #require(try startID(in: scratch("set")))
        #expect(
            try tree(of: scratch.path) == [
                "set": "(directory)",
                "set/media": "(directory)",
                "set/session.json": """
                {
                  "id": "\(id)",
                  "title": "Spät \\"live\\"",
                  "created_at": "2026-02-05T08:00:00.000Z",
                  "updated_at": "2026-02-05T08:00:00.000Z",
                  "status": "active",
                  "start_time": "2026-02-05T08:00:00.000Z",
                  "timeline_path": "timeline.jsonl",
                  "markers_path": "markers.jsonl",
                  "transcript_path": null,
                  "voice_notes_path": null,
                  "digest_path": null,
                  "media": []
                }

                """,
                "set/timeline.jsonl": """
                {"id":"\(start)","kind":"session_start","offset_ms":0,"wall_time":"2026-02-05T08:00:00.000Z",\
                "created_at":"2026-02-05T08:00:00.000Z","source":"system"}

                """,
                "set/markers.jsonl": "",
            ])
        #expect(start != id)
        #expect(try Inspection(of: scratch("set")).findings == [])
    }

    private func startID(in session: FilePath) throws -> ULID? {
        var id: ULID?
        _ = try SessionReader(session).read(.timeline) {
            id = $0.id
        } onFinding: { _ in
        }
        return id
    }

    @Test func `a title may be left out and is an empty one then`() throws {
        _ = try SessionWriter.create(at: scratch("set"))
        #expect(try SessionReader(scratch("set")).header().session.title == "")
    }

    @Test func `what a killed attempt left is removed by the next of the same name`() throws {
        let staging = scratch(".set.trace-new")
        try OpenDirectory.make(staging.appending("media"))
        for name in ["session.json", "timeline.jsonl", "markers.jsonl"] {
            try staging.appending(name).write("half")
        }
        _ = try SessionWriter.create(at: scratch("set"), start: morning)
        #expect(try scratch.names() == ["set"])
        #expect(try Inspection(of: scratch("set")).findings == [])
    }

    @Test func `files of somebody else in the place of the staging directory are not removed`() throws {
        let staging = scratch(".set.trace-new")
        try OpenDirectory.make(staging)
        try staging.appending("diary.txt").write("mine")
        expectError(
            .alreadyExists,
            """
            \(staging.string): cannot create the directory: File exists [already-exists]
              hint: move the existing file away or choose another name
            """
        ) { try SessionWriter.create(at: scratch("set")) }
        #expect(
            try tree(of: scratch.path) == [
                ".set.trace-new": "(directory)", ".set.trace-new/diary.txt": "mine",
            ])
    }

    @Test func `a parent that is missing is not made`() throws {
        let path = scratch("no").appending("set")
        expectError(
            .notFound,
            """
            \(scratch("no").string): does not exist [not-found]
              hint: check the path; if it is on a removable or network disk, mount the disk
            """
        ) { try SessionWriter.create(at: path) }
        #expect(try scratch.names() == [])
    }

    @Test(arguments: ["file", "directory", "dangling link"])
    func `what has the name already stays as it is`(kind: String) throws {
        switch kind {
        case "file": try scratch.write("mine", to: "set")
        case "directory": try scratch.makeDirectory("set")
        default: try scratch.link("set", to: "nowhere")
        }
        let before = try tree(of: scratch.path)
        expectError(
            .alreadyExists,
            """
            \(scratch("set").string): target already exists [already-exists]
              hint: choose another name, or use the existing session
            """
        ) { try SessionWriter.create(at: scratch("set")) }
        #expect(try tree(of: scratch.path) == before)
    }

    @Test func `a path without a last name is refused`() throws {
        expectError(.invalidData, "/: is not a valid directory name [invalid-data]") {
            try SessionWriter.create(at: "/")
        }
    }

    @Test func `a name that is not UTF-8 is a name like any other`() throws {
        let id = try SessionWriter.create(at: scratch(crookedName))
        #expect(try SessionReader(scratch(crookedName)).header().session.id == id)
    }

    @Test func `minted ids are unique and rise, from several threads too`() async {
        let ids = await withTaskGroup(of: [ULID].self) { group in
            for _ in 0..<4 { group.addTask { (0..<500).map { _ in IDGenerator.next() } } }
            var all: [[ULID]] = []
            for await part in group { all.append(part) }
            return all
        }
        for part in ids { #expect(part == part.sorted()) }
        #expect(Set(ids.joined()).count == 2000)
    }
}
