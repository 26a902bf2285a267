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

/// What is asked of all sessions.
struct AllMarkersQuestionTests {
    private let scene: QuestionScene

    init() throws { scene = try QuestionScene() }

    private func answer(_ question: AllMarkersQuestion) throws -> AllMarkersAnswer {
        try scene.ask { try question.answer($0, in: $1) }
    }

    @Test(arguments: [1, 2, 5, 12, 13])
    func `pages of all markers joined are the whole list, also of those at one moment`(limit: Int) throws {
        try scene.add("b", markers: [0, 60_000, 60_000, 120_000, 180_000])
        try scene.add("a", minute: 1, markers: [0, 0, 60_000, 120_000])
        try scene.add("c", minute: 9, markers: [7, 8, 9])
        var question = AllMarkersQuestion()
        let whole = try scene.ask { index, scope in
            try index.records(at: question.places(index, in: scope)[...])
        }
        #expect(whole.count == 12)
        #expect(try answer(question).rows.map(\.record) == whole)
        question.limit = limit
        var found: [IndexedRecord] = []
        repeat {
            let page = try answer(question)
            #expect(page.rows.count <= limit)
            found += page.rows.map(\.record)
            question.after = page.next
        } while question.after != nil
        #expect(found == whole)
    }

    @Test func `the keys are those of the command line; a remote reader gets a handle instead of a path`()
        throws
    {
        let session = try scene.add("a", markers: [5], more: #","label":"x","tags":["b"]"#)
        let row = try #require(try answer(AllMarkersQuestion()).rows.first)
        let line = QuestionScene.line(100, at: 5, more: #","label":"x","tags":["b"]"#)
        let rest = """
            "session_id":"\(SampleSession.id)","title":"a","online":true,"id":"\(number(100))","offset_ms":5,\
            "wall_time":"2026-02-04T20:00:00.005Z","label":"x","tags":["b"],"record":\(line)}
            """
        #expect(shown(row.json(.commandLine)) == #"{"session_path":"\#(session.path)",\#(rest)"#)
        #expect(shown(row.json(QuestionScene.remote)) == #"{"handle":"~a",\#(rest)"#)
    }

    @Test func `a search says whether there is more, and what the beginnings of the words would find`() throws
    {
        try scene.add("intro", markers: [5, 9], more: #","label":"introduction"# + "\"")
        func search(_ text: String, limit: Int = 9) throws -> SearchAnswer {
            let question = try SearchQuestion(text, limit: limit)
            return try scene.ask { try question.answer($0, in: $1) }
        }
        let found = try search("introduction", limit: 1)
        #expect(found.hits.count == 1 && found.hasMore && found.suggestion == nil)
        #expect(try !search("introduction", limit: 2).hasMore)
        #expect(shown(found.json(QuestionScene.remote)).hasPrefix(#"[{"handle":"~intro","#))
        let none = try search("introd")
        #expect(none.hits.isEmpty)
        #expect(none.suggestion == .init(words: "introd*", count: 2, hasMore: false))
        #expect(try search("nothing").suggestion == nil)
        let error = #expect(throws: LibraryError.self) {
            try SearchQuestion(String(repeating: "a ", count: 65), limit: 1)
        }
        #expect(error?.code == .tooManyWords)
    }

    @Test(arguments: [(100, false), (101, true)])
    func `a suggestion counts up to a limit, and says whether there is more`(count: Int, hasMore: Bool) throws
    {
        try scene.add("intro", markers: Array(1...count), more: #","label":"introduction"# + "\"")
        let question = try SearchQuestion("introd", limit: 9)
        let answer = try scene.ask { try question.answer($0, in: $1) }
        #expect(answer.suggestion == .init(words: "introd*", count: 100, hasMore: hasMore))
    }

    @Test func `what was going on at a moment comes with media, records and their lines`() throws {
        let session = try scene.add("a", markers: [5000, 60_000])
        try session("session.json").write(
            SampleSession.header.replacing(
                #""media": []"#,
                with: """
                    "media":[{"id":"\(number(30))","kind":"audio","path":"media/a.wav","start_offset_ms":1000,"duration_ms":9000},\
                    {"id":"\(number(31))","kind":"audio","path":"media/b.wav","start_offset_ms":8000,"duration_ms":10}]
                    """))
        let moment = try #require(Timestamp("2026-02-04T20:00:06Z"))
        let question = MomentQuestion(at: moment, within: SessionOffset(milliseconds: 2000))
        let answer = try scene.ask { try question.answer($0, in: $1, now: morning) }
        #expect(
            shown(answer.json(QuestionScene.remote)) == """
                [{"handle":"~a","session_id":"\(SampleSession.id)","title":"Late set","online":true,"offset_ms":6000,\
                "media":[{"id":"\(number(30))","path":"media/a.wav","position_ms":5000}],\
                "records":[{"kind":"marker","offset_ms":5000,"record":\(QuestionScene.line(100, at: 5000))}]}]
                """)
    }

    @Test func `a strip counts markers by category, and those before each cell`() throws {
        let session = try scene.add("a", markers: [0, 1])
        let tags = [(2, "texture_sample"), (3, "texture-sample"), (4, "fix_review"), (5, "highlight")]
        for (number, tag) in tags {
            try QuestionScene.append(
                QuestionScene.line(number, at: number * 10, more: #","tags":["\#(tag)"]"#), to: session)
        }
        var question = try StripQuestion(of: session.path, cells: 3)
        let answer = try scene.ask(session.path) { index, _ in try question.answer(index) }
        #expect(
            shown(answer.json(.commandLine)) == """
                {"cells":3,"offset_min":0,"offset_max":50,"total":6,"categories":{"highlight":[0,0,1],"structure":[0,0,0],\
                "texture-sample":[0,2,0],"fix-review":[0,0,1],"other":[2,0,0]},"before":[0,2,4]}
                """)
        question.first = SessionOffset(milliseconds: 30)
        let part = try scene.ask(session.path) { index, _ in try question.answer(index) }
        #expect(part.strip.total == 3 && part.strip.before == [0, 1, 2])
        for cells in [0, -1, 2001] {
            let error = #expect(throws: LibraryError.self) {
                try StripQuestion(of: session.path, cells: cells)
            }
            #expect(error?.code == .cellsOutOfRange)
        }
    }
}
