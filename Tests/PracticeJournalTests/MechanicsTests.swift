import PracticeJournal
import RecordFormat
import Testing

struct MechanicsTests {
    @Test(arguments: GoldenCase.all(of: "practice-mechanics"))
    func `skills are found, tagged and followed`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        if let text = golden["text"]?.string {
            let skills = try expected.need("skills").elements.map(\.string)
            #expect(FlipperSkill.found(in: text).map(\.name) == skills)
        } else if let skill = golden["skill"]?.string {
            try check(skill, golden["notes"] ?? golden.file.need("notes"), expected)
        } else if golden.name.hasPrefix("tag") {
            let note = FlipperSkill.tagged(golden.text("note"), detail: golden["detail"]?.string)
            #expect(note == expected.text("note"))
        } else {
            #expect(Competency.found(in: golden.text("note")) == expected["competency"]?.integer)
        }
    }

    private func check(_ skill: String, _ notes: GoldenValue, _ expected: GoldenValue) throws {
        let notes = try Scene.document("{\"noteEntries\":\(notes)}".utf8).noteEntries
        let all = MechanicsLog.logs(in: notes)
        let ofSkill = all.filter { $0.skill == skill }
        if let logs = expected["logs"] {
            let found = skill.isEmpty ? all : ofSkill
            #expect(found.map(\.skill) == logs.elements.map { $0.text("skill") })
            #expect(found.map(\.competency) == logs.elements.map { $0["competency"]?.integer })
            #expect(found.map(\.note.id) == logs.elements.map { $0["id"]?.string })
        }
        guard let summary = expected["summary"] else { return }
        let found = SkillSummary(of: skill, in: ofSkill)
        #expect(found.skill == summary.text("skill"))
        #expect(found.count == summary["logs"]?.integer)
        #expect(found.series == ofSkill.compactMap(\.competency))
        #expect(found.latest == summary["latest"]?.integer)
        #expect(isClose(found.average, summary["average"]?.number))
        #expect(isClose(found.trend, summary["trend"]?.number))
    }
}
