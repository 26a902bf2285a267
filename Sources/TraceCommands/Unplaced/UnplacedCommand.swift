internal import ArgumentParser

/// `trace unplaced …`
struct UnplacedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unplaced", abstract: "Show, place and drop moments whose session is not known.",
        discussion: """
            'trace mark' and 'trace voice-note' keep a moment if it is not known which session it belongs to: if several are \
            open, or none. If one session alone covers the moment, as after it was synced, 'trace queue flush' and traced put it there.
            """,
        subcommands: [UnplacedList.self, UnplacedPlace.self, UnplacedDrop.self])
}
