import PracticeJournal
import RecordFormat
import TestSupport
import Testing
import TraceStore

/// What is declared of each operation: its arguments as text, which is how they are typed and how a query has them, and as JSON.
struct DeclaredOperationTests {
    static let names = Scene.operations.map(\.name)

    @Test func `each operation is declared once, and each of its parameters`() {
        #expect(Self.names.count == 24)
        #expect(Set(Self.names).count == 24)
        for operation in Scene.operations {
            let parameters = operation.parameters.map(\.name)
            #expect(Set(parameters).count == parameters.count, "\(operation.name)")
            #expect(operation.subject.map(parameters.contains) ?? true, "\(operation.name)")
            let texts = [operation.summary] + operation.parameters.map(\.summary)
            #expect(texts.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") }, "\(operation.name)")
        }
    }

    @Test(arguments: names)
    func `arguments are the same as text and as JSON`(name: String) throws {
        let operation = try Scene.operation(name)
        var random = Torture.dice(name)
        for _ in 0..<Torture.size(full: 20_000, slow: 2000, sample: 100) {
            var typed: [String: [String]] = [:]
            let json = JSONText.object { object in
                for parameter in operation.parameters
                where parameter.presence == .required || Bool.random(using: &random) {
                    let value = SaidTwice(parameter, of: operation, &random)
                    typed[parameter.name] = value.typed
                    guard parameter.isRest else {
                        object.member(parameter.name, value.json)
                        continue
                    }
                    for (name, json) in value.members { object.member(name, json) }
                }
            }
            let payload = GoldenValue(json.bytes)
            let asked = try Arguments(typed: typed, as: operation.parameters)
            #expect(try Scene.arguments(payload, of: operation, .exact) == asked, "\(payload)")
            #expect(try Scene.arguments(payload, of: operation, .lenient) == asked, "\(payload)")
            let written = GoldenValue(asked.json(operation.parameters).bytes)
            #expect(written == payload)
            #expect(try Scene.arguments(written, of: operation, .exact) == asked, "\(written)")
        }
    }

