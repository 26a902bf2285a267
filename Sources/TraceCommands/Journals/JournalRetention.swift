internal import ArgumentParser
internal import RecordFormat
internal import TraceIndex

/// `trace journal retention`
struct JournalRetention: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention", abstract: "Remove what a journal keeps only for a time.",
        discussion: "Journals of a kind without a retention keep everything.")

    @Argument(help: "The journal, as for 'trace journal show'; by default, each.")
    var journal: String?
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be removed.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            // No kind that there is has a retention.
            let kind = try journal.map { name in try context.journal(name) { $1.kind }.0 }
            Output.done(
                "nothing removed: "
                    + (kind.map { "a \($0) journal keeps everything" } ?? "no journal has a retention"),
                global.json
                    ? .object { object in
                        object.member("kind", kind.map { JSONText($0.name) })
                        object.member("removed", JSONText(Int64(0)))
                    } : nil)
        }
    }
}
