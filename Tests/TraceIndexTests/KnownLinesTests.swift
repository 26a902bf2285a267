import GRDB
import Glibc
import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceStore

@testable import TraceIndex

/// The look for ids by the index finds what reading all files finds, whatever happened since the index read them.
struct KnownLinesTests {
    let scratch: Scratch
    let folder: SessionFolder
    let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
        try folder.append(
            SessionFolder.marker(1) + "{\"offset_ms\":5}\n" + SessionFolder.marker(2)
                + SessionFolder.marker(1, at: 7) + "{\"id\":\"01A\n" + SessionFolder.marker(3))
        try folder.append(SessionFolder.voiceNote(3) + SessionFolder.voiceNote(4), to: "voice_notes.jsonl")
        try folder.append(
            SessionFolder.action(5) + SessionFolder.action(5, "succeeded"), to: "actions.jsonl")
    }

    private static let ids = Set((1...9).compactMap { ULID(SessionFolder.id($0)) })

    /// The lines of each id, by the files alone or with the help of an index.
    private func found(by lookup: (any RecordLookup)?) throws -> [String] {
        try SessionReader(folder.path).existing(Self.ids, by: lookup).flatMap { id, lines in
            lines.enumerated().map { number, line in
                "\(id) \(number) \(line.kind.rawValue) \(String(decoding: line.line, as: UTF8.self))"
            }
        }.sorted()
    }

    private func expectSame(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected = try found(by: nil)
        #expect(try found(by: index) == expected, sourceLocation: sourceLocation)
    }

    private func reconcile() throws {
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        try waitForClock()
    }

    @Test func `superseded lines, other kinds and several lines of an id are all found`() throws {
        try reconcile()
        try expectSame()
        #expect(try found(by: index).count == 8)
        #expect(try SessionReader(folder.path).existing([], by: index).isEmpty)
    }

    @Test func `a session that the index has not read, and an index that is gone, change nothing`() throws {
        try expectSame()
        try reconcile()
        for name in try scratch.path.names where name.string.hasPrefix("index.sqlite") {
            try scratch.path.appending(name).unlink()
        }
        try expectSame()
    }

    static let changes: [(name: String, change: @Sendable (SessionFolder) throws -> Void)] = [
        ("lines appended", { try $0.append(SessionFolder.marker(6) + SessionFolder.marker(2, at: 9)) }),
        ("a first line of a kind", { try $0.write(SessionFolder.segment(7), to: "transcript.jsonl") }),
        ("a torn line appended", { try $0.append(String(SessionFolder.marker(6).dropLast(9))) }),
        ("a whole line without its newline", { try $0.append(String(SessionFolder.marker(6).dropLast())) }),
        (
            "replaced by rename",
            { try $0.replace("markers.jsonl", with: Array((SessionFolder.marker(8)).utf8)) }
        ),
        (
            "replaced by one that begins the same",
            { folder in
                let old = folder.file("markers.jsonl").contents ?? []
                try folder.replace("markers.jsonl", with: old + Array(SessionFolder.marker(8).utf8))
            }
        ),
        ("rewritten in place, shorter", { try $0.write(SessionFolder.marker(2), to: "markers.jsonl") }),
        (
            "rewritten in place, longer",
            {
                try $0.write(
                    (1...9).reversed().map { SessionFolder.marker($0) }.joined(), to: "markers.jsonl")
            }
        ),
        (
            "edited in place, as long as before",
            { folder in
                let old = String(decoding: folder.file("markers.jsonl").contents ?? [], as: UTF8.self)
                try folder.write(
                    old.replacing(SessionFolder.id(2), with: SessionFolder.id(9)), to: "markers.jsonl")
            }
        ),
        ("a file that is gone", { try $0.file("voice_notes.jsonl").unlink() }),
    ]

    @Test(arguments: changes.indices)
    func `what changed since is seen`(_ number: Int) throws {
        try reconcile()
        try Self.changes[number].change(folder)
        try expectSame()
        try reconcile()
        try expectSame()
    }

    @Test func `rows that lead to other lines are not believed`() throws {
        try reconcile()
        let expected = try found(by: nil)
        for change in [
            "byte_offset = byte_offset + 1", "byte_length = byte_length - 1", "byte_offset = 0",
            "byte_length = 1 << 40", "byte_offset = -5",
        ] {
            try index.database.write { try $0.execute(sql: "UPDATE record SET \(change)") }
            #expect(try found(by: index) == expected, "\(change)")
            try index.forget(session: folder.path)
            try reconcile()
        }
    }

    @Test func `another session in the same place is not taken for the one that was read`() throws {
        try reconcile()
        try folder.path.rename(to: scratch.root.appending("away"))
        let other = try SessionFolder(folder.path)
        try other.append(SessionFolder.marker(6))
        try expectSame()
        #expect(try found(by: index).count == 1)
    }

    @Test func `the look into a long file costs the same whether it has grown or not`() throws {
        try folder.append((100..<30_000).map { SessionFolder.marker($0, at: $0) }.joined())
        try reconcile()
        let reader = try SessionReader(folder.path)
        let whole = try CountedWork.bytesRead { _ = try reader.existing(Self.ids) }
        try #require(whole > 3 << 20)
        let settled = try CountedWork.bytesRead { _ = try reader.existing(Self.ids, by: index) }
        #expect(settled < 512 << 10, "\(settled) bytes of \(whole)")
        try folder.append(SessionFolder.marker(6))
        // The first block and the last two are compared.
        let grown = try CountedWork.bytesRead { _ = try reader.existing(Self.ids, by: index) }
        #expect(grown < 768 << 10, "\(grown) bytes of \(whole)")
        try expectSame()
    }
}
