import Journals
import RecordFormat
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import TraceIndex

/// A kind of journal of a test's own: what the index does for sessions it does for any kind that is declared.
private struct LogFormat: JournalFormat {
    static let entry = EntryKind(code: 126)
    static let order = Rule(
        "log-order", .error, "A log is in the order of time.", cure: "move the line to its place")

    let layout = JournalLayout(
        JournalKind(name: "log"),
        files: [
            JournalFile(.header, document: "log.json", of: []),
            JournalFile(
                FileSlot(3),
                linesOf: RecordSchema(
                    entry, in: "entries.jsonl",
                    [
                        .required("id", .ulid), .required("at_ms", .milliseconds),
                        .required("words", .string), .optional("game", .string),
                    ], columns: RecordColumns(offset: "at_ms", subject: "game", text: "words"),
                    order: order)),
        ],
        entryKinds: [EntryDeclaration(entry, "log.entry", isSearched: true)],
        rules: Rule.reading + Rule.schema + [order])
    let fileNames: [FilePath.Component] = ["log.json", "entries.jsonl"]

    func header(of snapshot: JournalSnapshot) throws -> JournalHeader {
        var header = JournalHeader()
        guard let file = try snapshot.directory.readFile("log.json", limit: 1 << 20) else { return header }
        header.identity = file.identity
        header.epoch = Timestamp(milliseconds: 0)
        try JSONParser().withParsed(file.contents) { root in
            header.id = root[name: "id"]?.string
            header.title = root[name: "title"]?.string
        }
        return header
    }
}

struct JournalKindTests {
    private let scratch: Scratch
    private let formats = JournalRegistry(Journals.all.formats + [LogFormat()])
    private let log: FilePath

    init() throws {
        scratch = try Scratch()
        log = scratch.root.appending("pinball")
        try scratch.root.makeDirectory()
        try log.makeDirectory()
        try log.appending("log.json").write(#"{"id":"7f","title":"Flippers"}"#.utf8)
        try log.appending("entries.jsonl").write(
            (Self.line(1, at: 5000, "Multiball at last") + Self.line(2, at: 9000, "tilt")).utf8)
    }

    private static func line(_ number: Int, at moment: Int, _ words: String) -> String {
        #"{"id":"01KGNQZP00000000000000000\#(number)","at_ms":\#(moment),"words":"\#(words)","game":"g\#(number)"}"#
            + "\n"
    }

    private func index(_ name: FilePath.Component = "index.sqlite") throws -> JournalIndex {
        try JournalIndex(at: scratch.path.appending(name), formats: formats)
    }

    @Test func `a journal of another kind is found beside the sessions`() throws {
        let session = try scratch.session()
        #expect(JournalFinder.journals(in: scratch.root, of: formats) == [session.path, log])
        #expect(JournalFinder.journals(in: scratch.root, of: Journals.all) == [session.path])
        #expect(formats.matters("entries.sync-conflict-20260204-120000-ABCDEFG.jsonl"))
        #expect(try formats.isJournal(log) && !Journals.all.isJournal(log))
    }

    @Test func `its records, its header and its findings are indexed, and what is appended comes to them`()
        throws
    {
        let index = try index()
        let first = try index.reconcile(journal: log, in: scratch.root, settleTime: .zero)
        #expect(first.outcome == .added && first.addedRecords == [LogFormat.entry: 2])
        #expect(first.newFindings.isEmpty)
        try log.appending("entries.jsonl").write(Self.line(3, at: 7000, "again").utf8, .append)
        let second = try index.reconcile(journal: log, in: scratch.root, settleTime: .zero)
        #expect(second.addedRecords == [LogFormat.entry: 1] && second.rereadFiles.isEmpty)
        #expect(second.newFindings.map(\.rule) == [LogFormat.order])
        #expect(try index.findings(of: log).map(\.finding.rule.id) == ["log-order"])
        let fresh = try self.index("fresh.sqlite")
        _ = try fresh.reconcile(journal: log, in: nil, settleTime: .zero)
        #expect(try index.dump() == fresh.dump())
        let header = try #require(try index.dump().first { $0.hasPrefix("header") })
        #expect(header == #"header "7f" "Flippers" 0 5000 9000 "open""#)
        #expect(try index.dump().contains { $0.contains(#""g2""#) })
    }

    @Test func `a search finds its words and its title, and their lines`() throws {
        let index = try index()
        _ = try index.reconcile(journal: log, in: scratch.root, settleTime: .zero)
        try index.fillSearch()
        func search(_ text: String, _ change: (inout RecordFilter) -> Void = { _ in }) throws -> [SearchHit] {
            var filter = RecordFilter(.roots([scratch.root]))
            change(&filter)
            return try index.search(SearchWords(text), filter, limit: 9)
        }
        let hit = try #require(try search("multiball").first)
        let record = try #require(hit.record)
        #expect(hit.kindName == "log.entry" && record.file == log.appending("entries.jsonl"))
        #expect(record.wallTime == Timestamp(milliseconds: 5000))
        #expect(try index.line(of: record).starts(with: #"{"id":"01KGNQZP000000000000000001""#.utf8))
        #expect(try search("flippers").map(\.kindName) == ["log"])
        let day = Timestamp(milliseconds: 8000)...Timestamp(milliseconds: 10_000)
        #expect(try search("tilt") { $0.moments = day }.count == 1)
        #expect(try search("multiball") { $0.moments = day }.isEmpty)
        #expect(try search("tilt") { $0.kinds = [.marker] }.isEmpty)
    }

    @Test
    func `a directory that becomes another kind of journal is read anew, and one that is none is forgotten`()
        throws
    {
        let index = try index()
        _ = try index.reconcile(journal: log, in: scratch.root, settleTime: .zero)
        try log.appending("session.json").write(SessionFolder.header().utf8)
        // A session is recognised before a log.
        #expect(try index.reconcile(journal: log, in: scratch.root, settleTime: .zero).outcome == .added)
        #expect(try index.session(at: log) != nil)
        #expect(try index.dump().allSatisfy { !$0.hasPrefix("record ") })
        try log.appending("session.json").unlink()
        try log.appending("log.json").unlink()
        #expect(try index.reconcile(journal: log, in: scratch.root, settleTime: .zero).outcome == .removed)
        #expect(try index.dump().isEmpty)
    }
}
