import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What a client has of a journal already, and is not sent again.
struct JournalTagsTests {
    private let sample: ServedSample
    private let journal: ServedPractice

    /// A document of 33 MiB, most of them spaces: more than what is kept of journals in memory.
    init() throws {
        sample = try ServedSample()
        let rows =
            #"[{"id":"0A7B1C00-0000-4000-8000-000000000001","gameID":"G1","action":"gameBrowse","timestamp":1772402400000}]"#
        journal = try ServedPractice(
            sample,
            document: #"{"schemaVersion":4,"journalEntries":\#(rows)}"#
                + String(repeating: " ", count: 33 << 20))
    }

    private func ask(_ question: String, _ tag: String? = nil) throws -> WireAnswer {
        try sample.ask(
            "GET", "/journals/\(journal.id)/practice/\(question)", tag.map { [("If-None-Match", $0)] } ?? [])
    }

    /// The answer, and how many bytes the daemon has read for it, whatever else it does meanwhile.
    private func reading(_ question: String, _ tag: String?) throws -> (answer: WireAnswer, bytes: Int) {
        let before = sample.daemon.bytesRead
        let answer = try ask(question, tag)
        return (answer, sample.daemon.bytesRead - before)
    }

    @Test func `an answer that the client has is not made again while the files are as they were`() throws {
        let tag = try #require(try ask("journal")["etag"])
        try soon("nothing is read for what is known: \(sample.daemon.log)") {
            let (answer, bytes) = try reading("journal", tag)
            #expect(answer.status == 304 && answer["etag"] == tag, "\(answer)")
            return bytes < 1 << 20
        }
        // Days pass.
        let focus = try #require(try ask("focus")["etag"])
        #expect(try reading("focus", focus).bytes > 32 << 20)
    }

    @Test
    func `a file that says the same under another date has the same tag, and one that says more another`()
        throws
    {
        let tag = try #require(try ask("journal")["etag"])
        try FileManager.default.setAttributes(
            [.modificationDate: Date()],
            ofItemAtPath: journal.directory.appending(path: "practice-state.json").path)
        #expect(try ask("journal", tag).status == 304)
        try journal.write(ServedPractice.emptyDocument, to: "practice-state.json")
        let empty = try ask("journal", tag)
        #expect(empty.status == 200 && empty.rows.isEmpty, "\(empty)")
        let other = try #require(empty["etag"])
        #expect(other != tag)
        #expect(try ask("journal", other).status == 304)
        // Another question of the same state.
        #expect(try ask("journal?filter=score", tag).status == 200)
    }
}
