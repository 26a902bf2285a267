import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What `GET /api/v1/kinds` says of the kinds of journals, out of their declarations.
struct KindsOverTheWireTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    private typealias Object = [String: Any]

    private static func named(_ name: String, in list: Any?, by key: String = "name") throws -> Object {
        try #require((list as? [Object])?.first { $0[key] as? String == name }, "\(name)")
    }

    @Test func `a kind has its operations and questions, and says whether the page has views for it`() throws
    {
        let answer = try sample.ask("GET", "/kinds")
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.rows.map { $0["name"] as? String } == ["practice"])
        let kind = try Self.named("practice", in: answer.rows)
        #expect(kind["title"] as? String == "Practice journal")
        #expect(kind["page"] as? Bool == true)

        let score = try Self.named("practice.score", in: kind["operations"], by: "kind")
        #expect(score["name"] as? String == "score" && score["subject"] as? String == "game")
        let number = try Self.named("score", in: score["parameters"])
        #expect(number["required"] as? Bool == true)
        #expect((number["value"] as? Object)?["type"] as? String == "number")
        #expect((number["value"] as? Object)?["minimum"] == nil)
        let context = try Self.named("context", in: score["parameters"])
        #expect(context["required"] as? Bool == false)
        #expect((context["value"] as? Object)?["words"] as? [String] == ["practice", "league", "tournament"])
        let task = try Self.named("practice.task", in: kind["operations"], by: "kind")
        let minutes = try Self.named("minutes", in: task["parameters"])
        #expect((minutes["value"] as? Object)?["minimum"] as? Int == 1)

        let questions = try #require(kind["questions"] as? [Object])
        let journal = try Self.named("practice/journal", in: questions, by: "path")
        #expect(journal["columns"] as? [String] == ["TIME", "ROW", "GAME", "TEXT"])
        #expect(journal["schema"] as? String == "PracticeRow" && journal["list"] as? Bool == true)
        #expect(journal["view"] == nil && journal["usual"] as? Bool == true)
        let filter = try Self.named("filter", in: journal["parameters"])
        #expect(filter["standard"] as? String == "all")
        let league = questions.filter { $0["path"] as? String == "practice/league" }
        #expect(league.count == 8 && league.allSatisfy { $0["view"] as? String != nil })
        #expect(league.filter { $0["usual"] as? Bool == true }.map { $0["view"] as? String } == ["standings"])
    }

    @Test func `each question is asked at its path, with the parameters that it names`() throws {
        let journal = try ServedPractice(sample)
        try journal.addLeague()
        let kind = try Self.named("practice", in: sample.ask("GET", "/kinds").rows)
        for question in try #require(kind["questions"] as? [Object]) {
            let path = try #require(question["path"] as? String)
            let view = (question["view"] as? String).map { "?view=\($0)" } ?? ""
            let answer = try sample.ask("GET", "/journals/\(journal.id)/\(path)\(view)")
            // A comparison needs somebody to compare with, who is not named here.
            #expect(
                answer.status == 200 || ["versus", "around"].contains { view.hasSuffix($0) },
                "\(path)\(view): \(answer)")
        }
    }

    @Test func `it is read by any token, and not sent again to who has it`() throws {
        let token = try sample.newToken("--scope", "read", "--session", ServedSample.lateSet)
        let answer = try sample.ask("GET", "/kinds", token: token)
        let tag = try #require(answer["etag"])
        let again = try sample.ask("GET", "/kinds", [("If-None-Match", tag)], token: token)
        #expect(again.status == 304 && again.body.isEmpty, "\(again)")
        #expect(try sample.ask("GET", "/kinds", token: "").status == 401)
        #expect(try sample.ask("GET", "/kinds?page=true").status == 400)
    }
}
