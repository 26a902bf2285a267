import FileHarness
import PracticeJournal
import RecordFormat
import StoreHarness
import Testing
import TraceFormat
import TraceStore
import TraceText

/// What can be known of an entry without its journal.
struct CheckedEntryTests {
    private func read(_ kind: String, _ payload: String = "{}") throws -> CheckedEntry {
        let entry = JournalScene.entry(10, kind, payload).replacing("practice.foreign.", with: "foreign.")
        return try CheckedEntry(
            read: SpoolEntry(parsing: Array(entry.utf8), named: number(10)), by: JournalScene.formats)
    }

    @Test func `an entry of arguments is that which is read`() throws {
        let operation = try Scene.operation("score")
        let asked = try Arguments(
            typed: ["game": ["deep-reef"], "score": ["12,345,678"]], as: operation.parameters)
        let made = try CheckedEntry(
            operation, asked, of: .practice, id: number(10), journalID: JournalScene.id,
            createdAt: Timestamp(milliseconds: 1_772_400_000_000))
        #expect(made.entry == (try read("score", #"{"game":"deep-reef","score":12345678}"#)).entry)
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        #expect(try JournalWriter(scene.journal, formats: JournalScene.formats).write(made).notice == nil)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 12_345_678])
    }

    @Test func `arguments that come to no write make no entry`() throws {
        let operation = try Scene.operation("edit")
        let asked = try Arguments(typed: ["row": ["r"], "patch": ["wings=2"]], as: operation.parameters)
        let problem = #expect(throws: ArgumentProblem.self) {
            try CheckedEntry(
                operation, asked, of: .practice, id: number(10), journalID: JournalScene.id,
                createdAt: Scene.now)
        }
        #expect(problem?.path == "patch.wings")
    }

    @Test func `what is no operation is told those that there are`() throws {
        let error = #expect(throws: FormatError.self) { try read("scoore") }
        #expect(error?.code == .recordInvalid && error?.message == "kind 'practice.scoore' is malformed")
        let known = Scene.operations.map { "practice.\($0.name)" }.joined(separator: ", ")
        #expect(error?.cure == "write one of \(known)")
        let foreign = #expect(throws: FormatError.self) { try read("foreign.note") }
        #expect(foreign?.message == "kind 'foreign.note' is malformed")
        #expect(foreign?.cure == "write one that begins with practice.")
    }

    @Test func `what only an administrator does is refused as that`() throws {
        let error = #expect(throws: FormatError.self) { try read("clear") }
        #expect(error?.code == .recordInvalid)
        #expect(
            error?.message
                == "'practice.clear' is no entry of a queue: only who may administrate the journal does that")
        #expect(error?.cure?.text == "'trace practice clear' does it")
        #expect(
            error?.cure?.text(overHTTPWith: [])
                == "POST /api/v1/journals/{j}/practice/clear, with a token of scope admin")
    }

    @Test func `what is missing is told`() throws {
        let error = #expect(throws: FormatError.self) { try read("score", #"{"game":"G1"}"#) }
        #expect(error?.code == .recordInvalid && error?.message == "score is missing.")
    }
}
