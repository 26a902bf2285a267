internal import ArgumentParser
internal import TraceFormat
internal import TraceStore

/// `trace marker …`
struct MarkerCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "marker", abstract: "Change or remove a marker.",
        subcommands: [MarkerEdit.self, MarkerRemove.self])
    static let typed = "marker"
}

/// What names a record: `[SESSION] ID`.
struct RecordArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The session, if it is not the usual one, and the id.", valueName: "session> <id"))
    var words: [String]

    /// The session's name, and the record's id.
    func parsed(_ noun: String) throws -> (session: String?, id: ULID) {
        guard let last = words.last, words.count <= 2 else {
            throw CommandFailure(.usage, "one session and one id are expected, not \(words.count) words")
        }
        guard let id = ULID(last.uppercased()) else {
            throw CommandFailure(
                .usage, "'\(last)' is not the id of a \(noun)", hint: "write its 26 characters")
        }
        return (words.count == 2 ? words[0] : nil, id)
    }
}
