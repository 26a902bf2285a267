import GRDB
import Glibc
import Journals
import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceStore

@testable import TraceIndex

/// The index after any sequence of changes is the one that a fresh reading would build.
@Suite struct IncrementalTests {
    /// `TRACE_TEST_SEEDS` in the environment asks for more.
    private static let seedCount = getenv("TRACE_TEST_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 24

    /// Every row tells of a line that stands in the file at that place.
    private func checkSlices(_ index: JournalIndex, _ session: FilePath, _ context: String) throws {
        for record in try index.records(of: session, authoritativeOnly: false) {
            let bytes = record.file.contents ?? []
            let line = bytes[record.byteOffset..<record.byteOffset + record.byteLength]
            #expect(record.byteOffset == 0 || bytes[record.byteOffset - 1] == 0x0A, "\(context)")
            let end = bytes[(record.byteOffset + record.byteLength)...]
            #expect(end.starts(with: [0x0A]) || end.starts(with: [0x0D, 0x0A]), "\(context)")
            #expect(!line.contains(0x0A))
            #expect(try index.line(of: record) == Array(line), "\(context)")
            #expect(bytes[..<record.byteOffset].count { $0 == 0x0A } + 1 == record.line, "\(context)")
        }
    }

    @Test(arguments: Torture.choose(Array(0..<seedCount), sample: 3, "incremental"))
    func `the incremental index equals a fresh one after random changes`(seed: UInt64) throws {
        let scratch = try Scratch()
        let index = try scratch.index()
        var random = RandomSession(try scratch.session(), seed: seed)
        let session = random.folder.path
        // An unfinished last line counts as torn at once, or stays in transit for good.
        let settleTime: Duration = seed.isMultiple(of: 2) ? .zero : .seconds(1 << 30)
        var history = "seed \(seed)"
        for step in 0..<30 {
            history += "\n\(step): \(try random.step())"
            if Int.random(in: 0..<3) == 0 { continue }
            let result = try index.reconcile(
                journal: session, in: scratch.root, settleTime: settleTime,
                verification: step % 3 == 0 ? .thorough : .quick)
            let fresh = try scratch.freshIndex(of: [session], settleTime: settleTime)
            let (ours, theirs) = (try index.dump(), try fresh.dump())
            try #require(ours == theirs, "\(history)\n\(ours.difference(from: theirs))")
            #expect(try index.rowsHash(of: session) == fresh.rowsHash(of: session), "\(history)")

            let inspection = try Inspection(of: session, settleTime: settleTime)
            let findings = try index.findings(of: session).map(\.finding)
            try #require(findings == inspection.findings, "\(history)")
            #expect(result.findingCount == findings.count, "\(history)")
            #expect(try index.session(at: session)?.counts == inspection.counts, "\(history)")
            try checkSlices(index, session, history)
        }
    }

    @Test func `an edit in the middle of a file that has grown is seen at once`() throws {
        let scratch = try Scratch()
        let index = try scratch.index()
        let folder = try scratch.session()
        // Several blocks, and not so many that a quick look would compare the ends alone.
        let lines = (0..<5000).map { SessionFolder.marker($0, at: $0) }
        try folder.write(lines.joined(), to: "markers.jsonl")
        _ = try index.reconcile(journal: folder.path, in: nil, settleTime: .zero)
        var edited = lines
        edited[2500] = SessionFolder.marker(2500, at: 9999)
        let file = try FileDescriptor.open(folder.file("markers.jsonl"), .writeOnly)
        try file.writeAll(edited.joined().utf8)
        try file.close()
        try folder.append(SessionFolder.marker(5000, at: 5000))
        _ = try index.reconcile(
            journal: folder.path, in: nil, settleTime: .zero, verification: .quick)
        #expect(try index.dump() == scratch.freshIndex(of: [folder.path], settleTime: .zero).dump())
    }

    @Test func `a large file that grew while it was read is compared at its ends, like one that grew later`()
        throws
    {
        let scratch = try Scratch()
        let index = try scratch.index()
        let folder = try scratch.session()
        let lines = (0..<16_000).map { SessionFolder.marker($0, at: $0) }
        try folder.write(lines.joined(), to: "markers.jsonl")
        _ = try index.reconcile(journal: folder.path, in: nil, settleTime: .zero)
        // As if its last line had been written between the look at the file and the reading.
        try index.database.write { try $0.execute(sql: "UPDATE file SET size = size - 10") }
        let file = try #require(try OpenDirectory(folder.path).openRegularFile("markers.jsonl"))
        try index.database.read { database in
            let source = try #require(try KnownSource(database, at: folder.path))
            let known = try #require(source[RecordKind.marker.slot])
            #expect(known.isLarge && known.resumePoint.byteOffset == Int(file.identity.size))
            let prefix = IndexedPrefix(of: known, in: database)
            #expect(try prefix.resumption(in: file, .quick)?.isWhole == false)
            #expect(try prefix.resumption(in: file, .thorough)?.isWhole == true)
        }
    }

    @Test func `a long file settles its ids in one pass as if they were looked up one by one`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        var numbers = SeededRandom(seed: 7)
        let lines = (0..<9000).map { line in
            SessionFolder.marker(Int.random(in: 0..<8000, using: &numbers), at: line)
        }
        try folder.write(lines.joined(), to: "markers.jsonl")
        try folder.write(
            (0..<20).map { SessionFolder.action($0 * 7) + SessionFolder.action($0 * 7, "failed") }.joined(),
            to: "actions.jsonl")

        let whole = try scratch.index()
        _ = try whole.reconcile(journal: folder.path, in: nil, settleTime: .zero)
        let piecemeal = try JournalIndex(at: scratch.path.appending("pieces.sqlite"), formats: Journals.all)
        try folder.write("", to: "markers.jsonl")
        for start in stride(from: 0, to: lines.count, by: 1000) {
            try folder.append(lines[start..<start + 1000].joined())
            _ = try piecemeal.reconcile(journal: folder.path, in: nil, settleTime: .zero)
        }
        _ = try whole.reconcile(journal: folder.path, in: nil, settleTime: .zero)

        #expect(try piecemeal.dump() == whole.dump())
        let inspection = try Inspection(of: folder.path, settleTime: .zero)
        #expect(try whole.findings().map(\.finding) == inspection.findings)
        #expect(inspection.findings.contains { $0.rule.id == "id-duplicate" })
        #expect(try whole.session(at: folder.path)?.counts == inspection.counts)
    }

