import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// A ledger that is kept in memory says what the file says, whatever others do to the file.
struct LedgerMemoryTests {
    let scratch: ScratchDirectory
    let directory: OpenDirectory
    let memory = LedgerMemory()

    init() throws {
        scratch = try ScratchDirectory()
        directory = try OpenDirectory(scratch.path)
    }

    private static let file: FilePath.Component = "applied.jsonl"

    private static func line(_ id: Int) -> String { "{\"id\":\"\(number(id))\",\"applied_at\":\"\"}\n" }

    /// Which of some ids it knows.
    private func known(_ ids: ClosedRange<Int> = 10...20) throws -> [Int] {
        try memory.read(in: directory) { contents in ids.filter { contents.contains(number($0)) } }
    }

    private func entry(_ id: Int) -> SpoolEntry {
        SpoolEntry(
            id: number(id), kind: .marker, journalID: SampleSession.id, createdAt: morning,
            payload: JSONText(verbatim: QueueScene.markerLine(id).utf8))
    }

    // MARK: - Others

    @Test func `lines that another process adds are known at the next use`() throws {
        #expect(try known() == [])
        try scratch.write(Self.line(10), to: Self.file)
        #expect(try known() == [10])
        try scratch.append(Self.line(11) + Self.line(12), to: Self.file)
        #expect(try known() == [10, 11, 12])
        #expect(try known() == [10, 11, 12])
    }

    @Test func `a file that replaced it is read whole, larger or smaller`() throws {
        try scratch.write(Self.line(10) + Self.line(11), to: Self.file)
        #expect(try known() == [10, 11])
        try scratch.renameOver(Self.file, Self.line(12))
        #expect(try known() == [12])
        try scratch.renameOver(Self.file, Self.line(13) + Self.line(14) + Self.line(15))
        #expect(try known() == [13, 14, 15])
        try #require(unlink(scratch(Self.file).string) == 0)
        #expect(try known() == [])
    }

    @Test func `a file that was cut off, and one that was rewritten in place, are read whole`() throws {
        try scratch.write(Self.line(10) + Self.line(11), to: Self.file)
        #expect(try known() == [10, 11])
        try #require(truncate(scratch(Self.file).string, Int(Self.line(10).utf8.count)) == 0)
        #expect(try known() == [10])
        // Longer than before, with another line where the last one stood.
        try scratch.write(Self.line(12) + Self.line(13) + Self.line(14), to: Self.file)
        #expect(try known() == [12, 13, 14])
    }

    @Test func `a torn last line is not taken for one, and counts when it is whole`() throws {
        let line = Self.line(11)
        try scratch.write(Self.line(10), to: Self.file)
        for count in 1..<(line.utf8.count - 1) {
            try scratch.write(Self.line(10) + line.prefix(count), to: Self.file)
            #expect(try known() == [10], "\(count)")
        }
        // Whole, but for its newline.
        try scratch.append(String(line.dropLast().suffix(1)), to: Self.file)
        #expect(try known() == [10, 11])
        try scratch.append("\n" + Self.line(12), to: Self.file)
        #expect(try known() == [10, 11, 12])
    }

    @Test func `a last line without its newline that others take back is forgotten`() throws {
        try scratch.write(Self.line(10) + Self.line(11).dropLast(), to: Self.file)
        #expect(try known() == [10, 11])
        try #require(truncate(scratch(Self.file).string, Int(Self.line(10).utf8.count)) == 0)
        try scratch.append(Self.line(12) + Self.line(13), to: Self.file)
        #expect(try known() == [10, 12, 13])
    }

    @Test func `a ledger of another directory is never mixed in`() throws {
        let other = try ScratchDirectory()
        try scratch.write(Self.line(10), to: Self.file)
        try other.write(Self.line(11), to: Self.file)
        for _ in 0..<3 {
            #expect(try known() == [10])
            let ids = try memory.read(in: OpenDirectory(other.path)) { contents in
                [10, 11].filter { contents.contains(number($0)) }
            }
            #expect(ids == [11])
        }
    }

