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

    @Test(arguments: [
        (0.5, "0"), (1.5, "2"), (-1234.0, "-1,234"), (1e21, "1,000,000,000,000,000,000,000"),
        (1.5e19, "15,000,000,000,000,000,000"), (999, "999"), (1000, "1,000"),
    ])
    func `scores have commas`(score: Double, text: String) { #expect(ScoreText.text(score) == text) }
}