    /// Of so much is read at once that the indexes are taken away and made anew behind the rows.
    @Test(arguments: Torture.choose([0, 200, 20_000], sample: 1, "in bulk"))
    func `a file that is read in bulk has the rows of one that was read bit by bit`(others: Int) throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let other = try scratch.session("other")
        try other.append((0..<others).map { SessionFolder.marker($0, at: $0) }.joined())
        try folder.write(
            (0..<20).map { SessionFolder.action($0 * 7) + SessionFolder.action($0 * 7, "failed") }.joined(),
            to: "actions.jsonl")
        var numbers = SeededRandom(seed: 11)
        let note = String(repeating: "words ", count: 80)
        let lines = (0..<12_000).map { line in
            SessionFolder.marker(
                Int.random(in: 0..<11_000, using: &numbers), at: line,
                more: #","note":"\#(note)","tags":["highlight"]"#)
        }
        let piecemeal = try JournalIndex(at: scratch.path.appending("pieces.sqlite"), formats: Journals.all)
        for start in stride(from: 0, to: lines.count, by: 1000) {
            try folder.append(lines[start..<start + 1000].joined())
            _ = try piecemeal.reconcile(journal: folder.path, in: nil, settleTime: .zero)
        }
        _ = try piecemeal.reconcile(journal: other.path, in: nil, settleTime: .zero)

        let whole = try scratch.index()
        let asked = try JournalIndex(readingAt: whole.path, formats: Journals.all)
        for path in [other.path, folder.path] {
            _ = try whole.reconcile(journal: path, in: nil, settleTime: .zero)
        }
        #expect(try whole.dump() == piecemeal.dump())
        // One that was open all the time sees the same.
        #expect(try asked.dump() == piecemeal.dump())
        #expect(try schema(of: whole) == schema(of: piecemeal))
        try folder.append(SessionFolder.marker(3))
        for index in [whole, piecemeal] {
            _ = try index.reconcile(journal: folder.path, in: nil, settleTime: .zero)
        }
        #expect(try whole.dump() == piecemeal.dump())
    }

    private func schema(of index: JournalIndex) throws -> [String] {
        try index.database.read {
            try $0.query("SELECT name, sql FROM sqlite_schema ORDER BY name").map {
                "\($0.text(0) ?? ""): \($0.text(1) ?? "")"
            }
        }
    }

    @Test func `a line of more than 16 MiB is found with and without its end`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let index = try scratch.index()
        let pieces = [
            SessionFolder.marker(1), String(repeating: "x", count: (16 << 20) + 5000), "yyy\n",
            SessionFolder.marker(2),
        ]
        for piece in pieces {
            try folder.append(piece)
            _ = try index.reconcile(journal: folder.path, in: nil, settleTime: .zero)
            let fresh = try scratch.freshIndex(of: [folder.path])
            #expect(try index.dump() == fresh.dump())
            #expect(
                try index.findings().map(\.finding) == Inspection(of: folder.path, settleTime: .zero).findings
            )
        }
        #expect(try index.records(of: folder.path, kind: .marker).map(\.line) == [1, 3])
    }
}
