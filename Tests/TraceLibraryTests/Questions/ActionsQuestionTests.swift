import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import TraceLibrary

struct ActionsQuestionTests {
    private let scratch: ScratchDirectory
    private let session: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        session = try SampleSession(at: scratch("a"))
        func line(_ id: Int, _ status: String, _ more: String = "") -> String {
            #"{"id":"\#(number(id))","action":"tidy","created_at":"2026-02-04T20:10:00.000Z","status":"\#(status)"\#(more)}"#
        }
        try session("actions.jsonl").write(
            [
                line(10, "started", #","inputs":{ "a": 1 }"#),
                line(11, "started", #","inputs":{"b":"x"}"#),
                line(11, "succeeded", #","inputs":{"b":"x"},"outputs":{"c":[]}"#),
                line(12, "failed", #","error":"no""#), "",
            ].joined(separator: "\n"))
    }

    private func question(_ state: RunState? = nil) -> ActionsQuestion {
        ActionsQuestion(session: session.path, stateDirectory: scratch("state"), state: state)
    }

    @Test func `each run is in the state of its last line`() throws {
        let runs = try question().runs()
        #expect(runs.map(\.state) == [.requested, .succeeded, .failed])
        #expect(runs.map(\.run.id) == [number(10), number(11), number(12)])
        #expect(
            text(runs[2].json)
                == #"{"id":"\#(number(12))","action":"tidy","state":"failed","created_at":"2026-02-04T20:10:00.000Z","error":"no"}"#
        )
    }

    @Test(arguments: RunState.allCases) func `runs of one state are found`(_ state: RunState) throws {
        let all = try question().runs().filter { $0.state == state }.map(\.run.id)
        #expect(try question(state).runs().map(\.run.id) == all)
    }

    @Test func `one run has its inputs and outputs`() throws {
        #expect(
            try text(question().run(number(11)).wholeJSON).hasSuffix(
                #""inputs":{"b":"x"},"outputs":{"c":[]}}"#))
        #expect(try text(question().run(number(10)).wholeJSON).hasSuffix(#""inputs":{"a":1}}"#))
        let error = #expect(throws: StoreError.self) { try question().run(number(13)) }
        #expect(error?.code == .noSuchRecord)
    }
}
