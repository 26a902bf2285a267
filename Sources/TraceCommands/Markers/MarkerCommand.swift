internal import ArgumentParser
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace marker …`
struct MarkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marker", abstract: "Change or remove a marker.",
        subcommands: [MarkerEdit.self, MarkerRemove.self])
}

/// What names a record: `[SESSION] ID`.
struct RecordArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The session, if it is not the default one, and the id or a part of it, last, or @1:30 for its offset.",
            valueName: "session> <id"),
        completion: .markers)
    var words: [String]

    /// The session, and the marker's id. Where none is named and none is active, the session that began last is meant.
    func marker(in context: CommandContext) throws -> (session: SessionTarget, id: ULID) {
        guard let last = words.last, words.count <= 2 else {
            throw CommandFailure(.usage, "expected one session and one id, not \(words.count) words")
        }
        let named = words.count == 2 ? words[0] : nil
        let target = try context.targetOrLast(named)
        return (target, try RecordName.id(of: last, .marker, in: target))
    }
}
