import RecordFormat
import Testing

@testable import PracticeJournal

struct GameTests {
    @Test(arguments: GoldenCase.all(of: "practice-game-ids"))
    func `an id has one canonical form`(golden: GoldenCase) throws {
        let library = try Scene.library(golden.file["library"])
        let expected = try golden.need("expect")
        if let raws = golden["raws"] {
            #expect(library.canonical(raws.elements.compactMap(\.string)) == expected.elements.map(\.string))
        } else {
            let id = library.canonical(golden.text("raw"))
            #expect(id.id == expected.text("id"))
            #expect(id.match.rawValue == expected.text("by"))
        }
    }

    @Test func `a game is known by the name of the first with its key`() throws {
        let library = try Scene.library()
        #expect(library.name(of: "GaB12") == "Comet Racer")
        #expect(library.name(of: "") == "None")
        #expect(library.name(of: "nowhere") == "nowhere")
    }

    @Test(arguments: GoldenCase.all(of: "practice-library"))
    func `a library is read in all of its forms`(golden: GoldenCase) throws {
        let library = try Scene.library(golden["document"])
        let expected = try golden.need("expect")
        #expect(
            library.sources.map {
                "\($0.id) \($0.name) \(["category", "manufacturer"].contains($0.kind.rawValue) ? "category" : "venue")"
            }
                == (try expected.need("sources").elements.map {
                    "\($0.text("id")) \($0.text("name")) \($0.text("type"))"
                }))
        let games = try expected.need("games").elements
        try #require(library.games.count == games.count)
        for (game, expected) in zip(library.games, games) {
            let found = [game.id, game.key, game.slug, game.name, game.source]
            #expect(found == ["id", "key", "slug", "name", "source"].map(expected.text))
            #expect(game.area == expected["area"]?.string)
            let numbers = [game.bank, game.group, game.position, game.areaOrder]
            #expect(numbers == ["bank", "group", "position", "areaOrder"].map { expected[$0]?.integer })
            #expect(
                [game.tutorialCount, game.gameplayCount]
                    == ["tutorials", "gameplays"].map { expected[$0]?.integer })
        }
    }
}
