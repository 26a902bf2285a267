import PracticeJournal
import RecordFormat
import Testing

struct TimelineTests {
    private static func cases(_ isLog: Bool) -> [GoldenCase] {
        GoldenCase.all(of: "practice-timeline") { ($0["log"] != nil) == isLog }
    }

    @Test(arguments: cases(false))
    func `rows and log are one timeline`(golden: GoldenCase) throws {
        let names = Dictionary(
            try golden.file.need("names").members.map { ($0.name, $0.value.string ?? "") },
            uniquingKeysWith: { $1 })
        let timeline = PracticeTimeline(
            try Scene.document(golden.file.need("document").bytes).rows,
            try LibraryLog(golden.file.need("log").bytes).entries,
            filter: try #require(TimelineFilter(rawValue: golden.text("filter"))),
            zone: try Scene.zone(golden.text("zone")), name: { $0.isEmpty ? "None" : names[$0] ?? $0 })
        let expected = try golden.need("expect").elements
        #expect(timeline.items.map(\.id) == expected.map { $0.text("id") })
        #expect(timeline.items.map(\.time) == expected.map { $0["at"]?.number })
        #expect(timeline.items.map(\.text) == expected.map { $0.text("text") })
        #expect(timeline.items.map(\.day) == expected.map { $0.text("day") })
        let zone = try Scene.zone(golden.text("zone"))
        for item in timeline.items {
            // As a moment is told with its zone.
            let shown = zone.minuteText(Timestamp(milliseconds: Int64(item.time.rounded(.down))))
            #expect(shown.hasPrefix("\(item.day) \(item.clock) "), "\(shown)")
        }
        for item in timeline.items {
            let isImport = item.text.hasPrefix("League import for ")
            #expect(item.name.isEmpty == (item.game.isEmpty || isImport), "\(item.id)")
        }
    }

    @Test(
        arguments: [
            (#""action":"scoreLogged""#, ["gameID", "note", "score", "scoreContext", "tournamentName"]),
            (#""action":"noteAdded""#, ["gameID", "note", "noteCategory", "noteDetail"]),
            (#""action":"practiceSession""#, ["gameID", "note", "progressPercent"]),
            (#""action":"gameBrowse""#, nil), (#""action":"newerAction""#, nil),
        ] as [(String, [String]?)])
    func `a row says what of it can be changed`(row: String, names: [String]?) throws {
        #expect(try Self.values(row).editable == names)
    }

    private static func values(_ row: String, best: Double? = nil) throws -> TimelineValues {
        let row = try Scene.document(#"{"journalEntries":[{"gameID":"G",\#(row)}]}"#.utf8).rows.first
        return TimelineValues(try #require(row), best: best)
    }

    @Test func `a score has its context, and says whether it is the best`() throws {
        let row = #""action":"scoreLogged","score":900,"scoreContext":"tournament","tournamentName":" Open ""#
        let values = try Self.values(row, best: 900)
        #expect(values.action == "scoreLogged" && values.score == 900 && values.task == nil)
        #expect(values.context == "tournament" && values.tournament == "Open")
        #expect(values.isBest == true && values.isLeagueImported == false)
        #expect(try Self.values(row, best: 901).isBest == false)
        #expect(try Self.values(row).isBest == nil)
        let imported =
            #""action":"scoreLogged","score":9,"scoreContext":"league","note":"Imported from LPL stats CSV""#
        #expect(try Self.values(imported).isLeagueImported == true)
        let summary = try Self.values(
            #""action":"scoreLogged","scoreContext":"league","note":"League import""#)
        #expect(summary.isLeagueImported == nil && summary.isBest == nil && summary.note == "League import")
    }

    @Test func `what was studied has its task, its share and its times`() throws {
        let read = try Self.values(#""action":"rulesheetRead","progressPercent":40,"note":" twice ""#)
        #expect(read.task == "rulesheet" && read.progress == 40 && read.note == "twice" && read.video == nil)
        let watched = try Self.values(
            #""action":"tutorialWatch","videoKind":"clock","videoValue":"Tutorial 1 • 00:10:00/00:30:00 (33%)""#
        )
        #expect(watched.task == "tutorialVideo" && watched.video?.kind == "clock")
        #expect(watched.video?.watched == 600_000 && watched.video?.length == 1_800_000)
        let session = try Self.values(
            #""action":"practiceSession","note":"Practice session: 15 minutes. Focus: Shots. ramps""#)
        #expect(session.minutes == 15 && session.focus == .shots && session.note == "ramps")
        let unknown = try Self.values(#""action":"streamed","task":"chat""#)
        #expect(unknown.action == "streamed" && unknown.task == "chat")
    }

    @Test(
        arguments: [
            ("#PostPass competency 3/5. late", "Post Pass", 3, "late"),
            ("#PostPass competency 3/5.", "Post Pass", 3, nil),
            ("post pass, comfort 2 today", "Post Pass", 2, "post pass, comfort 2 today"),
            ("#PostPass competency 9/5. x", "Post Pass", nil, "#PostPass competency 9/5. x"),
            ("post pass is hard", "Post Pass", nil, "post pass is hard"), ("ramps", nil, nil, "ramps"),
        ] as [(String, String?, Int?, String?)])
    func `a note about a skill has its values`(
        text: String, skill: String?, competency: Int?, note: String?
    ) throws {
        let values = try Self.values(#""action":"noteAdded","noteCategory":"shots","note":"\#(text)""#)
        #expect(values.skill == skill && values.competency == competency && values.note == note)
        #expect(values.category == "shots")
    }

    /// The names of the games alone would not make an id canonical; the library of the other goldens has the same games.
    @Test(arguments: cases(true))
    func `the log is read in both of its forms`(golden: GoldenCase) throws {
        let log = try LibraryLog(golden.need("log").bytes, library: try Scene.library())
        #expect(log.entries.map { GoldenValue($0.json.bytes) } == (try golden.need("expect").elements))
    }
}