    @Test(arguments: names)
    func `each problem has its path`(name: String) throws {
        let operation = try Scene.operation(name)
        var random = Torture.dice(name)
        func problem(_ members: [(String, JSONText)]) -> ArgumentProblem? {
            let payload = JSONText.object { object in
                for (name, json) in members { object.member(name, json) }
            }
            return #expect(throws: ArgumentProblem.self) {
                try Scene.write(name, GoldenValue(payload.bytes))
            }
        }
        let whole = operation.parameters.filter { !$0.isRest }.map {
            ($0.name, SaidTwice($0, of: operation, &random).json)
        }
        for (index, parameter) in operation.parameters.enumerated() where !parameter.isRest {
            var members = whole
            members[index].1 = parameter.type.isText ? JSONText(Int64(5)) : JSONText("no such value")
            let found = problem(members)
            #expect(found?.path == parameter.name)
            #expect(found?.message.hasPrefix("\(parameter.name) must be ") == true)
            if parameter.presence == .repeated {
                members[index].1 = .array([JSONText("a"), JSONText("b"), JSONText(Int64(5))])
                #expect(problem(members)?.path == "\(parameter.name)[2]")
            }
            if !parameter.type.isText {
                let typed = #expect(throws: ArgumentProblem.self) { try parameter.read("no such value") }
                #expect(typed?.path == parameter.name)
            }
            guard parameter.presence == .required else { continue }
            for missing in [whole.filter { $0.0 != parameter.name }, whole.nulling(parameter.name)] {
                let problem = problem(missing)
                #expect(problem?.path == parameter.name && problem?.reason == .missing)
            }
        }
    }

    @Test(arguments: [
        ("edit", #"{"row":"r","patch":{"score":"x"}}"#, "patch.score"),
        ("edit", #"{"row":"r","patch":{"wings":2}}"#, "patch.wings"),
        ("edit", #"{"row":"r","patch":{"id":"x"}}"#, "patch.id"),
        ("settings", #"{"practiceSettings":{"playerName":5}}"#, "practiceSettings.playerName"),
        ("settings", #"{"analyticsSettings":{"gapMode":"x"}}"#, "analyticsSettings.gapMode"),
        ("slots", #"{"practice-quick-game-score":5}"#, "practice-quick-game-score"),
        ("slots", #"{"wings":"x"}"#, "wings"),
        ("group.create", #"{"games":["a",null]}"#, "games[1]"),
        ("task", #"{"game":"g","task":"practice","minutes":0}"#, "minutes"),
        ("task", #"{"game":"g","task":"rulesheet","minutes":5}"#, "minutes"),
        ("task", #"{"game":"g","task":"rulesheet","focus":"shots"}"#, "focus"),
        ("video", #"{"game":"g","action":"tutorialWatch"}"#, "kind"),
        ("video", #"{"game":"g","action":"tutorialWatch","kind":"percent"}"#, "value"),
        ("video", #"{"game":"g","action":"tutorialWatch","source":" "}"#, "source"),
        ("video", #"{"game":"g","action":"tutorialWatch","source":"T","value":"T • 5%"}"#, "value"),
        ("video", #"{"game":"g","action":"tutorialWatch","source":"T","watched_ms":5}"#, "length_ms"),
        ("video", #"{"game":"g","action":"tutorialWatch","source":"T","length_ms":5}"#, "watched_ms"),
        (
            "video",
            #"{"game":"g","action":"tutorialWatch","source":"T","watched_ms":5,"length_ms":6,"progress":5}"#,
            "progress"
        ),
        (
            "video", #"{"game":"g","action":"tutorialWatch","source":"T","watched_ms":6,"length_ms":5}"#,
            "watched_ms"
        ),
    ])
    func `a problem within a value has the path to it`(name: String, payload: String, path: String) {
        let problem = #expect(throws: ArgumentProblem.self) {
            try Scene.write(name, GoldenValue(payload.utf8))
        }
        #expect(problem?.path == path)
    }

    @Test(arguments: [
        (#""source":"Tutorial 1","progress":60"#, "Tutorial 1 • 60%", 60),
        (#""source":"Tutorial 1""#, "Tutorial 1 • 100%", 100),
        (
            #""source":"Gameplay 2","watched_ms":600999,"length_ms":3600000"#,
            "Gameplay 2 • 00:10:00/01:00:00 (17%)", 17
        ), (#""source":"Gameplay 2","watched_ms":0,"length_ms":0"#, "Gameplay 2 • 100%", 100),
    ])
    func `the value of a video is composed of what an entry has`(
        members: String, value: String, percent: Int
    ) throws {
        let payload = GoldenValue(#"{"game":"g","action":"gameplayWatch",\#(members)}"#.utf8)
        let context = WriteContext(
            entry: try #require(ULID("01J00000000000000000000104")), at: Scene.now,
            document: try Scene.document("{}".utf8), zone: .utc)
        guard case .change(let change, _) = try Scene.write("video", payload).outcome(context) else {
            return #expect(Bool(false), "nothing is written")
        }
        let row = try #require(change.added.first { $0.array == .journalEntries })
        #expect(GoldenValue(row.json.bytes).text("videoValue") == value)
        #expect(GoldenValue(row.json.bytes)["progressPercent"]?.integer == percent)
    }

    @Test(arguments: [
        ("score", "score", "twelve", "'twelve' is not a score"),
        ("task", "progress", "140%", "'140%' is not a percentage from 0 to 100"),
        (
            "task", "minutes", "1.5",
            "Practice minutes must be a whole number greater than 0 when entered."
        ),
        ("score", "context", "home", "context must be one of practice, league, tournament."),
    ])
    func `what people write otherwise than JSON is told so`(
        name: String, parameter: String, text: String, message: String
    ) throws {
        let declared = try #require(try Scene.operation(name).parameters.first { $0.name == parameter })
        let problem = #expect(throws: ArgumentProblem.self) { try declared.read(text) }
        #expect(problem?.path == parameter && problem?.message == message)
        #expect((problem?.cure != nil) == (parameter == "score"))
    }

    @Test(arguments: [
        (
            #""minutes":15,"focus":"multiball","note":"late""#,
            "Practice session: 15 minutes. Focus: Multiball. late"
        ),
        (#""minutes":1"#, "Practice session: 1 minute"), (#""focus":"general""#, "Practice session"),
        (#""minutes":null,"focus":null,"note":" as it is ""#, " as it is "),
        (#""minutes":2.0,"note":" a\r\nb ""#, "Practice session: 2 minutes. a\nb"),
    ])
    func `the minutes and the focus of a practice session become its note`(members: String, note: String)
        throws
    {
        let payload = GoldenValue(#"{"game":"g","task":"practice",\#(members)}"#.utf8)
        let written = try ByteTests.written("{}", Scene.write("task", payload))
        let row = try #require(try Scene.document(written.utf8).rows.first)
        #expect(row.note == note)
        #expect(row.action?.known == .practiceSession)
    }
}

extension [(String, JSONText)] {
    fileprivate func nulling(_ name: String) -> Self { map { ($0.0, $0.0 == name ? .null : $0.1) } }
}

extension ValueType {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

/// A value as text, and as JSON.
private struct SaidTwice {
    private(set) var typed: [String] = []
    private(set) var json = JSONText.null
    /// Of an object.
    private(set) var members: [(String, JSONText)] = []

    init(_ parameter: DeclaredParameter, of operation: TraceStore.Operation, _ random: inout SeededRandom) {
        if case .members = parameter.type {
            for name in Self.names(parameter, of: operation).shuffled(using: &random).prefix(
                .random(in: 1...2, using: &random))
            {
                let value = Self.member(name, &random)
                typed.append("\(name)=\(value.typed)")
                members.append((name, value.json))
            }
            let members = members
            json = .object { object in for (name, json) in members { object.member(name, json) } }
            return
        }
        let count = parameter.presence == .repeated ? Int.random(in: 1...3, using: &random) : 1
        let all = (0..<count).map { _ in Self.value(parameter, &random) }
        typed = all.map(\.typed)
        json = parameter.presence == .repeated ? .array(all.map(\.json)) : all[0].json
    }

    private static func value(
        _ parameter: DeclaredParameter, _ random: inout SeededRandom
    ) -> (typed: String, json: JSONText) {
        switch (parameter.name, parameter.type) {
        case ("score", _): return score(&random)
        case ("progress", _): return percentage(&random)
        case (_, .choice(let words)):
            let word = random.element(of: words)
            return (word, JSONText(word))
        case (_, .boolean):
            let value = Bool.random(using: &random)
            return ("\(value)", JSONText(value))
        case (_, .integer(let range)):
            let number = Int.random(
                in: max(range.lowerBound, -500)...min(range.upperBound, 500), using: &random)
            return ("\(number)", JSONText(Int64(number)))
        case (_, .number):
            let number = Double.random(in: -1e13...1e13, using: &random)
            return ("\(number)", JSONText(number))
        default: return text(&random)
        }
    }

    private static func text(_ random: inout SeededRandom) -> (typed: String, json: JSONText) {
        let parts = ["", " ", "a", "=", "\"", "\\", "\n", "\u{7}", "ü", "🎯", "null", "{}", "G1"]
        let text = (0..<Int.random(in: 0...4, using: &random)).map { _ in random.element(of: parts) }.joined()
        return (text, JSONText(text))
    }

    private static func score(_ random: inout SeededRandom) -> (typed: String, json: JSONText) {
        let score = Int.random(in: 0...99_999_999, using: &random)
        return switch Int.random(in: 0...2, using: &random) {
        case 0: ("\(score)", JSONText(Int64(score)))
        case 1: (ScoreText.text(Double(score)), JSONText(Int64(score)))
        // Typed is a whole number, with a separator of the person's own.
        default:
            (
                ScoreText.text(Double(score)).replacing(",", with: random.element(of: [".", " ", "'", "_"])),
                JSONText(Int64(score))
            )
        }
    }

    private static func percentage(_ random: inout SeededRandom) -> (typed: String, json: JSONText) {
        let percent = Int.random(in: 0...100, using: &random)
        return ("\(percent)" + random.element(of: ["", "%"]), JSONText(Int64(percent)))
    }

    /// The names of members that have values of each type.
    private static func names(_ parameter: DeclaredParameter, of operation: TraceStore.Operation) -> [String]
    {
        switch parameter.name {
        case "patch" where operation.name == "group.edit": ["name", "type"]
        case "patch": ["score", "progressPercent", "note"]
        case "leagueSettings": ["playerName", "csvAutoFillEnabled"]
        case "analyticsSettings": ["gapMode", "useMedian"]
        default: ["playerName", "endpoint"]
        }
    }

    private static func member(_ name: String, _ random: inout SeededRandom) -> (
        typed: String, json: JSONText
    ) {
        switch name {
        case "score": return score(&random)
        case "progressPercent": return percentage(&random)
        case "csvAutoFillEnabled", "useMedian":
            let value = Bool.random(using: &random)
            return ("\(value)", JSONText(value))
        default:
            let said = text(&random)
            // Of a patch, what is empty is cleared.
            return said.typed.isEmpty && name == "note" ? ("", .null) : said
        }
    }
}
