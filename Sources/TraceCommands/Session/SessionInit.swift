internal import ArgumentParser
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore

/// `trace session init DIRECTORY`
struct SessionInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make a new, active session.")

    @Argument(help: "The session's directory; it must not exist yet.")
    var directory: String
    @Option(parsing: .unconditional, help: "What the session is called.", transform: words)
    var title = ""
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let path = workplace.absolute(FilePath(argument: directory))
            let id = try SessionWriter.create(
                at: path, title: title, runtimeDirectory: workplace.settings.runtimeDirectory)
            Output.done("created: \(path.escaped) (id \(id))", asJSON: global.json) { object in
                object.member("id", JSONText(id))
                object.member("path", JSONText(path.escaped))
            }
        }
    }
}
