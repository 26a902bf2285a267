package import ArgumentParser
internal import Glibc
internal import TraceConfiguration
internal import TraceStore
internal import TraceText

/// `trace`: marks, asks, checks and flushes, on the server and on any laptop that has the files.
package struct TraceCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Mark, search and check practice and live sessions.",
        discussion: """
            A session is given by its directory, its id or a prefix of it, its title, or 'last'. By default, it is the \
            one of --session, of TRACE_SESSION, around the working directory, or the active one.

            Offsets are milliseconds (120000), times (2:00, 1:02:03.250), units (90s, 1h2m3s, 250ms), 'now', 'end', or \
            +5s and -10s from the last marker.

            Exit statuses: 0 done; 1 negative result; 64 usage; 65 bad data; 66 no such session or record; \
            69 a program is missing; 73 can't create; 74 input or output; 75 try again; 77 permission; 78 configuration; \
            130 stopped.
            """,
        version: Release.version,
        groupedSubcommands: [
            Group(
                name: "Session",
                subcommands: [
                    SessionCommand.self, SessionsCommand.self, JournalCommand.self, JournalsCommand.self,
                ]),
            Group(
                name: "Marking",
                subcommands: [
                    MarkCommand.self, MarkersCommand.self, MarkerCommand.self, VoiceNotesCommand.self,
                    VoiceNoteCommand.self, UnplacedCommand.self, TagCommand.self, UndoCommand.self,
                    RedoCommand.self,
                    RestoreCommand.self,
                ]),
        ] + AllKindCommands.groups.map { Group(name: $0.title, subcommands: [$0.command]) } + [
            Group(
                name: "Finding",
                subcommands: [
                    SearchCommand.self, AtCommand.self, TimelineCommand.self, DigestCommand.self,
                    WatchCommand.self,
                    PositionCommand.self,
                ]),
            Group(
                name: "Recording and exchange",
                subcommands: [
                    MediaCommand.self, TranscribeCommand.self, ExportCommand.self, ImportCommand.self,
                ]),
            Group(
                name: "Checking",
                subcommands: [
                    ValidateCommand.self, ValidateExamplesCommand.self, RepairCommand.self,
                    ExplainCommand.self, SchemaCommand.self,
                ]),
            Group(name: "Queue and action", subcommands: [QueueCommand.self, ActionCommand.self]),
            Group(name: "Access", subcommands: [TokenCommand.self, PairCommand.self]),
            Group(
                name: "Housekeeping",
                subcommands: [
                    StatusCommand.self, DoctorCommand.self, IndexCommand.self, ConfigCommand.self,
                ]),
        ])

    private typealias Group = ArgumentParser.CommandGroup

    @OptionGroup var global: GlobalOptions

    package init() {}

    /// Parses the arguments, runs what they ask for, and exits.
    package static func main() {
        ProgramStart.prepare(.command)
        Output.keepStandardDescriptors()
        let arguments = OptionValueNormalizer.normalize(arguments)
        // The parser would make the commands of all kinds first, which costs a third more.
        if arguments == ["--version"] { return Output.line(Release.version) }
        if let script = FishCompletion.script(arguments) { return Output.line(script) }
        do {
            var command = try FastPathParser.command(below: self, arguments) ?? parsed(arguments)
            // Only then: the question of what a type conforms to costs time that every mark would wait for.
            if arguments.contains(where: { $0.hasPrefix("-s") || $0.hasPrefix("--session") }) {
                try (command as? any SessionlessCommand)?.refuseSession()
            }
            try command.run()
        } catch let failure as CommandFailure {
            failure.tell()
            Glibc.exit(failure.status.rawValue)
        } catch {
            leave(for: error, arguments)
        }
    }

    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let commandPath = CommandPath(along: arguments, below: self)
        if commandPath.asksForHelp, let failure = CommandSuggestion.unknownCommand(commandPath) {
            throw failure
        }
        return try parseAsRoot(arguments)
    }

    /// What was typed after the command's name, as bytes: a path need not be UTF-8.
    static var arguments: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map { argument in
            // Sound: the kernel ends each argument with NUL, and keeps them as long as the process lives.
            ArgumentBytes.text(of: Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
        }
    }

    /// In fewer columns help has no room for what it explains.
    private static let leastColumns = 40

    /// Ends the process as the parser's own errors ask for, its messages written like ours.
    private static func leave(for error: any Error, _ arguments: [String]) -> Never {
        // The parser writes help in as many columns as this says, however few: none of it would be left.
        if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns < leastColumns {
            unsetenv("COLUMNS")
        }
        let status = exitCode(for: error)
        var message = fullMessage(for: error)
        let commandPath = CommandPath(along: arguments, below: self)
        if !status.isSuccess {
            if let failure = CommandSuggestion.unknownCommand(commandPath) {
                failure.tell()
                Glibc.exit(failure.status.rawValue)
            }
            message = CommandSuggestion.withOptionHint(message, for: commandPath, arguments)
        }
        if status.isSuccess {
            // Not for the version: to write the help of all commands takes half as long again as all the rest.
            let isHelp = message != configuration.version && message == helpMessage(for: commandPath.type)
            Output.line(isHelp ? message + CommandExamples.section(for: commandPath) : message)
        } else if !message.isEmpty {
            Output.error(message.replacing("Error: ", with: "error: ", maxReplacements: 1))
        }
        Glibc.exit(status.rawValue)
    }
}

/// Options of every command, before or after its verb.
struct GlobalOptions: ParsableArguments {
    @Flag(help: "Print only JSON on standard output.")
    var json = false
    @Flag(name: .shortAndLong, help: "Print only errors on standard error.")
    var quiet = false
    @Flag(name: .shortAndLong, help: "Say where answers come from.")
    var verbose = false
    @Option(
        name: [.customShort("s"), .customLong("session")],
        help: ArgumentHelp(
            "The session: a directory, an id or a prefix of it, a title, or 'last'.", valueName: "session"),
        completion: .sessions)
    var sessions: [String] = []
    /// The session of a command that is about one: the last one that was given.
    var session: String? { sessions.last }
    @Option(help: ArgumentHelp("The only configuration file to use.", valueName: "file"))
    var config: String?
    @Option(
        name: .customLong("root"),
        help: ArgumentHelp("A directory that contains sessions; may be repeated.", valueName: "directory"))
    var roots: [String] = []
    @Option(help: ArgumentHelp("The directory of the index and the queue.", valueName: "directory"))
    var stateDirectory: String?
    @Option(help: "Colours and bold type: auto, always or never.")
    var color: ColorOption?
    @Flag(help: "Don't show long answers page by page.")
    var noPager = false
    @Flag(help: "Show and read times in UTC instead of the configured zone.")
    var utc = false

    /// Colours and bold type.
    enum ColorOption: String, ExpressibleByArgument, CaseIterable {
        case auto, always, never
    }
}
