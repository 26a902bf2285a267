internal import ArgumentParser
internal import TraceConfiguration
internal import TraceStore

/// `trace action …`
struct ActionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "action", abstract: "Run your own programs on a session, and see the results.",
        discussion: """
            An action is an executable in 'actions' next to the configuration file. It gets the session's directory as argument \
            and a JSON object on standard input, and may print a JSON object.
            """,
        subcommands: [ActionList.self, ActionRunCommand.self, ActionDecline.self])

    /// Marks the runs as failed that a crash has cut short, and says so.
    static func failInterrupted(_ context: CommandContext) {
        let settings = context.settings
        for run in RunningAction.failInterrupted(
            in: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory)
        {
            if let problem = run.problem {
                context.notice(
                    "warning: the interrupted run \(run.id) could not be marked as failed: \(problem)")
            } else {
                context.notice("the run \(run.id) was interrupted and is marked as failed")
            }
        }
    }
}
