import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceIndex
import TraceStore
import TraceText

@testable import TraceLibrary

/// The list of sessions, and one of them.
struct SessionsQuestionTests {
    private let scene: QuestionScene

    init() throws { scene = try QuestionScene() }

    private func answer(
        _ question: SessionsQuestion, now: Timestamp = morning, staleAfter: Duration = .seconds(86_400)
    ) throws -> SessionsAnswer {
        try scene.ask { index, _ in
            try question.answer(index, in: scene.library, now: now, staleAfter: staleAfter)
        }
    }

    private func names(_ answer: SessionsAnswer) -> [String?] {
        answer.rows.map { $0.session.path.lastComponent?.string }
    }

    @Test(arguments: [1, 2, 3, 6, 7])
    func `pages joined are the whole list, also of sessions that start together`(limit: Int) throws {
        for name in ["c", "a", "b"] as [FilePath.Component] { try scene.add(name) }
        for (minute, name) in (["d", "e", "f"] as [FilePath.Component]).enumerated() {
            try scene.add(name, minute: minute + 1)
        }
        var question = SessionsQuestion()
        #expect(try names(answer(question)) == ["f", "e", "d", "a", "b", "c"])
        #expect(try answer(question).next == nil)
        question.limit = limit
        var found: [String?] = []
        var pages = 0
        repeat {
            let page = try answer(question)
            #expect(page.rows.count <= limit)
            found += names(page)
            question.after = page.next
            pages += 1
            // Those that come before the place are not shown.
            try scene.add("new", minute: 30)
        } while question.after != nil
        #expect(pages == (6 + limit - 1) / limit)
        #expect(found == ["f", "e", "d", "a", "b", "c"])
    }

    @Test func `a filter leaves the sessions that it names`() throws {
        try scene.add("a", markers: [5], more: #","tags":["highlight"]"#)
        try scene.add("b", minute: 10, markers: [5])
        try scene.add("c", minute: 20, markers: [5], more: #","tags":["fix_review","b"]"#)
        func names(_ change: (inout SessionsQuestion) -> Void) throws -> [String?] {
            var question = SessionsQuestion()
            change(&question)
            return try self.names(answer(question))
        }
        #expect(try names { $0.tags = ["Fix-Review", "", "B"] } == ["c"])
        #expect(try names { $0.tags = ["highlight", "b"] } == [])
        let start = try #require(Timestamp("2026-02-04T20:00:00Z"))
        #expect(
            try names { $0.moments = start...start.adding(SessionOffset(milliseconds: 600_000)) } == [
                "b", "a",
            ])
        #expect(try names { $0.status = .closed } == [])
        #expect(try names { $0.root = scene.root } == ["c", "b", "a"])
        #expect(try names { $0.root = "/elsewhere" } == [])
    }

    @Test func `the keys are those of the command line; a remote reader gets a handle instead of a path`()
        throws
    {
        let session = try scene.add("a", markers: [5])
        let row = try #require(try answer(SessionsQuestion(), staleAfter: .seconds(3600)).rows.first)
        #expect(row.forgotten != nil)
        let rest = """
            "session_id":"\(SampleSession.id)","title":"a","status":"active","start_time":"2026-02-04T20:00:00.000Z",\
            "online":true,"forgotten_since":"2026-02-04T20:30:00.000Z","marker_count":1,"voice_note_count":0,\
            "errors":1,"warnings":0}
            """
        #expect(shown(row.json(.commandLine)) == #"{"session_path":"\#(session.path)",\#(rest)"#)
        #expect(shown(row.json(QuestionScene.remote)) == #"{"handle":"~a",\#(rest)"#)
        try session("session.json").write("{}")
        let broken = try #require(try answer(SessionsQuestion()).rows.first)
        #expect(
            shown(broken.json(QuestionScene.remote)).hasPrefix(
                #"{"handle":"~a","session_id":null,"status":null,"start_time":null,"online":true,"#))
    }

    @Test func `the index says the same of a session as a reading of its files`() throws {
        let session = try scene.add("a", markers: [5, 9])
        try session("markers.jsonl").write("broken\n" + QuestionScene.line(1, at: 3) + "\n")
        let question = SessionQuestion(session.path, settleTime: .zero)
        let read = try question.answer()
        let known = try scene.ask(session.path) { index, _ in try question.answer(index) }
        #expect(shown(known.json(.commandLine)) == shown(read.json(.commandLine)))
        #expect(read.findingCounts[.error] ?? 0 > 0)
        #expect(read.counts[.marker] == 1 && read.findingCounts == known.findingCounts)
        #expect(
            shown(known.json(QuestionScene.remote) { $0.member("clock", "x") }).hasPrefix(
                #"{"handle":"~a","session_id":"\#(SampleSession.id)","title":"a","status":"active","#))
        #expect(
            shown(known.json(QuestionScene.remote) { $0.member("clock", "x") }).hasSuffix(#","clock":"x"}"#))
        let gone = SessionQuestion(scene.root.appending("gone"))
        let error = #expect(throws: IndexError.self) {
            try scene.ask(session.path) { index, _ in
                do { return try gone.answer(index) } catch let error as IndexError {
                    #expect(error.code == .stale)
                    throw IndexError(.busy, "as expected")
                }
            }
        }
        #expect(error?.code == .busy)
    }
}
