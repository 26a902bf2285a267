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

/// The records of one session, as a list.
struct RecordsQuestionTests {
    private let scene: QuestionScene
    private let session: SampleSession

    /// Ten markers, four of them at one offset.
    init() throws {
        scene = try QuestionScene()
        session = try scene.add("a", markers: [0, 10, 20, 20, 20, 20, 30, 40, 50, 60])
    }

    private func offset(_ milliseconds: Int64) -> SessionOffset { SessionOffset(milliseconds: milliseconds) }

    private func answer(_ question: MarkersQuestion) throws -> RecordsAnswer {
        try scene.ask(session.path) { index, _ in try question.answer(index) }
    }

    private func text(_ rows: [RecordsAnswer.Row]) -> [String] {
        rows.map { String(decoding: $0.line, as: UTF8.self) }
    }

    /// The lines of all markers, as they are streamed.
    private func whole() throws -> [String] {
        struct Lines: MarkerWriter {
            func write(_ item: ExportItem, to text: inout [UInt8]) {
                text += item.line + [0x0A]
            }
        }
        var bytes: [UInt8] = []
        try MarkersQuestion(of: session.path).markers(by: nil).write(Lines()) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [1, 3, 4, 10, 11])
    func `pages joined are the whole list, line by line as in the file`(limit: Int) throws {
        var question = MarkersQuestion(of: session.path)
        question.limit = limit
        var found: [String] = []
        repeat {
            let page = try answer(question)
            #expect(page.rows.count <= limit)
            found += text(page.rows)
            question.after = page.next
        } while question.after != nil
        #expect(try found == whole() && found.count == 10)
        question.limit = nil
        let all = try answer(question)
        #expect(shown(all.json(.commandLine)) == "[\(found.joined(separator: ","))]")
        #expect(shown(all.json(QuestionScene.remote)) == shown(all.json(.commandLine)))
    }

    @Test func `a marker that is added before the place shows nothing twice`() throws {
        var question = MarkersQuestion(of: session.path)
        question.limit = 4
        let page = try answer(question)
        let before = try whole()
        try QuestionScene.append(QuestionScene.line(1, at: 15), to: session)
        question.after = page.next
        question.limit = nil
        #expect(try text(page.rows + answer(question).rows) == before)
        #expect(try whole().count == 11)
    }

    @Test(arguments: [
        (40, 4, [20, 30, 40, 50]), (0, 4, [0, 10, 20, 20]), (5, 4, [0, 10, 20, 20]), (20, 2, [10, 20]),
        (21, 3, [20, 30, 40]), (60, 4, [40, 50, 60]), (1000, 4, [50, 60]), (40, 1, [40]),
    ])
    func `around an offset begins half a page before it`(
        around: Int64, limit: Int, expected: [Int64]
    ) throws {
        var question = MarkersQuestion(of: session.path)
        question.limit = limit
        question.around = offset(around)
        let page = try answer(question)
        #expect(page.rows.map { $0.record.offset?.milliseconds } == expected)
        // The next page continues, wherever the first began.
        question.after = page.next
        if page.next != nil {
            let next = try answer(question).rows.first?.record
            #expect(next.map { RecordSortKey($0) > RecordSortKey(page.rows[limit - 1].record) } == true)
        }
    }

    @Test func `offsets, moments and tags leave the markers that they name`() throws {
        try QuestionScene.append(
            QuestionScene.line(1, at: 25, more: #","tags":["fix_review"]"#), to: session)
        let tagged = MarkersQuestion(of: session.path, tags: ["FIX-review"])
        #expect(try answer(tagged).rows.map { $0.record.offset } == [offset(25)])
        #expect(try tagged.markers(by: nil).count == 1)
        var some = MarkersQuestion(of: session.path, offsets: offset(20)...offset(40))
        let start = try #require(Timestamp("2026-02-04T20:00:00Z"))
        try some.restrict(
            to: start.adding(offset(30))...start.adding(offset(99)), by: SessionClock(start: start))
        #expect(try answer(some).rows.map { $0.record.offset } == [offset(30), offset(40)])
        try some.restrict(
            to: start.adding(offset(-9))...start.adding(offset(-5)), by: SessionClock(start: start))
        #expect(try answer(some).rows.isEmpty && some.markers(by: nil).count == 0)
        let error = #expect(throws: LibraryError.self) {
            try some.restrict(to: start...start, by: nil, named: RangeNames("since", "until"))
        }
        #expect(error?.message == "since and until need the session's start_time, which can't be read")
        #expect(error?.code == .noStartTime)
    }

    @Test func `records of other kinds are lines of their files`() throws {
        let notes = [(7, 900), (8, 100), (9, 900)].map { id, offset in
            #"{"id":"\#(number(id))","created_at":"2026-02-04T20:54:41Z", "media_path":"media/a.m4a","offset_ms":\#(offset),"duration_ms":2}"#
        }
        try session("voice_notes.jsonl").write(notes.map { "\($0)\n" }.joined())
        var question = RecordsQuestion(of: session.path, .voiceNote)
        question.limit = 2
        let page = try scene.ask(session.path) { index, _ in try question.answer(index) }
        #expect(text(page.rows) == [notes[1], notes[0]])
        question.after = page.next
        #expect(
            try text(scene.ask(session.path) { index, _ in try question.answer(index) }.rows) == [notes[2]])
        let timeline = RecordsQuestion(of: session.path, .timeline)
        #expect(
            try text(scene.ask(session.path) { index, _ in try timeline.answer(index) }.rows).map {
                "\($0)\n"
            }
                == [SampleSession.start])
    }

    @Test func `a line that has changed since it was indexed is asked for again`() throws {
        var attempts = 0
        let lines = try scene.ask(session.path) { index, _ in
            attempts += 1
            if attempts == 1 {
                try session("markers.jsonl").write(QuestionScene.line(1, at: 0) + "\n")
            }
            return try text(MarkersQuestion(of: session.path).answer(index).rows)
        }
        #expect(attempts == 2)
        #expect(lines == [QuestionScene.line(1, at: 0)])
    }
}
