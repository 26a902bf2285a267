internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import TraceText

/// `trace practice library …`
struct PracticeLibrary: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Show the games of the library.",
        subcommands: [PracticeLibraryList.self, PracticeLibraryShow.self])
    static let typed = "practice library"
}

/// The orders in which games are listed.
enum LibrarySort: String, CaseIterable, ExpressibleByArgument {
    case library, name, bank
}

/// `trace practice library list`
struct PracticeLibraryList: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the games of the library.")

    @Argument(help: "Words that the name, the group, the bank or the area must have.", transform: words)
    var search: [String] = []
    @Option(help: "library, name or bank.")
    var sort: LibrarySort = .library
    @Option(help: "Only games of this venue or category.", transform: words)
    var source: String?
    @Option(help: "Only games of this bank.")
    var bank: Int?
    @Flag(help: "Only games with a score.")
    var played = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try OpenPracticeJournal(options, context)
            let scored = Set(journal.document.scoreEntries.map { journal.library.canonical($0.game).id })
            let sources = journal.library.sources.filter { $0.id == source || $0.name == source }.map(\.id)
            var games = journal.library.games.filter { game in
                search.allSatisfy(game.matches) && (source == nil || sources.contains(game.source))
                    && (bank == nil || game.bank == bank) && (!played || scored.contains(game.key))
            }
            switch sort {
            case .library: break
            case .name: games.sort { ($0.name.lowercased(), $0.key) < ($1.name.lowercased(), $1.key) }
            case .bank: games.sort { ($0.bank ?? .max, $0.name) < ($1.bank ?? .max, $1.name) }
            }
            if global.json { return Output.json(games.lazy.map(\.json)) }
            Output.lines(
                games.map { game in
                    [game.key, game.bank.map { "bank \($0)" } ?? "", game.name].map(\.oneLine).joined(
                        separator: "\t")
                })
        }
    }
}

/// `trace practice library show GAME`
struct PracticeLibraryShow: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a game of the library.")

    @Argument(help: "The game.", transform: words)
    var game: String
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try OpenPracticeJournal(options, context)
            let key = try journal.library.key(typed: game)
            let found = journal.library.games.filter { $0.key == key }
            if global.json { return Output.json(.array(found.map(\.json))) }
            for game in found { try Output.members(of: game.json) }
        }
    }
}
