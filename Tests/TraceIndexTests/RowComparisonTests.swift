import SystemPackage
import Testing
import TraceStore

@testable import TraceIndex

/// The comparison of two indexes row by row, which `trace index verify` makes.
struct RowComparisonTests {
    let scratch: Scratch
    let folder: SessionFolder
    let index: JournalIndex
    let fresh: JournalIndex

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        for number in 1...50 {
            try folder.append(
                SessionFolder.marker(number % 40, at: number, more: ",\"label\":\"l\(number)\""))
        }
        try folder.append("{\"torn\n")
        try folder.append(SessionFolder.voiceNote(100), to: "voice_notes.jsonl")
        try waitForClock()
        index = try scratch.index()
        _ = try index.reconcile(journal: folder.path, in: nil, settleTime: .zero)
        fresh = try scratch.freshIndex(of: [folder.path])
    }

    @Test(arguments: [
        "UPDATE source SET title = 'other'", "UPDATE source SET title = NULL",
        "UPDATE file SET id_count = id_count + 1 WHERE slot = 4",
        "DELETE FROM file WHERE slot = 3",
        "INSERT INTO block (file_id, number, hash) SELECT id, 7, 7 FROM file WHERE slot = 4",
        "UPDATE record SET offset_ms = offset_ms + 1 WHERE id = (SELECT max(id) FROM record)",
        "UPDATE record SET tags = ' x ' WHERE id = (SELECT min(id) FROM record)",
        "UPDATE record SET text = CAST(text AS BLOB)", "UPDATE record SET is_authoritative = 1",
        "DELETE FROM record WHERE id = (SELECT max(id) FROM record)",
        "INSERT INTO record (id, source_id, kind, is_authoritative, byte_offset, byte_length) SELECT 1, id, 2, 0, 0, 0 FROM source",
        "UPDATE media_path SET state = 'present'", "DELETE FROM finding",
        "UPDATE finding SET message = message || ' '", "DELETE FROM source",
    ])
    func `a row that is another, is missing or is too many is found out`(change: String) throws {
        #expect(try index.rowsHash(of: folder.path) == fresh.rowsHash(of: folder.path))
        #expect(try index.dump() == fresh.dump())
        try index.database.write { database in
            try database.query(change).run()
            #expect(try database.query("SELECT changes()").first { $0.int(0) } ?? 0 > 0)
        }
        #expect(try index.rowsHash(of: folder.path) != fresh.rowsHash(of: folder.path))
        // A dump shows what a column holds, not as which type SQLite keeps it.
        if !change.contains("AS BLOB") { #expect(try index.dump() != fresh.dump()) }
    }

    @Test func `two that do not know a session say the same of it`() throws {
        #expect(try index.rowsHash(of: "/nowhere") == fresh.rowsHash(of: "/nowhere"))
    }
}
