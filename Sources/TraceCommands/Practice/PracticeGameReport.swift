internal import PracticeJournal
internal import RecordFormat
internal import TraceText

/// The numbers of a game for people, out of the answer that programs get.
enum PracticeGameReport {
    /// - Parameter document: Where the names of groups are.
    /// - Throws: ``FormatError`` if the answer is no JSON, which it is.
    static func lines(of answer: JSONText, _ document: PracticeDocument) throws -> [String] {
        try JSONParser().withParsed(answer.bytes) { root in
            let name = root[name: "name"]?.string ?? ""
            let key = root[name: "game"]?.string ?? ""
            let parts: [(String, String?)] = [
                ("scores", scores(root[name: "scores"])), ("spread", spread(root[name: "scores"])),
                ("over time", overTime(root[name: "score_timeline"])),
                ("progress", progress(root[name: "progress"], root[name: "completion"]?.number)),
                ("practised", practised(root)),
                (
                    "group",
                    root[name: "group"]?.string.flatMap { id in document.groups.first { $0.id == id }?.name }
                ),
                ("note", root[name: "note"]?.string), ("resume", resume(root)),
            ]
            let lines = parts.compactMap { label, text in
                text.map { "  \(label.padded(to: 10)) \($0.oneLine)" }
            }
            let alerts = root[name: "alerts"]?.elements.compactMap { $0[name: "message"]?.string } ?? []
            return ["\(name) (\(key))".oneLine] + lines + alerts.map { "  \($0.oneLine)" }
        }
    }

    private static func scores(_ scores: JSONValue?) -> String? {
        guard let scores, let count = scores[name: "count"]?.number else { return nil }
        let values = [("median", "median"), ("average", "average"), ("lowest", "floor")].compactMap {
            label, member in scores[name: member]?.number.map { "\(label) \(ScoreText.text($0))" }
        }
        return "\(DocumentNumber.text(count)): \(values.joined(separator: ", "))"
    }

    private static func spread(_ scores: JSONValue?) -> String? {
        guard let scores, let spread = scores[name: "spread"]?.number,
            let low = scores[name: "lower_quartile"]?.number,
            let high = scores[name: "upper_quartile"]?.number
        else { return nil }
        let word = scores[name: "consistency"]?.string.map { "\($0): " } ?? ""
        return
            "\(word)\(hundredths(spread)), half of them between \(ScoreText.text(low)) and \(ScoreText.text(high))"
    }

    private static func overTime(_ timeline: JSONValue?) -> String? {
        guard let timeline, let gaps = timeline[name: "long_gaps"]?.number, gaps > 0,
            let days = timeline[name: "longest_gap_days"]?.number
        else { return nil }
        return "\(counted(Int(gaps), "long gap")), the longest of \(counted(Int(days), "day"))"
    }

    private static func progress(_ progress: JSONValue?, _ completion: Double?) -> String? {
        guard let progress, let completion else { return nil }
        let tasks = StudyTask.allCases.compactMap { task in
            progress.members.first { $0.key.elementsEqual(task.rawValue.utf8) }?.value.number.map {
                "\(word(task)) \(DocumentNumber.text($0))%"
            }
        }
        return "\(DocumentNumber.text(completion))% (\(tasks.joined(separator: ", ")))"
    }

    private static func word(_ task: StudyTask) -> String {
        switch task {
        case .playfield: "playfield"
        case .rulesheet: "rulesheet"
        case .tutorialVideo: "tutorial"
        case .gameplayVideo: "gameplay"
        case .practice: "practice"
        }
    }

    private static func practised(_ root: JSONValue) -> String? {
        let days =
            switch root[name: "days_since_practice"]?.number {
            case nil: "never"
            case 0: "today"
            case .some(let days): "\(counted(Int(days), "day")) ago"
            }
        return root[name: "focus"]?.number.map { "\(days), priority \(hundredths($0))" }
    }

    private static func resume(_ root: JSONValue) -> String? {
        let offset = root[name: "rulesheet_offset"]?.number
        let places = [
            offset.map { "rulesheet at \(DocumentNumber.text(($0 * 100).rounded()))%" },
            root[name: "video_hint"]?.string,
        ].compactMap(\.self)
        return places.isEmpty ? nil : places.joined(separator: ", ")
    }

    private static func hundredths(_ number: Double) -> String {
        DocumentNumber.text((number * 100).rounded() / 100)
    }
}
