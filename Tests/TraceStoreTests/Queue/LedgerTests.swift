import TraceCrypto
import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

struct LedgerTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    func entry(_ id: Int, note: String = "", session: ULID = SampleSession.id) -> SpoolEntry {
        SpoolEntry(
            id: number(id), kind: .marker, journalID: session, createdAt: morning,
            payload: JSONText(verbatim: QueueScene.markerLine(id, note: note).utf8))
    }

    func withLedger<Result>(_ body: (inout Ledger) throws -> Result) throws -> Result {
        try DirectoryLock.holding(scratch.path) { lock in
            var ledger = try Ledger(in: lock)
            return try body(&ledger)
        }
    }

    static let line = """
        {"id":"\(number(10))","kind":"marker","session_id":"\(number(1))",\
        "sha256":"CHECKSUM","applied_at":"2026-02-05T08:00:00.000Z"}

        """

    @Test func `an applied entry is one line and is known from then on`() throws {
        try withLedger { ledger in
            #expect(!ledger.contains(number(10)))
            try ledger.add(entry(10), at: morning)
            try ledger.add(entry(10), at: morning)
            #expect(ledger.contains(number(10)))
        }
        try withLedger { ledger in
            #expect(ledger.contains(number(10)))
            #expect(!ledger.contains(number(11)))
            try ledger.add(entry(10), at: morning)
        }
        let text = try scratch.text(of: "applied.jsonl")
        let checksum = try #require(text.firstMatch(of: #/"sha256":"([0-9a-f]{64})"/#)?.1)
        #expect(text == Self.line.replacing("CHECKSUM", with: checksum))
        #expect(try scratch.names() == ["applied.jsonl"])
    }

    @Test func `another record, session or kind under a known id is another entry`() throws {
        try withLedger { try $0.add(entry(10), at: morning) }
        try withLedger { ledger in
            #expect(ledger.contains(entry(10)))
            #expect(!ledger.contains(entry(10, note: "other")))
            #expect(!ledger.contains(entry(10, session: number(7))))
            let known = entry(10)
            let other = SpoolEntry(
                id: known.id, kind: .actionRequest, journalID: known.journalID, createdAt: known.createdAt,
                device: known.device, payload: JSONText(verbatim: known.payload))
            #expect(!ledger.contains(other))
            #expect(!ledger.contains(entry(11)))
        }
    }

    @Test(arguments: [("", true), ("other", false)])
    func `who was about to deliver a record is its deliverer, and not that of another of its id`(
        note: String, isTheirs: Bool
    ) throws {
        let phone = Deliverer(token: number(90), person: "Ada")
        try withLedger { try $0.announce([(entry(10), phone)], at: morning) }
        try withLedger { ledger in
            try ledger.add(entry(10, note: note), at: morning)
            let deliverer = ledger.contents.deliverer(of: number(10), in: SampleSession.id)
            #expect(deliverer == (isTheirs ? phone : nil))
        }
    }

    /// The same entry, with its members in another order.
    private func reordered(_ id: Int) -> SpoolEntry {
        var same = entry(id)
        let text = String(decoding: same.payload, as: UTF8.self)
        let parts = text.dropFirst().dropLast().split(separator: ",")
        same = SpoolEntry(
            id: same.id, kind: same.kind, journalID: same.journalID, createdAt: same.createdAt,
            payload: JSONText(verbatim: "{ \(parts.reversed().joined(separator: " , ")) }".utf8))
        return same
    }

    @Test func `an entry whose members come in another order is the same entry`() throws {
        let other = reordered(10)
        #expect(other.payload != entry(10).payload)
        #expect(JSONText.isEquivalent(other.payload, entry(10).payload))
        try withLedger { try $0.add(entry(10), at: morning) }
        try withLedger { ledger in
            #expect(ledger.contains(other))
            try ledger.addRemoved([number(10)], at: morning)
            #expect(EntryVerdict(other, existing: [], ledger.contents) == .removed)
        }
        try withLedger { ledger in
            try ledger.addDropped(entry(11), at: morning)
            #expect(EntryVerdict(reordered(11), existing: [], ledger.contents) == .dropped)
        }
    }

    @Test
    func
        `a line with the checksum of the payload's bytes is known, and one that was dropped so can be applied`()
        throws
    {
        func oldLine(_ id: Int, _ end: String) -> String {
            let text = Array("marker \(SampleSession.id) ".utf8) + entry(id).payload
            return #"{"id":"\#(number(id))","kind":"marker","session_id":"\#(SampleSession.id)","#
                + #""sha256":"\#(hexadecimal(SHA256.hash(data: text)))","\#(end)":"2026-02-05T08:00:00.000Z"}"#
        }
        try scratch.write(
            "\(oldLine(10, "applied_at"))\n\(oldLine(11, "dropped_at"))\n", to: "applied.jsonl")
        try withLedger { ledger in
            #expect(ledger.contains(entry(10)))
            #expect(!ledger.contains(entry(10, note: "other")))
            #expect(EntryVerdict(entry(11), existing: [], ledger.contents) == .dropped)
            try ledger.add(entry(11), at: morning)
            try ledger.add(entry(11), at: morning)
            #expect(EntryVerdict(entry(11), existing: [], ledger.contents) == .vanished)
        }
        #expect(try scratch.text(of: "applied.jsonl").split(separator: "\n").count == 3)
    }

    @Test func `a line without checksum stands for whatever bears its id`() throws {
        try scratch.write("{\"id\":\"\(number(10))\"}\n", to: "applied.jsonl")
        try withLedger { #expect($0.contains(entry(10, note: "any"))) }
    }

    @Test func `a torn last line was not written, and the next line stands by itself`() throws {
        try withLedger { ledger in
            try ledger.add(entry(10), at: morning)
            try ledger.add(entry(11), at: morning)
        }
        let text = try scratch.text(of: "applied.jsonl")
        let second = text.split(separator: "\n")[1]
        for count in 1..<second.utf8.count {
            try scratch.write(String(text.dropLast(count + 1)), to: "applied.jsonl")
            try withLedger { ledger in
                #expect(ledger.contains(number(10)))
                #expect(!ledger.contains(number(11)))
            }
        }
        try withLedger { try $0.add(entry(11), at: morning) }
        try withLedger { ledger in
            #expect(ledger.contains(entry(10)) && ledger.contains(entry(11)))
        }
        #expect(try scratch.text(of: "applied.jsonl").hasSuffix("{\n\(second)\n"))
    }

    @Test func `a last line that only lacks its newline was written`() throws {
        try withLedger { try $0.add(entry(10), at: morning) }
        try scratch.write(String(scratch.text(of: "applied.jsonl").dropLast()), to: "applied.jsonl")
        try withLedger { ledger in
            #expect(ledger.contains(entry(10)))
            try ledger.add(entry(11), at: morning)
        }
        try withLedger { #expect($0.contains(entry(10)) && $0.contains(entry(11))) }
    }

    @Test func `lines that mean nothing are passed over`() throws {
        try scratch.write("\n[]\n{\"id\":5}\n\u{0}\n{\"id\":\"\(number(10))\"}\n", to: "applied.jsonl")
        try withLedger { #expect($0.contains(number(10))) }
    }

    @Test func `a ledger that can't be read is an error, and not an empty one`() throws {
        try scratch.makeDirectory("applied.jsonl")
        #expect(code { try withLedger { _ in } } == .notRegularFile)
    }
}
