import Glibc
import Journals
import RecordFormat
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore

@testable import TraceIndex

/// What a reconcile reads, and what it says about it.
@Suite struct ReconcileTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
    }

    @discardableResult
    private func reconcile(
        _ verification: Verification = .quick, settleTime: Duration = .zero
    ) throws -> JournalReconciliation {
        try index.reconcile(
            journal: folder.path, in: scratch.root, settleTime: settleTime, verification: verification)
    }

    /// Whether the index is the one that a fresh reading would build.
    private func isRight() throws -> Bool {
        try index.dump() == scratch.freshIndex(of: [folder.path]).dump()
    }

    private func markers(_ range: Range<Int>) -> String {
        range.map {
            SessionFolder.marker($0, at: $0 * 10, more: #","label":"a label of some length \#($0)""#)
        }.joined()
    }

    @Test func `a new session is added, and then unchanged`() throws {
        try folder.append(SessionFolder.marker(1))
        let first = try reconcile()
        #expect(first.outcome == .added)
        #expect(first.addedRecords == [.timeline: 1, .marker: 1])
        #expect(first.rereadFiles.isEmpty && first.newFindings.isEmpty)
        try waitForClock()
        #expect(try reconcile().outcome == .unchanged)
        #expect(try reconcile().isSettled)
        #expect(try index.isCurrent(session: folder.path))
        #expect(try index.outdated(among: [folder.path], in: scratch.root) == [])
        #expect(try index.outdated(among: [folder.path], in: "/elsewhere") == [folder.path])
    }

    @Test func `an append adds its lines and reads no other`() throws {
        try folder.append(markers(0..<100))
        try reconcile()
        try folder.append(markers(100..<103))
        let result = try reconcile()
        #expect(result.outcome == .updated)
        #expect(result.addedRecords == [.marker: 3])
        #expect(result.rereadFiles.isEmpty)
        #expect(try isRight())
    }

    @Test func `nothing after the last newline is indexed, and its finding goes when it is finished`() throws
    {
        let line = SessionFolder.marker(1)
        try folder.append(String(line.dropLast(5)))
        let torn = try reconcile()
        #expect(torn.addedRecords[.marker] == nil)
        #expect(torn.newFindings.map(\.rule.id) == ["line-torn"])
        try folder.append(String(line.suffix(5)))
        let whole = try reconcile()
        #expect(whole.addedRecords == [.marker: 1])
        #expect(whole.goneFindings.map(\.rule.id) == ["line-torn"])
        #expect(try isRight())
    }

    @Test func `a last line in transit becomes a torn one by time alone`() throws {
        try folder.append("{\"id\":")
        let first = try reconcile(settleTime: .seconds(3600))
        #expect(first.newFindings.map(\.rule.id) == ["line-in-transit"])
        #expect(!first.isSettled)
        let later = try reconcile(settleTime: .zero)
        #expect(later.outcome == .updated)
        #expect(later.newFindings.map(\.rule.id) == ["line-torn"])
        #expect(later.goneFindings.map(\.rule.id) == ["line-in-transit"])
    }

    @Test(arguments: ["same size", "shorter", "longer", "other file"])
    func `a file whose indexed part changed is read whole`(change: String) throws {
        try folder.append(markers(0..<50))
        try reconcile()
        let old = folder.file("markers.jsonl").contents ?? []
        switch change {
        case "same size":
            var bytes = old
            let place = try #require(bytes.firstIndex(of: UInt8(ascii: "1")))
            bytes[place] = UInt8(ascii: "2")
            try folder.file("markers.jsonl").write(bytes, [])
        case "shorter": try folder.file("markers.jsonl").write(old.prefix(old.count / 2))
        case "longer": try folder.write(markers(1..<70), to: "markers.jsonl")
        default: try folder.replace("markers.jsonl", with: Array(markers(7..<80).utf8))
        }
        let result = try reconcile()
        #expect(result.rereadFiles == [.marker])
        #expect(try isRight())
    }

    @Test func `a copy that only has more lines is recognised, whatever file it is`() throws {
        try folder.append(markers(0..<50))
        try reconcile()
        try folder.replace("markers.jsonl", with: Array(markers(0..<52).utf8))
        let result = try reconcile()
        #expect(result.addedRecords == [.marker: 2])
        #expect(result.rereadFiles.isEmpty)
        #expect(try isRight())
    }

    @Test func `a touched file keeps its rows`() throws {
        try folder.append(markers(0..<50))
        try reconcile()
        try folder.file("markers.jsonl").setModified(secondsAgo: 5000)
        let result = try reconcile()
        #expect(result.outcome == .unchanged)
        #expect(try isRight())
    }

    @Test func `an edit of the same size and time is found, for the change time tells`() throws {
        try folder.append(markers(0..<50))
        let file = folder.file("markers.jsonl")
        try file.setModified(secondsAgo: 100)
        let before = try SessionReader(folder.path).identity(of: .marker)
        try waitForClock()
        try reconcile()
        let text = String(decoding: file.contents ?? [], as: UTF8.self).replacing(
            "length 7\"", with: "length 8\"")
        try file.write(text.utf8, [])
        var times = [timespec(), timespec()]
        let modified = try #require(before?.modified)
        times[0].tv_sec = Int(modified.seconds)
        times[0].tv_nsec = Int(modified.nanoseconds)
        times[1] = times[0]
        #expect(file.withPlatformString { utimensat(AT_FDCWD, $0, times, 0) } == 0)
        #expect(try SessionReader(folder.path).identity(of: .marker)?.modified == modified)
        #expect(try !index.isCurrent(session: folder.path))
        #expect(try reconcile().rereadFiles == [.marker])
        #expect(try isRight())
    }

    @Test func `an edit within the same tick of the clock is found by the next reconcile`() throws {
        try folder.append(markers(0..<50))
        let file = folder.file("markers.jsonl")
        let old = String(decoding: file.contents ?? [], as: UTF8.self)
        for number in 0..<40 {
            try file.write(old.replacing("length 7\"", with: "length \(number % 10)\"").utf8, [])
            try reconcile()
            // No pause: now and then both writes have the same times.
            try file.write(old.replacing("length 7\"", with: "length \((number + 5) % 10)\"").utf8, [])
            #expect(try !index.isCurrent(session: folder.path))
            try reconcile()
            #expect(try isRight())
        }
    }

    @Test func `a middle edit together with an append to a long file is found when it rests`() throws {
        try folder.append(markers(0..<12_000))
        try waitForClock()
        #expect(try reconcile().isSettled)
        let file = folder.file("markers.jsonl")
        var bytes = file.contents ?? []
        #expect(bytes.count > 1 << 20)
        bytes[bytes.count / 2] = UInt8(ascii: "?")
        try file.write(bytes, [])
        try folder.append(markers(12_000..<12_001))
        try waitForClock()

        let quick = try reconcile(.quick)
        #expect(quick.addedRecords == [.marker: 1])
        #expect(quick.rereadFiles.isEmpty)
        #expect(!quick.isSettled)
        #expect(try !index.isCurrent(session: folder.path))
        #expect(try reconcile(.quick).outcome == .unchanged)

        let thorough = try reconcile(.thorough)
        #expect(thorough.rereadFiles == [.marker])
        #expect(thorough.isSettled)
        #expect(try isRight())
        #expect(try reconcile(.thorough).outcome == .unchanged)
    }

    @Test func `many appends to a long file need no reading of it, and are proven at rest`() throws {
        try folder.append(markers(0..<12_000))
        try reconcile()
        for number in 0..<30 {
            try folder.append(markers(12_000 + number * 40..<12_040 + number * 40))
            let result = try reconcile()
            #expect(result.addedRecords == [.marker: 40])
            #expect(result.rereadFiles.isEmpty)
        }
        try waitForClock()
        let rest = try reconcile(.thorough)
        #expect(rest.outcome == .unchanged)
        #expect(rest.isSettled)
        #expect(try isRight())
    }

    @Test func `a file that can't be read is a finding, and is tried again`() throws {
        try folder.file("markers.jsonl").unlink()
        try folder.file("markers.jsonl").makeDirectory()
        #expect(try reconcile().newFindings.map(\.rule.id).contains("file-unreadable"))
        #expect(try index.findings().map(\.finding) == Inspection(of: folder.path).findings)
        #expect(try !reconcile().isSettled)
        try folder.file("markers.jsonl").removeTree()
        try folder.append(markers(0..<1))
        #expect(try reconcile().goneFindings.map(\.rule.id).contains("file-unreadable"))
        #expect(try isRight())
    }

    @Test func `a session whose session.json is broken or without id has a row`() throws {
        for text in ["{}", "", "nonsense", "[]", SessionFolder.header(id: "x")] {
            try folder.write(text, to: "session.json")
            try reconcile()
            let session = try #require(try index.session(at: folder.path))
            #expect(session.id == nil)
            #expect((session.findingCounts[.error] ?? 0) > 0)
            #expect(try index.findings().map(\.finding) == Inspection(of: folder.path).findings)
        }
    }

    @Test func `a corrected start moves the wall times of all records`() throws {
        try folder.append(markers(1..<3))
        try reconcile()
        let before = try index.records(of: folder.path, kind: .marker).compactMap(\.wallTime?.description)
        #expect(before == ["2026-02-04T19:00:00.010Z", "2026-02-04T19:00:00.020Z"])
        try folder.write(SessionFolder.header(startTime: "2026-02-04T20:00:00.000Z"), to: "session.json")
        #expect(try reconcile().outcome == .updated)
        let after = try index.records(of: folder.path, kind: .marker).compactMap(\.wallTime?.description)
        #expect(after == ["2026-02-04T20:00:00.010Z", "2026-02-04T20:00:00.020Z"])
    }

    @Test func `media that come and go change their finding without any other file`() throws {
        try folder.write(SessionFolder.header(voiceNotes: true), to: "session.json")
        try folder.append(SessionFolder.voiceNote(1), to: "voice_notes.jsonl")
        #expect(try reconcile().newFindings.map(\.rule.id) == ["media-missing"])
        try folder.path.pushing("media/a.m4a").write([1])
        #expect(try reconcile().goneFindings.map(\.rule.id) == ["media-missing"])
        try waitForClock()
        try reconcile()
        try folder.path.pushing("media/a.m4a").unlink()
        #expect(try reconcile().newFindings.map(\.rule.id) == ["media-missing"])
        #expect(try isRight())
    }

    @Test func `a vanished directory or session.json takes the rows along`() throws {
        try reconcile()
        try folder.file("session.json").unlink()
        #expect(try reconcile().outcome == .removed)
        #expect(try index.dump() == [])
        try folder.write(SessionFolder.header(), to: "session.json")
        #expect(try reconcile().outcome == .added)
        try folder.path.removeTree()
        #expect(try reconcile().outcome == .removed)
        #expect(try reconcile().outcome == .removed)
        #expect(try index.dump() == [])
        #expect(try index.roots().map(\.journalCount) == [0])
    }

    @Test func `forgetting and rebuilding remove rows, and the next reconcile brings them back`() throws {
        try folder.append(markers(0..<5))
        try reconcile()
        let dump = try index.dump()
        try index.forget(session: folder.path)
        #expect(try index.dump() == [])
        try reconcile()
        #expect(try index.dump() == dump)
        try index.rebuild()
        #expect(try index.dump() == [])
        #expect(try index.outdated(among: [folder.path]) == [folder.path])
        #expect(try reconcile().outcome == .added)
        #expect(try index.dump() == dump)
    }

    @Test func `a rebuilt index takes the place of the old one under those who have it open`() throws {
        try folder.append(markers(0..<5))
        try waitForClock()
        try reconcile()
        let (other, reader) = (
            try scratch.index(), try JournalIndex(readingAt: index.path, formats: Journals.all)
        )
        let dump = try other.dump()
        try index.setRoot("/mnt/gone", state: .offline)
        try index.rebuild { fresh in
            _ = try fresh.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
            #expect(try other.dump() == dump)
        }
        #expect(try index.dump() == dump)
        #expect(try other.dump() == dump)
        #expect(try reader.dump() == dump)
        #expect(
            other.drainNotices() == [
                "\(index.path): the index was deleted or replaced by another process; everything will be read again"
            ])
        #expect(try index.roots().map(\.state) == [.offline, .online])
        #expect(try index.outdated(among: [folder.path]) == [])
        try folder.append(markers(5..<6))
        try reconcile()
        #expect(try other.dump() == index.dump())
        #expect(try scratch.path.names.allSatisfy { !$0.string.hasPrefix("trace-") })
    }

    @Test
    func `an index that is made again is another, though it may get the number of the file that is gone`()
        throws
    {
        try reconcile()
        for _ in 0..<10 {
            let opened = try #require(try index.opened())
            #expect(index.isStill(opened))
            #expect(try index.opened() == opened)
            // Nobody else has it open, so that its number is free as soon as it is closed.
            for suffix in ["", "-wal", "-shm"] { unlink(index.path.string + suffix) }
            #expect(!index.isStill(opened))
            try index.checkFile()
            #expect(!index.isStill(opened))
            #expect(try index.opened() != opened)
        }
    }

    @Test func `a rebuild that fails leaves the index as it was`() throws {
        struct Stop: Error {}
        try folder.append(markers(0..<5))
        try reconcile()
        let dump = try index.dump()
        #expect(throws: Stop.self) { try index.rebuild { _ in throw Stop() } }
        #expect(try index.dump() == dump)
        #expect(index.drainNotices() == [])
    }

    @Test func `tags are kept and found whatever stands in them`() throws {
        let tags = ["plain", "Two words", "", ",", "a\\nb", "line\nbreak", "back\\", "\\", "Ü", "'\""]
        let json = #"["plain","Two words","",",","a\\nb","line\nbreak","back\\","\\","Ü","'\""]"#
        try folder.append(SessionFolder.marker(1, at: 5, more: #","tags":\#(json)"#))
        try folder.append(SessionFolder.marker(2, at: 6, more: #","tags":[]"#))
        try reconcile()
        #expect(try index.records(of: folder.path, kind: .marker).map(\.tags) == [tags, []])
        for tag in tags + ["PLAIN", "LINE\nBREAK"] {
            #expect(try index.records(of: folder.path, kind: .marker, tag: tag).count == 1, "\(tag)")
        }
        for tag in ["plai", "two", "break", "line", "n", "b", "ü", "\n", "\nplain\n"] {
            #expect(try index.records(of: folder.path, kind: .marker, tag: tag).isEmpty, "\(tag)")
        }
    }

    @Test func `names that are not UTF-8 are kept as bytes`() throws {
        let name = try #require(FilePath.Component(bytes: [0x61, 0xFF, 0xFE]))
        let crooked = try scratch.session(name)
        _ = try index.reconcile(journal: crooked.path, in: scratch.root)
        let found = try index.sessions()
        #expect(found.map(\.path) == [crooked.path])
        #expect(found.first?.path.bytes == crooked.path.bytes)
        #expect(try index.isCurrent(session: crooked.path) || true)
        #expect(try index.retain(sessions: [crooked.path], in: scratch.root) == [])
    }

    @Test func `a thrown reading leaves the index as it was`() throws {
        struct Stop: Error {}
        try folder.append(markers(0..<5))
        try reconcile()
        let dump = try index.dump()
        #expect(throws: Stop.self) {
            try index.database.write { database in
                try database.query("DELETE FROM record").run()
                throw Stop()
            }
        }
        #expect(try index.dump() == dump)
    }

    @Test func `a long file is read ahead by a second thread with the same outcome`() throws {
        try folder.append(markers(0..<60_000) + "nonsense\n" + markers(60_000..<60_010) + "torn")
        #expect((folder.file("markers.jsonl").contents?.count ?? 0) > 8 << 20)
        let result = try reconcile()
        #expect(result.addedRecords[.marker] == 60_010)
        #expect(
            try index.findings().map(\.finding) == Inspection(of: folder.path, settleTime: .zero).findings)
        let last = try #require(try index.lastMarker(of: folder.path))
        #expect(last.line == 60_011)
        #expect(try index.line(of: last) == Array(markers(60_009..<60_010).utf8).dropLast())
    }

    @Test func `a scan whose taker fails ends its thread`() throws {
        struct Stop: Error {}
        try folder.append(markers(0..<60_000))
        let file = try #require(try OpenDirectory(folder.path).openRegularFile("markers.jsonl"))
        let scan = RecordScan(
            file: file, schema: .marker, start: .start, hasher: BlockHasher(), isSettled: true)
        for limit in [0, 1, 5000, 59_999] {
            var count = 0
            #expect(throws: Stop.self) {
                _ = try scan.run { batch in
                    count += batch.rows.count
                    if count > limit { throw Stop() }
                }
            }
            #expect((limit + 1..<limit + 1000).contains(count))
        }
    }
}
