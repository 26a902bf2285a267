internal import RecordFormat
internal import TraceStore
internal import TraceText

extension Shape<LibraryQuery.Row> {
    static let game = Shape(
        "LibraryGame", "A game of the library",
        [
            .always(
                "its key, the id of the entry, its names and its source",
                [
                    "game": \.game.key, "id": \.game.id, "slug": \.game.slug, "name": \.game.name,
                    "source": \.game.source,
                ]),
            .sometimes("source_name", "the venue or category", \.sourceName),
            .sometimes(
                "its place there",
                ["bank": \.game.bank, "group": \.game.group, "position": \.game.position]),
            .sometimes(
                "the machine that it is there, and what tells it from others of the game",
                [
                    "machine": \.game.machine, "manufacturer": \.game.manufacturer,
                    "variant": \.game.variant, "type": \.game.type, "display": \.game.display,
                ]),
            .sometimes("year", "when the machine was built", \.game.year),
            .sometimes("area", "where it stands in the venue", \.game.area),
            .always("played", "whether there is a score of it", \.isPlayed),
            .always(
                "how many videos there are",
                ["tutorials": \.game.tutorialCount, "gameplays": \.game.gameplayCount]),
            .sometimes(
                "what to read and to look at, on the web",
                ["rulesheet_url": \.game.media.rulesheet.url, "playfield_url": \.game.media.playfield.url]),
            .sometimes(
                "the same as paths below `library/`",
                [
                    "rulesheet_file": \.game.media.rulesheet.file,
                    "playfield_file": \.game.media.playfield.file,
                ]),
            .sometimes(
                "gameinfo_file", "a sheet about the game: a path below `library/`", \.game.media.gameInfo),
            .list(
                "rulesheets", "all rulesheets on the web, in their order", of: link, \.game.media.rulesheets),
            .list("videos", "the videos, in their order", of: video, \.game.media.videos),
        ])

    private static let link = Shape<GameMedia.Link>(
        "LibraryRulesheet", "A rulesheet of a game",
        [.sometimes("label", "its name", \.label), .always("url", "its address", \.url)])

    private static let video = Shape<GameMedia.Video>(
        "LibraryVideo", "A video of a game",
        [
            .always("kind", "`tutorial`, `gameplay`, `competition` or another word", \.kind),
            .sometimes("its name and its address", ["label": \.label, "url": \.url]),
        ])
}

extension Parameter<String?> {
    static let search = Self(
        "search",
        "Words that the name, the variant, the maker, the year, the group, the bank or the area must have",
        .text(maxBytes: 200))
}

extension Question {
    static let librarySource = Parameter<String?>(
        "source", "Only games of this venue, maker or tournament: its id or its name", .text(maxBytes: 200))
    static let libraryBank = Parameter<Int?>("bank", "Only games of this bank", .integer(0...1_000_000))
    static let libraryPlayed = Parameter<Bool?>(
        "played", "Only games with a score, or only those without one")
    static let librarySort = Parameter<LibraryQuery.Order?>(
        "sort", "library, name, bank or year", standard: .library)

    static let library = list(
        "library", command: "library list", "The games of the library", of: .game,
        columns: [
            .whole("GAME", \.game.key), .whole("BANK") { $0.game.bank.map { "bank \($0)" } ?? "" },
            .text("NAME", least: 16, \.game.name),
        ], nothing: "no games",
        [DeclaredParameter](
            .onlyGame, .search, librarySource, libraryBank, libraryPlayed, librarySort)
    ) { (journal: OpenedPractice, asked) in
        var query = LibraryQuery()
        query.game = try asked[.onlyGame].map(journal.game(named:))
        query.words = asked[.search]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
        query.source = asked[librarySource]
        query.bank = asked[libraryBank]
        query.isPlayed = asked[libraryPlayed]
        query.order = asked[librarySort] ?? .library
        return try journal.answers.library(query, in: journal.wholeLibrary)
    }

    /// One game, which people read in full.
    static let libraryGame = list(
        "show", command: "library show", "A game of the library", of: .game, [DeclaredParameter](.game)
    ) { (journal: OpenedPractice, asked) in
        var query = LibraryQuery()
        query.game = try journal.game(named: asked[.game])
        return try journal.answers.library(query, in: journal.wholeLibrary)
    } screen: { rows, _ in
        [.lines(Array(rows.map(\.lines).joined(separator: [""])))]
    }
}

extension LibraryQuery.Row {
    /// For people.
    fileprivate var lines: [String] {
        let place = [
            sourceName, game.area, game.group.map { "group \($0)" }, game.bank.map { "bank \($0)" },
            game.position.map { "position \($0)" },
        ].compactMap(\.self)
        let members: [(String, String?)] =
            [
                ("place", place.isEmpty ? nil : place.joined(separator: ", ")),
                (
                    "machine",
                    [game.variant, game.manufacturer, game.year.map(String.init)].compactMap(\.self)
                        .joined(separator: ", ").trimmedOrNil
                ), ("played", isPlayed ? "yes" : "no"),
            ]
            + rulesheets + [
                ("playfield", game.media.playfield.url ?? game.media.playfield.file),
                ("about", game.media.gameInfo),
            ]
            + game.media.videos.map {
                ($0.kind, [$0.label, $0.url].compactMap(\.self).joined(separator: "  "))
            }
        return ["\(game.name.oneLine) (\(game.key.oneLine))"]
            + members.compactMap { label, value in value.map { "\(label.oneLine): \($0.oneLine)" } }
    }

    /// Those on the web; where there is none, the file.
    private var rulesheets: [(String, String?)] {
        let links = game.media.rulesheets.map { link -> (String, String?) in
            ("rulesheet", [link.label, link.url].compactMap(\.self).joined(separator: "  "))
        }
        return links.isEmpty ? [("rulesheet", game.media.rulesheet.url ?? game.media.rulesheet.file)] : links
    }
}
