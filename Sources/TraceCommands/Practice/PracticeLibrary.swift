internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import TraceText

/// `trace practice library …`
struct PracticeLibrary: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Show the games of the library, or fetch it.",
        subcommands: [PracticeLibraryList.self, PracticeLibraryShow.self, PracticeLibraryFetch.self])
    static let typed = "practice library"
}

extension LibraryQuery.Order: ExpressibleByArgument {}

/// `trace practice library list`
struct PracticeLibraryList: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the games of the library.")

    @Argument(help: "Words that the name, the group, the bank or the area must have.", transform: words)
    var search: [String] = []
    @Option(help: "library, name or bank.")
    var sort: LibraryQuery.Order = .library
    @Option(help: "Only games of this venue or category.", transform: words)
    var source: String?
    @Option(help: "Only games of this bank.")
    var bank: Int?
    @Flag(help: "Only games with a score, or only those without one.")
    var played: Played?
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    /// `--played` and `--unplayed`.
    enum Played: String, EnumerableFlag {
        case played, unplayed
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try context.openedPractice(options)
            var query = LibraryQuery()
            query.words = search
            query.source = source
            query.bank = bank
            query.isPlayed = played.map { $0 == .played }
            query.order = sort
            let rows = try journal.answers.library(query)
            if global.json { return Output.json(rows.lazy.map(\.json)) }
            Output.lines(
                rows.map { row in
                    [row.game.key, row.game.bank.map { "bank \($0)" } ?? "", row.game.name].map(\.oneLine)
                        .joined(separator: "\t")
                })
        }
    }
}

/// `trace practice library show GAME`
struct PracticeLibraryShow: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a game of the library: its place, rulesheet, playfield and videos.")

    @Argument(help: "The game.", transform: words)
    var game: String
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try context.openedPractice(options)
            var query = LibraryQuery()
            query.game = try journal.library.key(typed: game)
            let rows = try journal.answers.library(query)
            if global.json { return Output.json(.array(rows.map(\.json))) }
            for (index, row) in rows.enumerated() {
                if index > 0 { Output.line("") }
                Output.lines(lines(of: row))
            }
        }
    }

    private func lines(of row: LibraryQuery.Row) -> [String] {
        let game = row.game
        let place = [
            row.sourceName, game.area, game.group.map { "group \($0)" }, game.bank.map { "bank \($0)" },
            game.position.map { "position \($0)" },
        ].compactMap(\.self)
        var lines = ["\(game.name.oneLine) (\(game.key.oneLine))"]
        func add(_ label: String, _ value: String?) {
            if let value { lines.append("\(label.oneLine): \(value.oneLine)") }
        }
        add("place", place.isEmpty ? nil : place.joined(separator: ", "))
        add("played", row.isPlayed ? "yes" : "no")
        add("rulesheet", game.media.rulesheet.url ?? game.media.rulesheet.file)
        add("playfield", game.media.playfield.url ?? game.media.playfield.file)
        for video in game.media.videos {
            add(video.kind, [video.label, video.url].compactMap(\.self).joined(separator: "  "))
        }
        return lines
    }
}
