/// Which games of a library are listed, and in which order.
///
/// Source: docs/spec/practice.md#the-library.
package struct LibraryQuery: Sendable {
    /// Words that the name, the maker, the year or the place must have.
    var words: [String] = []
    /// The id or the name of a venue or category.
    var source: String?
    var bank: Int?
    /// Only games with a score, or only games without one.
    var isPlayed: Bool?
    /// The key of the only game that is asked for.
    var game: String?
    package var order = Order.library

    /// The orders in which games are listed.
    package enum Order: String, CaseIterable, Sendable {
        case library, name, bank, year
    }

    package init() {}

    /// A game, and whether there is a score of it.
    package struct Row: Sendable {
        package let game: GameLibrary.Game
        /// The name of its venue or category.
        let sourceName: String?
        let isPlayed: Bool
    }

    /// - Parameter played: The keys of the games of which there is a score.
    package func rows(of library: GameLibrary, played: Set<String>) -> [Row] {
        let names = Dictionary(
            library.sources.map { ($0.id, $0.name) }, uniquingKeysWith: { one, _ in one })
        let wanted = source.map { source in
            Set(library.sources.filter { $0.id == source || $0.name == source }.map(\.id))
        }
        // The catalogue has all games that there are: those at none of the places are for who looks for one.
        let looks = !words.isEmpty || game != nil || isPlayed == true
        let plain = words.map(\.plain)
        var rows = (library.games + (looks ? library.others : [])).compactMap { game -> Row? in
            let row = Row(
                game: game, sourceName: names[game.source], isPlayed: played.contains(game.key))
            guard plain.allSatisfy(game.matches), wanted?.contains(game.source) ?? true,
                bank == nil || game.bank == bank, isPlayed == nil || row.isPlayed == isPlayed,
                self.game == nil || game.key == self.game
            else { return nil }
            return row
        }
        switch order {
        case .library: break
        case .name:
            rows.sort { ($0.game.name.lowercased(), $0.game.key) < ($1.game.name.lowercased(), $1.game.key) }
        case .bank:
            rows.sort {
                ($0.game.bank ?? .max, $0.game.name.lowercased(), $0.game.key)
                    < ($1.game.bank ?? .max, $1.game.name.lowercased(), $1.game.key)
            }
        case .year:
            rows.sort {
                ($0.game.year ?? .max, $0.game.name.lowercased(), $0.game.key)
                    < ($1.game.year ?? .max, $1.game.name.lowercased(), $1.game.key)
            }
        }
        return rows
    }
}

extension GameLibrary.Game {
    /// Whether a word is in its name, in what tells its machine from others, or in its place.
    ///
    /// - Parameter word: In lower case, without diacritics.
    fileprivate func matches(_ word: String) -> Bool {
        let texts = [
            name, variant, manufacturer, year.map(String.init), area, bank.map { "bank \($0)" },
            group.map { "group \($0)" },
        ]
        return texts.contains { $0?.plain.contains(word) ?? false }
    }
}

extension String {
    /// In lower case, without diacritics.
    fileprivate var plain: String { withoutDiacritics.lowercased() }
}
