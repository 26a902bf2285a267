import PracticeJournal
import RecordFormat
import Testing

struct TextTests {
    @Test(arguments: GoldenCase.all(of: "practice-summaries"))
    func `a row is read in two forms`(golden: GoldenCase) throws {
        let text = "{\"journalEntries\":[\(try golden.need("row"))]}"
        let row = try #require(try Scene.document(text.utf8).rows.first)
        let found = RowText(row, game: golden.text("gameName"))
        let expected = try golden.need("expect")
        #expect(found.structured == expected.text("structured"))
        #expect(found.line == expected.text("line"))
    }

    @Test(arguments: GoldenCase.all(of: "practice-composed"))
    func `texts are composed of what was entered`(golden: GoldenCase) throws {
        let input = try golden.need("input")
        let expected = try golden.need("expect")
        do throws(WriteRejection) {
            switch golden.text("what") {
            case "practice-note":
                let category = NoteCategory(rawValue: input.text("category")) ?? .general
                let note = try ComposedText.practiceNote(
                    minutes: input.text("minutes"), category: category, note: input["note"]?.string)
                #expect(note == expected.text("note"))
                let values = PracticeNote(note).values
                #expect(values.minutes == Int(input.text("minutes")))
                #expect(values.focus == (category == .general ? nil : category))
                let written = input["note"]?.string.map { $0.replacing("\r\n", with: "\n") }
                #expect(values.note == (written?.isEmpty ?? true ? nil : written))
            case "video-value":
                let video =
                    input.text("kind") == "clock"
                    ? try VideoProgress(
                        source: input.text("source"), watched: input.text("watched"),
                        total: input.text("total"))
                    : try VideoProgress(source: input.text("source"), percent: input["percent"]?.number ?? 0)
                #expect(video.kind.rawValue == expected.text("kind"))
                #expect(video.value == expected.text("value"))
                #expect(video.percent == expected["progressPercent"]?.integer)
                let watched = WatchedVideo(video.value, kind: video.kind.rawValue)
                #expect(watched.source == input.text("source"))
                let hasTimes = video.value.contains("/")
                #expect((watched.length ?? 0 > 0) == hasTimes && (watched.watched != nil) == hasTimes)
            default:
                let note = try ComposedText.mechanicsNote(
                    skill: input.text("skill"), competency: input["competency"]?.integer ?? 0,
                    note: input["note"]?.string)
                #expect(note == expected.string)
            }
        } catch {
            #expect(error.message == expected["error"]?.string)
        }
    }

    @Test(
        arguments: [
            (
                "Practice session: 15 minutes\nFocus: Shots\nramps. Twice", 15, NoteCategory.shots,
                "ramps. Twice"
            ),
            ("Practice session: 1 minute", 1, nil, nil), ("Practice session", nil, nil, nil),
            ("Practice session. Focus: Scoring strategy. Focus: Shots", nil, .strategy, "Focus: Shots"),
            // What a person wrote so is theirs.
            ("Practice session went well. Great", nil, nil, "Practice session went well. Great"),
            ("Practice session: 0 minutes. x", nil, nil, "Practice session: 0 minutes. x"),
            ("Practice session: 9 minutes or so", nil, nil, "Practice session: 9 minutes or so"),
            ("Practice session. Focus: Shotsing", nil, nil, "Focus: Shotsing"),
            ("Focus: Shots", nil, nil, "Focus: Shots"), (" ", nil, nil, nil),
        ] as [(String, Int?, NoteCategory?, String?)])
    func `the values of a practice note are read out of it`(
        text: String, minutes: Int?, focus: NoteCategory?, note: String?
    ) {
        let values = PracticeNote(text).values
        #expect(values.minutes == minutes && values.focus == focus && values.note == note)
    }

    @Test(
        arguments: [
            ("Gameplay 2 • 0:10:00/01:00:00 (17%)", "Gameplay 2", 600_000, 3_600_000),
            ("A • B • 60%", "A • B", nil, nil), ("60% (Tutorial 1)", nil, nil, nil),
            ("Tutorial 1 • 10:00/20:00 (50%)", nil, nil, nil), ("Tutorial 1 • some", nil, nil, nil),
            (" • 5%", nil, nil, nil), ("", nil, nil, nil),
        ] as [(String, String?, Int?, Int?)])
    func `the value of a video's progress is read`(
        value: String, source: String?, watched: Int?, length: Int?
    ) {
        let video = WatchedVideo(value)
        #expect(video.source == source && video.watched == watched && video.length == length)
    }

    @Test(arguments: [
        (0.5, "0"), (1.5, "2"), (-1234.0, "-1,234"), (1e21, "1,000,000,000,000,000,000,000"),
        (1.5e19, "15,000,000,000,000,000,000"), (999, "999"), (1000, "1,000"),
    ])
    func `scores have commas`(score: Double, text: String) { #expect(ScoreText.text(score) == text) }
}
