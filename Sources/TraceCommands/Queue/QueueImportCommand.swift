internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace queue import FILE`
struct QueueImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Queue what the phone app exported.",
        discussion: """
            The files hold JSON arrays of pending markers ({tag, offset_ms, created_at}) or voice notes ({id, created_at, \
            media_path, offset_ms, duration_ms, localFileName}), with their audio next to them. A marker gets an id that is \
            derived from its content, so importing twice adds nothing. The session need not exist yet.

            Exit status 1 if something could not be queued.
            """)

    @Argument(help: "The exported files; - is standard input.")
    var files: [String]
    @Option(
        help: ArgumentHelp("The directory of the audio, if not that of the file.", valueName: "directory"))
    var audio: String?
    @Option(help: "The name of the device that exported.", transform: words)
    var device: String?
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be queued.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let session = try context.sessionID(nil)
            // All files are read before anything is queued, so that one that is broken changes nothing.
            let exports = try files.map { try read($0, context) }
            let outcomes = try context.libraryWriter.importFromPhone(
                exports, for: session, device: device, isDryRun: dryRun)
            report(outcomes)
            let left = outcomes.count { $0.result.isLeftOut }
            guard left == 0 else {
                throw CommandFailure(
                    .negative, "\(left) of \(outcomes.count) can't be queued",
                    cure: "fix the reasons shown, then import the file again: nothing is queued twice")
            }
        }
    }

    /// What a file holds, and where its audio lies.
    private func read(_ file: String, _ context: CommandContext) throws -> QueueImport.Source {
        let given = audio.map { context.absolute(FilePath(argument: $0)) }
        let export: PhoneExport
        var directory = context.workingDirectory
        if file == "-" {
            export = try PhoneExport(parsing: try StandardInput.all(limit: limit), file: "standard input")
        } else {
            let path = context.absolute(FilePath(argument: file))
            directory = path.removingLastComponent()
            guard let name = path.lastComponent,
                let contents = try OpenDirectory(directory).readFile(name, limit: Int64(limit))
            else { throw FileError("open", path, .noSuchFileOrDirectory) }
            export = try PhoneExport(parsing: contents.contents, file: path.escaped)
        }
        for omission in export.omissions { context.notice("warning: \(omission)") }
        return QueueImport.Source(export, audioDirectory: given ?? directory)
    }

    private var limit: Int { 256 << 20 }

    private func report(_ outcomes: [QueueImport.Outcome]) {
        let summary =
            "\(dryRun ? "would import" : "imported"): "
            + (outcomes.isEmpty ? "nothing" : tally(outcomes.map(\.result.name)))
        if !dryRun { Output.note(done: summary) }
        if global.json { return Output.json(.array(outcomes.map { $0.json(.commandLine) })) }
        for outcome in outcomes { Output.line(outcome.text) }
        Output.line(summary)
    }
}

extension QueueImport.Outcome {
    fileprivate var text: String {
        let reason = result.reason.map { ": \($0.oneLine)" } ?? ""
        return "\(result.name)\t\(id)\t\(kind.noun) at \(offset)\(reason)"
    }
}