    @Test func `a ledger that can't be read is an error each time, and not an empty one`() throws {
        try scratch.write(Self.line(10), to: Self.file)
        #expect(try known() == [10])
        try #require(unlink(scratch(Self.file).string) == 0)
        try scratch.makeDirectory(Self.file)
        for _ in 0..<2 { #expect(code { try known() } == .notRegularFile) }
    }

    @Test func `a program that rewrites it while it is read is waited for`() throws {
        try scratch.write(Self.line(10), to: Self.file)
        let steps = Steps()
        let path = scratch(Self.file)
        let watched = try OpenDirectory(scratch.path) { step, _ throws(Errno) in
            // In place, shorter, so that the first reading is of neither.
            if step == .verify, steps.add(step) == 1 { try? path.write("{\"id\":\"\(number(11))\"}\n") }
        }
        let ids = try memory.read(in: watched) { contents in
            [10, 11].filter { contents.contains(number($0)) }
        }
        #expect(ids == [11])
    }

    // MARK: - Cost

    @Test func `a line more in a ledger of 100,000 costs that line`() throws {
        let lines = (100_000..<200_000).map(Self.line).joined()
        try scratch.write(lines, to: Self.file)
        let whole = try CountedWork.bytesRead { _ = try known(100_000...100_002) }
        #expect(whole >= lines.utf8.count)
        let ledger = try Ledger(in: directory, memory)
        let added = try CountedWork.bytesRead {
            try ledger.add(entry(10), at: morning)
            _ = try known()
        }
        #expect(try known() == [10])
        #expect(added < 1 << 14, "\(added) bytes")
        try scratch.append(Self.line(11), to: Self.file)
        let read = try CountedWork.bytesRead { _ = try known() }
        #expect(try known() == [10, 11])
        #expect(read < 1 << 13, "\(read) bytes")
    }

    // MARK: - Adding

    @Test func `threads with memories of their own note each entry once`() async throws {
        let path = scratch.path
        let entries = (100..<120).map(entry)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let ledger = try Ledger(in: OpenDirectory(path))
                    for entry in entries { try ledger.add(entry, at: morning) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try scratch.text(of: Self.file).split(separator: "\n").count == entries.count)
    }

    @Test func `entries that are noted together are lines of their own, each id once`() throws {
        let ledger = try Ledger(in: directory, memory)
        try ledger.add(entry(10), at: morning)
        try ledger.add([entry(10), entry(11), entry(12), entry(11)].map { ($0, nil) }, at: morning)
        #expect(try known() == [10, 11, 12])
        #expect(try scratch.text(of: Self.file).split(separator: "\n").count == 3)
    }

    @Test func `who delivered an entry is remembered, also when its record is removed or put back`() throws {
        let ledger = try Ledger(in: directory, memory)
        let phone = Deliverer(token: number(90), person: "Ada")
        try ledger.add(entry(10), deliveredBy: phone, at: morning)
        try ledger.add(entry(11), deliveredBy: Deliverer(token: number(91)), at: morning)
        try ledger.add(entry(12), at: morning)
        try ledger.addRemoved([number(10)], at: morning)
        try ledger.add(entry(10), at: morning)
        for contents in [ledger.contents, try LedgerContents(in: directory)] {
            #expect(contents.deliverer(of: number(10), in: SampleSession.id) == phone)
            #expect(contents.deliverer(of: number(11), in: SampleSession.id) == Deliverer(token: number(91)))
            #expect(contents.deliverer(of: number(12), in: SampleSession.id) == nil)
            #expect(contents.contains(entry(10)) && !contents.isRemoved(number(10)))
        }
        let text = try scratch.text(of: Self.file)
        #expect(text.contains("\"token\":\"\(number(90))\",\"person\":\"Ada\",\"applied_at\":"))
        #expect(text.contains("\"token\":\"\(number(91))\",\"applied_at\":"))
    }
}
