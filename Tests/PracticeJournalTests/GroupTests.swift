import PracticeJournal
import RecordFormat
import Testing

struct GroupTests {
    @Test(arguments: GoldenCase.all(of: "practice-groups"))
    func `groups are selected, archived and found by game`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let groups = try Scene.groups(golden["groups"])
        if let archived = expected["archived"] {
            let now = try #require(Timestamp(golden.text("now")))
            let found = groups.expired(at: now, in: try Scene.zone(golden.text("zone")))
            #expect(found.map(\.id) == archived.elements.map(\.string))
        } else if let game = golden["game"]?.string {
            #expect(groups.active(for: game)?.id == expected["active"]?.string)
        } else {
            let selected = groups.selected(stored: golden["selected"]?.string)
            #expect(selected?.id == expected["selected"]?.string)
        }
    }
}
