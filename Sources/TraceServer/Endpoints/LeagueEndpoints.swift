internal import HTTPTypes
internal import PracticeJournal
internal import RecordFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What is asked of the tables of a league: the answers of `trace practice league … --json`, in which players who are redacted are
/// never named.
enum LeagueEndpoints {
    static let league = Endpoint(
        method: .get, path: "/journals/{j}/practice/league", id: "getPracticeLeague", access: .scope(.read),
        summary: "What the tables of a league say",
        query: [
            Parameter(
                name: "view", type: .choice(LeagueView.allCases.map(\.rawValue)),
                summary: "What is asked for; standings if omitted"),
            Parameter(
                name: "player", type: .text(maxLength: 200),
                summary:
                    "The player, as an answer names them; of the journal's settings if omitted"),
            Parameter(
                name: "opponent", type: .text(maxLength: 200),
                summary: "The player to compare with; of the journal's settings if omitted"),
            Parameter(name: "top", type: .number(1...1000), summary: "Only the best so many"),
            Parameter(name: "season", type: .number(0...1_000_000), summary: "Only scores of this season"),
            Parameter(name: "bank", type: .number(0...1_000_000), summary: "Only scores of this bank"),
            Parameter(
                name: "machine", type: .text(maxLength: 200),
                summary: "Only scores on this machine, as the table names it"),
        ], answers: [.json(.inline(schema), "An array, or an object for next, recent and versus")],
        work: .asking
    ) { call in
        let question = try call.leagueQuestion()
        return try call.askPractice { journal in
            let answers = try LeagueAnswers(
                journal.league(question.view.tables), library: journal.library,
                settings: journal.document.settings, redaction: journal.redaction,
                takesShownNamesOnly: true)
            do throws(LeagueRefusal) { return .json(try answers.json(question)) } catch {
                throw Problem(
                    error.isMissing ? .notFound : .badRequest,
                    error.isMissing ? "not-in-league" : "parameter-missing", error.message, cure: error.cure)
            }
        }
    }

    /// Each view's answer.
    private static let schema: String = {
        func reference(_ name: String) -> String { ##"{"$ref":"#/components/schemas/\##(name)"}"## }
        let lists = ["LeagueMachine", "LeagueScore", "LeaguePlace", "LeagueTarget"].map {
            #"{"type":"array","items":\#(reference($0))}"#
        }
        let objects = ["LeagueNextBank", "LeagueEvening", "LeagueComparison"].map(reference)
        return #"{"anyOf":[\#((lists + objects).joined(separator: ","))]}"#
    }()
}

extension Call {
    /// - Throws: ``Problem`` with 400 for a parameter that means nothing in the view.
    fileprivate func leagueQuestion() throws -> LeagueQuestion {
        let view = self["view"].flatMap(LeagueView.init) ?? .standings
        for option in LeagueView.Option.allCases where self[option.rawValue] != nil {
            guard !view.options.contains(option) else { continue }
            let known = LeagueView.Option.allCases.filter(view.options.contains).map { "'\($0.rawValue)'" }
            throw Problem(
                .badRequest, "parameter-unknown",
                "'\(option.rawValue)' means nothing with view=\(view.rawValue)",
                cure: known.isEmpty
                    ? "leave it out" : "leave it out; the view takes \(known.joined(separator: ", "))")
        }
        var question = LeagueQuestion(view)
        question.player = self["player"]
        question.opponent = self["opponent"]
        question.machine = self["machine"]
        question.top = self["top"].flatMap { Int($0) }
        question.season = self["season"].flatMap { Int($0) }
        question.bank = self["bank"].flatMap { Int($0) }
        return question
    }
}
