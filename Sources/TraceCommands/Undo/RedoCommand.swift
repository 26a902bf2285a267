internal import ArgumentParser
internal import Glibc
internal import TraceLibrary
internal import TraceStore

/// `trace redo`
struct RedoCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Do again what you last undid.",
        discussion: """
            Run again, it does again what was undone before. Once you have written something else, there is nothing to redo. \
            It fails if what the undo has left has been changed since. Exit status 1 if nothing can be done again.
            """)

    @Flag(name: [.customShort("n"), .long], help: "Only show what would be done.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let outcome = try context.libraryWriter.undo.redo(user: UInt32(geteuid()), isDryRun: dryRun)
            try UndoCommand.report(
                outcome, verb: ("redo", "redone"), isDryRun: dryRun, isJSON: global.json, context)
        }
    }
}
