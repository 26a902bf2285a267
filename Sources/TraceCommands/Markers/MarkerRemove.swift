internal import ArgumentParser
internal import TraceLibrary
internal import TraceStore

/// `trace marker remove ID`
struct MarkerRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a marker from its session.",
        discussion: """
            No queue entry brings it back; 'trace undo' does. A marker that a voice note refers to is removed only with \
            --force, which also removes that reference.
            """)

    @OptionGroup var record: RecordArguments
    @Flag(help: "Also remove the references of voice notes to it.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let (target, id) = try record.marker(in: context)
            let removed = try context.libraryWriter.removeMarker(
                id, from: target, droppingReferences: force)
            let outcome = removed.outcome
            for notice in outcome.notices { context.notice("warning: \(notice)") }
            for note in outcome.unlinked { context.notice("voice note \(note) no longer refers to a marker") }
            Output.done("removed: \(id)", global.json ? removed.json(.commandLine) : nil)
        }
    }
}
