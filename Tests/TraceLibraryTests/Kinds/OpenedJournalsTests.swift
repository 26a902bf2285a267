import FileHarness
import Glibc
import Journals
import RecordFormat
import SystemPackage
import Testing
import TraceFiles
import TraceLibrary
import TraceStore

/// Readings of journals that are kept while their files stay as they were.
struct OpenedJournalsTests {
    private let scratch: ScratchDirectory
    private let format: any JournalFormat
    private let question: Question

    init() throws {
        scratch = try ScratchDirectory()
        format = try #require(Journals.all.formats.first { $0.opened != nil })
        question = try #require(format.surface.questions.first { $0.name == "slots" }?.views.first)
        try write("{}")
    }

    /// Another file each time, as programs do that replace one.
    private func write(_ slots: String) throws {
        try OpenDirectory(scratch.path).replaceFile(
            "slots.json", with: Array(slots.utf8),
            expecting: OpenDirectory(scratch.path).readFile("slots.json")?.identity)
    }

    private func filter(_ word: String) -> String { #"{"practice-journal-filter":"\#(word)"}"# }

    /// Which reading answers, and what.
    private func ask(
        _ journals: OpenedJournals, at now: Int64 = 0, meanwhile: () throws -> Void = {}
    ) throws -> (reading: ObjectIdentifier, json: String) {
        try journals.ask(scratch.path, of: format, Asking(now: Timestamp(milliseconds: now))) { journal in
            let json = try question.ask(journal, Arguments()).json
            try meanwhile()
            #expect(journal.asking.now == Timestamp(milliseconds: now))
            return (ObjectIdentifier(journal), String(decoding: json.bytes, as: UTF8.self))
        }
    }

    @Test func `a reading is kept as long as the files are as they were, and answers who asks it then`()
        throws
    {
        let journals = OpenedJournals(rest: .zero)
        let first = try ask(journals, at: 1)
        #expect(try ask(journals, at: 2) == first)
        try write(filter("score"))
        let second = try ask(journals, at: 3)
        #expect(second.json.contains("score"))
        #expect(try ask(journals, at: 4) == second)
    }

    @Test func `what changes while it is asked is asked again, and is never older than the files`() throws {
        let journals = OpenedJournals(rest: .zero)
        _ = try ask(journals)
        var changes = [filter("score"), filter("notes")]
        let answer = try ask(journals) { if !changes.isEmpty { try write(changes.removeFirst()) } }
        #expect(answer.json.contains("notes"))
        #expect(try ask(journals) == answer)
    }

    @Test func `a journal that always changes is answered at last`() throws {
        let journals = OpenedJournals(rest: .zero)
        var count = 0
        _ = try ask(journals) {
            count += 1
            try write(filter(count.isMultiple(of: 2) ? "score" : "notes"))
        }
        #expect(count == 3)
    }

    @Test func `files that have not rested may change under the same identity, so nothing of them is kept`()
        throws
    {
        let journals = OpenedJournals(rest: .seconds(3600))
        // Held, so that the next one can't have its address.
        var first: (any OpenedJournal)?
        try journals.ask(scratch.path, of: format, Asking(now: Timestamp(milliseconds: 0))) { first = $0 }
        try journals.ask(scratch.path, of: format, Asking(now: Timestamp(milliseconds: 0))) {
            #expect($0 !== first)
        }
    }

    @Test func `a reading is lent to one at a time`() throws {
        let journals = OpenedJournals(rest: .zero)
        let kept = try ask(journals)
        var other: ObjectIdentifier?
        let again = try ask(journals) { other = try ask(journals).reading }
        #expect(again.reading == kept.reading && other != kept.reading)
    }

    @Test func `a journal that is gone is not answered from memory`() throws {
        let journals = OpenedJournals(rest: .zero)
        _ = try ask(journals)
        let moved = scratch.path.removingLastComponent().appending(
            "moved-\(scratch.path.lastComponent?.string ?? "")")
        try #require(rename(scratch.path.string, moved.string) == 0)
        defer { _ = rename(moved.string, scratch.path.string) }
        #expect(throws: FileError.self) { try ask(journals) }
    }
}
