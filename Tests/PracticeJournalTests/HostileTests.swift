import PracticeJournal
import RecordFormat
import Testing

/// Whatever the bytes are, there is a document or a finding, and never a crash.
struct HostileTests {
    private static let deep = String(repeating: "[", count: 10_000)

    @Test(arguments: [
        ("", "file-empty"), ("  \n", "file-empty"), ("[]", "not-an-object"), ("7", "not-an-object"),
        ("{", "json-syntax"), (#"{"a":1}}"#, "json-syntax"), (#"{"a":"#, "json-syntax"),
        (#"{"a":1,}"#, "json-syntax"), (#"{"a":"\x"}"#, "json-syntax"),
        (#"{"x":1e400}"#, "number-too-large"), (#"{"x":99999999999999999999}"#, "number-too-large"),
        ("{\"x\":\(deep)}", "json-too-deep"), ("{\"x\":\"a\u{0}b\"}", "nul-bytes"),
    ])
    func `what can't be read is a finding`(text: String, rule: String) throws {
        let reading = try Scene.reading(text.utf8)
        #expect(reading.findings.map(\.rule.id) == [rule])
        #expect(reading.document == nil && !reading.isWritable)
    }

    @Test func `bytes that are not UTF-8 are a finding`() throws {
        let reading = try Scene.reading(Array(#"{"a":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8))
        #expect(reading.findings.map(\.rule.id) == ["not-utf8"])
        #expect(reading.document == nil)
    }

    @Test func `a document that is cut anywhere is a finding`() throws {
        let text = Array(ByteTests.odd.utf8.dropLast(1))
        for length in 0..<text.count {
            let reading = try Scene.reading(text[..<length])
            #expect(reading.document == nil && !reading.findings.isEmpty, "cut at \(length)")
        }
        #expect(try Scene.reading(text).document != nil)
    }

    @Test func `values of every type in every place are read or found`() throws {
        let names =
            PracticeArray.allCases.map(\.rawValue) + PracticeMap.allCases.map(\.rawValue)
            + PracticeSettingsObject.allCases.map(\.rawValue) + ["schemaVersion"]
        let members = [
            "id", "gameID", "progressPercent", "timestamp", "score", "note", "action", "gameIDs", "endDate",
            "lastImportAt", "selectedGroupID",
        ]
        let values = [
            "null", "true", "1e308", "18446744073709551615", "-1e308", "9223372036854775807",
            "-9223372036854775808", "\"\"", "\"99999999999999999999999\"",
            "[[1]]", "{\"\":1}",
        ]
        for name in names {
            for value in values {
                try check("{\"\(name)\":\(value)}")
                try check("{\"\(name)\":[\(value)]}")
                for member in members { try check("{\"\(name)\":[{\"\(member)\":\(value)}]}") }
                for member in members { try check("{\"\(name)\":{\"\(member)\":\(value)}}") }
            }
        }
        for name in ["groups", "scores", "notes", "journal", "rulesheetProgress", "gameSummaryNotes"] {
            for value in values {
                try check("{\"playerName\":\"\",\"\(name)\":\(value)}")
                for member in ["id", "gameSlug", "score", "timestampMs", "summary", "action", "gameSlugs"] {
                    try check("{\"playerName\":\"\",\"\(name)\":[{\"\(member)\":\(value)}]}")
                }
            }
        }
    }

    /// Reads a text in all ways, and writes into it; what comes out can be read again.
    private func check(_ text: String) throws {
        let reading = try Scene.reading(text.utf8, library: try Self.library.get())
        let document = try #require(reading.document, "\(text)")
        _ = document.groups.expired(at: Scene.now, in: .utc)
        _ = document.groups.selected(stored: document.settings.selectedGroup)
        _ = PracticeTimeline(document.rows, [], zone: .utc, name: { $0 })
        let history = GameHistory(of: "GaB12", in: GameRecords(document), now: Scene.now, zone: .utc)
        _ = (history.alerts, history.focusPriority, history.timeline(.compressInactive))
        _ = Canonicalisation.change(of: document, by: try Self.library.get())
        guard
            case .change(let change, _) = try ScoreWrite(game: "GaB12", score: 1).outcome(
                ByteTests.context(document))
        else { return }
        guard let written = try? document.applying(change) else { return }
        #expect(try Scene.reading(written).document?.rows.count == document.rows.count + 1, "\(text)")
    }

    private static let library = Result { try Scene.library() }

    @Test(arguments: [Int64.min, -1, 101, .max])
    func `progress beyond all bounds counts as none or as all of it`(percent: Int64) throws {
        let events = StudyTask.allCases.map {
            #"{"gameID":"GaB12","task":"\#($0.rawValue)","progressPercent":\#(percent),"timestamp":1772388000000}"#
        }
        let document = try Scene.document("{\"studyEvents\":[\(events.joined(separator: ","))]}".utf8)
        let records = GameRecords(document, try Self.library.get())
        let completion = percent > 0 ? 100 : 0
        let history = GameHistory(of: "GaB12", in: records, now: Scene.now, zone: .utc)
        #expect(history.completion == completion)
        #expect(isClose(history.focusPriority, percent > 0 ? 0.85 : 1))
        let overview = GroupOverview(["GaB12"], in: records, now: Scene.now, zone: .utc)
        #expect(overview.completionAverage == completion)
    }

    @Test func `of keys that appear twice the last one counts, when read and when written`() throws {
        let text =
            #"{"journalEntries":[],"journalEntries":[{"id":"A860D2D8-BA65-8515-8D09-7864C5A53374","id":"x","gameID":"g","action":"gameBrowse","timestamp":1}],"schemaVersion":1,"schemaVersion":4}"#
        let document = try Scene.document(text.utf8)
        #expect(document.rows.map(\.id) == ["x"])
        let written = try ByteTests.written(text, BrowseWrite(game: "GaB12"))
        #expect(written.hasPrefix(#"{"journalEntries":[],"journalEntries":[{"id":"A8"#))
        #expect(try Scene.document(written.utf8).rows.count == 2)
    }

    @Test func `many bad rows are a few findings`() throws {
        var text = Array(#"{"journalEntries":["#.utf8)
        for index in 0..<50_000 { text += Array("\(index == 0 ? "" : ","){\"id\":1}".utf8) }
        text += Array("]}".utf8)
        let reading = try Scene.reading(text)
        #expect(reading.document?.rows.count == 50_000)
        let findings = Dictionary(grouping: reading.findings, by: \.rule.id).mapValues(\.count)
        #expect(findings == ["key-missing": 20, "type-mismatch": 20])
        #expect(reading.findings.contains { $0.message.hasSuffix("and 149980 more of this rule") })
    }

    @Test(arguments: [
        String(repeating: " of rulesheet", count: 5_000), String(repeating: "Read a of ", count: 5_000),
        String(repeating: ": ", count: 10_000), String(repeating: "%", count: 10_000),
        "Read a\nx" + String(repeating: " rulesheet: n", count: 999),
        "Read " + String(repeating: "x", count: 10_000) + " of "
            + String(repeating: " rulesheet:", count: 999),
    ])
    func `a long text of an older row keeps nobody busy`(summary: String) throws {
        for action in ["study", "practice"] {
            let text = JSONText.object { document in
                document.member(
                    "journal",
                    JSONText.array([
                        JSONText.object {
                            $0.member("action", action)
                            $0.member("summary", summary)
                        }
                    ]))
            }
            #expect(try Scene.reading(text.bytes).document?.rows.count == 1)
        }
    }
}
