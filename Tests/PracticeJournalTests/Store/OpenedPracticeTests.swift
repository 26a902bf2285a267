import FileHarness
import Glibc
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceStore

/// One reading of a journal, which all that is asked of it shares.
struct OpenedPracticeTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
        _ = try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
    }

    private func opened() throws -> OpenedPractice {
        try OpenedPractice(scene.journal, Asking(now: Scene.now))
    }

    @Test func `what is asked reads no file that it does not need`() throws {
        try scene.journal.appending("practice-state.json").write("[]")
        let journal = try opened()
        #expect(try journal.slots[.quickScore] == "Gk9Xy")
        #expect(try !journal.library.isEmpty && journal.gameOrLast(nil) == "GaB12")
        #expect(!journal.redaction.redactsEverybody)
        #expect(code { try journal.document } == .invalidData)
        #expect(code { try journal.answers } == .invalidData)
    }

    @Test func `what was read once is not read again`() throws {
        let journal = try opened()
        let before = (try journal.document.rows.count, try journal.slots[.quickScore])
        for name in ["practice-state.json", "slots.json"] {
            try #require(unlink(scene.journal.appending(name).string) == 0)
        }
        #expect(try journal.document.rows.count == before.0 && journal.slots[.quickScore] == before.1)
        #expect(try journal.answers.game("Gk9Xy").statistics?.count == 1)
        #expect(try opened().document.rows.isEmpty && opened().slots[.quickScore] == nil)
    }

    @Test func `the zone is looked for where days are counted, and nowhere else`() throws {
        let asking = Asking(now: Scene.now) { throw FileError(.notFound, "there is no such zone") }
        let journal = try OpenedPractice(scene.journal, asking)
        #expect(try journal.document.rows.count == scene.read().rows.count)
        #expect(code { try journal.answers } == .notFound)
    }
}
