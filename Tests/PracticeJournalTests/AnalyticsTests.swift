import PracticeJournal
import RecordFormat
import Testing

struct AnalyticsTests {
    private static func cases(_ prefix: String) -> [GoldenCase] {
        GoldenCase.all(of: "practice-analytics") { $0.name.hasPrefix(prefix) }
    }

    @Test(arguments: cases("game") + cases("window"))
    func `a game has numbers, progress and alerts`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let history = try history(golden)
        for (task, percent) in try expected.need("progress").members {
            #expect(
                history.progress(of: try #require(StudyTask(rawValue: task))) == percent.integer, "\(task)")
        }
        #expect(history.completion == expected["completion"]?.integer)
        #expect(isClose(history.focusPriority, expected["focusPriority"]?.number))
        guard expected.members.contains(where: { $0.name == "scores" }) else { return }
        try check(history.statistics, expected["scores"])
        #expect(
            history.alerts.map { "\($0.severity) \($0.message)" }
                == (try expected.need("alerts").elements.map {
                    "\($0.text("severity")) \($0.text("message"))"
                }))
        for alert in history.alerts {
            // What the message says in words is there as a value.
            let days = alert.message.split(separator: " ").compactMap { Int($0) }.first
            #expect(alert.days == days, "\(alert.message)")
        }
        for (mode, numbers) in try expected.need("timeline").members {
            let timeline = history.timeline(try #require(GapMode(rawValue: mode)))
            let found = [
                timeline.scores, timeline.activeSessions, timeline.longGaps, timeline.longestGapDays,
            ]
            let names = ["scores", "activeSessions", "longGaps", "longestGapDays"]
            #expect(found == names.map { numbers[$0]?.integer }, "\(mode)")
            #expect(
                timeline.gaps.map(\.days).max() ?? 0 == (timeline.longGaps > 0 ? timeline.longestGapDays : 0))
        }
    }

    @Test func `a game has its scores in order, the gaps between them, its best and its trend`() throws {
        let day = 86_400_000.0
        let entries = [(300, 40), (100, 0), (150, 1), (50, 20), (90, nil)].map { score, at in
            let time = at.map { ",\"timestamp\":\(Int64(1_772_000_000_000 + Double($0) * day))" } ?? ""
            return #"{"gameID":"G","score":\#(score),"context":"practice"\#(time)}"#
        }
        let document = try Scene.document(#"{"scoreEntries":[\#(entries.joined(separator: ","))]}"#.utf8)
        let history = GameHistory(of: "G", in: GameRecords(document), now: Scene.now, zone: .utc)
        #expect(history.played.map(\.score) == [100, 150, 50, 300])
        #expect(history.best == 300)
        #expect(isClose(history.trend, 175.0 / 125 - 1))
        let gaps = history.timeline(.realTimeline).gaps
        #expect(gaps.map(\.days) == [19, 20])
        #expect(gaps.map(\.to) == history.played.dropFirst(2).map(\.time))
        let none = GameHistory(of: "H", in: GameRecords(document), now: Scene.now, zone: .utc)
        #expect(none.best == nil && none.trend == nil && none.played.isEmpty)
    }

    private func check(_ statistics: ScoreStatistics?, _ expected: GoldenValue?) throws {
        #expect((statistics == nil) == (expected == nil))
        guard let statistics, let expected else { return }
        #expect(statistics.count == expected["count"]?.integer)
        #expect(isClose(statistics.average, expected["average"]?.number))
        #expect(isClose(statistics.median, expected["median"]?.number))
        #expect(isClose(statistics.floor, expected["floor"]?.number))
        #expect(isClose(statistics.lowerQuartile, expected["p25"]?.number))
        #expect(isClose(statistics.upperQuartile, expected["p75"]?.number))
        #expect(isClose(statistics.spread, expected["spread"]?.number))
        #expect(statistics.consistency == expected.text("consistency"))
    }

    private func history(_ golden: GoldenCase) throws -> GameHistory {
        GameHistory(
            of: golden.text("game"), in: try records(golden),
            window: GameHistory.Window(start: golden["start_ms"]?.number, end: golden["end_ms"]?.number),
            now: try now(golden), zone: try Scene.zone(golden.text("zone")))
    }

    private func records(_ golden: GoldenCase) throws -> GameRecords {
        GameRecords(
            try Scene.document(golden.file.need("document").bytes),
            try Scene.library(golden.file["library"]))
    }

    private func now(_ golden: GoldenCase) throws -> Timestamp {
        Timestamp(milliseconds: Int64(try #require(golden["now_ms"]?.integer)))
    }

    @Test(arguments: cases("group"))
    func `a group has an overview and a recommendation`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let group = try #require(try Scene.groups(GoldenValue("[\(golden.need("group"))]".utf8)).first)
        let overview = GroupOverview(
            group, in: try records(golden), now: try now(golden), zone: try Scene.zone(golden.text("zone")))
        #expect(overview.completionAverage == expected["completionAverage"]?.integer)
        #expect(overview.staleGames == expected["staleGames"]?.integer)
        #expect(overview.weakerGames == expected["weakerGames"]?.integer)
        #expect(overview.recommended == expected["recommended"]?.string)
    }

    @Test(arguments: cases("percentiles"))
    func `percentiles are interpolated`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let values = try golden.need("values").elements.compactMap(\.number)
        let statistics = try #require(ScoreStatistics(values))
        #expect(isClose(statistics.lowerQuartile, expected["p25"]?.number))
        #expect(isClose(statistics.median, expected["median"]?.number))
        #expect(isClose(statistics.upperQuartile, expected["p75"]?.number))
    }

    @Test(arguments: cases("whole-days"))
    func `whole days are counted by the clocks of the zone`(golden: GoldenCase) throws {
        let zone = try Scene.zone(golden.text("zone"))
        let first = try #require(Timestamp(golden.text("from")))
        let second = try #require(Timestamp(golden.text("to")))
        let days = try golden.need("expect")["days"]?.integer
        #expect(zone.wholeDays(from: first, to: second) == days)
    }
}
