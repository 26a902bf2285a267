import FileHarness
import Journals
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

struct FindingsQuestionTests {
    private let scratch: ScratchDirectory
    private let session: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        session = try SampleSession(at: scratch("sessions").appending("a"))
        // Two rules are broken, one of them as a warning.
        try session("markers.jsonl").write(
            """
            {"id":"\(number(10))","offset_ms":-1,"created_at":"2026-02-04T20:00:01.000Z","source":"user"}
            {"id":"\(number(11))","offset_ms":2,"created_at":"2026-02-30T20:00:01.000Z","source":"user"}

            """)
    }

    private func rules(_ question: FindingsQuestion) throws -> [String] {
        try question.findings(of: session.path).findings.map(\.rule.id)
    }

    @Test func `findings can be limited to a severity and to a rule`() throws {
        let all = try rules(FindingsQuestion(settleTime: .zero))
        #expect(all.contains("number-negative") && all.contains("timestamp-impossible"))
        #expect(
            try rules(FindingsQuestion(severity: .error, settleTime: .zero)).contains("number-negative"))
        #expect(
            try !rules(FindingsQuestion(severity: .error, settleTime: .zero)).contains(
                "timestamp-impossible"))
        #expect(
            try rules(FindingsQuestion(rule: "timestamp-impossible", settleTime: .zero)) == [
                "timestamp-impossible"
            ])
    }

    @Test func `the index finds what the files have, in the same order`() throws {
        try OpenDirectory.make(scratch("state"))
        let index = try JournalIndex(at: scratch("state").appending("index.sqlite"), formats: Journals.all)
        let question = FindingsQuestion(settleTime: .zero)
        #expect(try question.findings(of: session.path, by: index) == nil)
        _ = try index.reconcile(journal: session.path, in: scratch("sessions"), settleTime: .zero)
        let known = try #require(try question.findings(of: session.path, by: index))
        let read = try question.findings(of: session.path)
        #expect(text(known.json(.commandLine)) == text(read.json(.commandLine)))
    }

    @Test func `directories are named on the command line, and handles over HTTP`() throws {
        let found = try FindingsQuestion(rule: "number-negative", settleTime: .zero).findings(
            of: session.path)
        let line = text(found.json(.commandLine))
        #expect(
            line.hasPrefix(
                #"{"session_path":"\#(session.path)","session_id":"\#(SampleSession.id)","findings":[{"rule""#
            ))
        let web = text(found.json(.web))
        #expect(web.hasPrefix(#"{"handle":"\#(SampleSession.id)","session_id":"\#(SampleSession.id)","#))
        #expect(!web.contains(session.path.string))
    }

    @Test(arguments: [
        (AnswerForm.commandLine, "file://"), (.web, "\(SampleSession.id)/markers.jsonl"),
        (AnswerForm(showsPaths: false, handle: nil), "\(SampleSession.id)/markers.jsonl"),
    ])
    func `a log for editors says where a finding is, as far as that may be known`(
        _ form: AnswerForm, _ start: String
    ) throws {
        let found = try FindingsQuestion(rule: "number-negative", settleTime: .zero).findings(
            of: session.path)
        let log = FindingsLog(version: "1.2.3", form)
        let results = log.results(found)
        let whole = log.before + Array("[".utf8) + (results.first?.bytes ?? []) + Array("]".utf8) + log.after
        let uri = try JSONParser().withParsed(whole) { root in
            #expect(root[name: "version"]?.string == "2.1.0")
            let run = root[name: "runs"]?.elements.first { _ in true }
            let result = run?[name: "results"]?.elements.first { _ in true }
            return result?[name: "locations"]?.elements.first { _ in true }?[name: "physicalLocation"]?[
                name: "artifactLocation"]?[name: "uri"]?.string
        }
        #expect(results.count == 1)
        #expect(uri?.hasPrefix(start) == true && uri?.hasSuffix("/markers.jsonl") == true, "\(uri ?? "")")
        #expect(uri?.contains(session.path.string) == form.showsPaths)
    }
}

struct RuleQuestionTests {
    @Test(arguments: ["number-negative", "[number-negative]", "[number-negative", "number-negative]"])
    func `a rule is found as it is typed or copied from a finding`(_ typed: String) throws {
        #expect(try RuleQuestion(typed).rule().id == "number-negative")
    }

    @Test func `an unknown rule is an error that names similar ones`() {
        let error = #expect(throws: LibraryError.self) { try RuleQuestion("number-negativ").rule() }
        #expect(error?.code == .noSuchRule)
        #expect(error?.cure?.text?.contains("'number-negative'") == true)
    }

    @Test func `each rule has an answer with its id and its cure`() throws {
        for rule in RuleQuestion.all {
            let json = text(rule.json)
            #expect(json.hasPrefix(#"{"rule":"\#(rule.id)","severity":"\#(rule.severity.rawValue)""#))
        }
    }
}
