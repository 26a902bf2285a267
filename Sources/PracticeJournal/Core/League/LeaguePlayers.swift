internal import RecordFormat

/// The players of a league with the numbers that the IFPA knows them by.
///
/// Source: docs/spec/practice.md#numbers-of-players.
struct LeaguePlayers {
    struct Player {
        let name: PlayerName
        /// Digits alone.
        let number: String
        fileprivate let names: [PersonWords]
    }

    private let players: [Player]

    static let fileName = LibraryDataFile.ifpaPlayers.rawValue

    /// - Parameter redaction: Whose number nobody is to be found by.
    init(_ bytes: [UInt8], redaction: NameRedaction) {
        let columns = ["player", "ifpa_player_id", "ifpa_name"]
        var table = LeagueTable(bytes, file: Self.fileName, required: columns.map { [$0] })
        var players: [Player] = []
        while let row = table.next() {
            let names = ["player", "ifpa_name"].map { PlayerName(table.text($0, of: row)) }
            let number = Self.number(table.text("ifpa_player_id", of: row))
            guard !number.isEmpty, names.allSatisfy({ redaction.shown($0) == $0.text }) else { continue }
            players.append(
                Player(name: names[0], number: number, names: names.map(PersonWords.init)))
        }
        self.players = players
    }

    /// What is left of a number that is typed: a text around it says no more.
    static func number(_ typed: String) -> String {
        String(decoding: typed.utf8.filter(\.isASCIIDigit), as: UTF8.self)
    }

    /// The one player whom a typed name means; nil if there is none, or several.
    ///
    /// - Complexity: O(players)
    func player(named typed: String) -> Player? {
        let wanted = PersonWords(PlayerName(typed))
        let equal = players.filter { $0.names.contains(where: wanted.isSame(as:)) }
        return Self.only(equal.isEmpty ? players.filter { $0.names.contains(where: wanted.isLike) } : equal)
    }

    /// Whose a number is.
    func has(_ number: String) -> Bool { players.contains { $0.number == number } }

    private static func only(_ found: [Player]) -> Player? {
        Set(found.map(\.number)).count == 1 ? found.first : nil
    }
}

/// The words of a person's name.
private struct PersonWords {
    private let all: [Substring]
    /// Without what is behind a name, and without initials within it.
    private let bare: [Substring]

    private static let suffixes: Set<Substring> = ["jr", "sr", "ii", "iii", "iv", "v"]
    /// How long a first name is at least of which another one is the beginning.
    private static let shortest = 3

    init(_ name: PlayerName) {
        all = name.words
        let named = all.filter { !Self.suffixes.contains($0) }
        bare = named.indices.filter { $0 == 0 || $0 == named.count - 1 || named[$0].count > 1 }.map {
            named[$0]
        }
    }

    func isSame(as other: PersonWords) -> Bool {
        if all.isEmpty || other.all.isEmpty { return false }
        return all == other.all || all == other.bare || bare == other.all || bare == other.bare
    }

    /// Whether the last names are the same, and one of the first names is how the other one begins.
    func isLike(_ other: PersonWords) -> Bool {
        guard bare.count > 1, other.bare.count > 1, bare.last == other.bare.last,
            let one = bare.first, let two = other.bare.first,
            min(one.count, two.count) >= Self.shortest
        else { return false }
        return one.hasPrefix(two) || two.hasPrefix(one)
    }
}
