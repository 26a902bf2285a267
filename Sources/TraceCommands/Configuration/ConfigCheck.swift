internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// `trace config check`
struct ConfigCheck: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the configuration, or a file before it becomes one.",
        discussion: """
            Reports all problems with their files, lines and cures; exit status 78 then. 'trace doctor' checks \
            whether the directories that it names can be used.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(
        help: ArgumentHelp("The file to check instead of the default ones.", valueName: "file"),
        completion: .file())
    var file: String?

    func run() throws {
        var global = global
        global.config = file ?? global.config
        let context = CommandContext(tolerating: global)
        var errors = context.mistakes.map(\.error)
        // What stands for the zone after a mistake is not what is wrong.
        if !errors.contains(where: { $0.key == TraceKeys.timeZone.name }) {
            do { _ = try context.zone } catch let error as ConfigurationError { errors.append(error) }
        }
        guard let first = errors.first else { return report(context.settings.files) }
        if global.json {
            Output.json(
                .object { object in
                    object.member("valid", JSONText(false))
                    object.member("problem", first.json)
                    object.member("problems", .array(errors.map(\.json)))
                })
        }
        try errors.map { error -> CommandFailure in
            let failure = CommandFailure(error)
            guard file != nil, var report = failure.report, report.place == "--config" else { return failure }
            // The file was not given by an option here.
            report.place = nil
            return CommandFailure(failure.status, report)
        }.end()
    }

    private func report(_ files: [FilePath]) {
        guard !global.json else {
            return Output.json(
                .object { object in
                    object.member("valid", JSONText(true))
                    object.member("files", .array(files.map { JSONText($0.escaped) }))
                })
        }
        let names = files.map(\.escaped).joined(separator: ", ")
        Output.line("ok: \(names.isEmpty ? "no configuration file; built-in defaults" : names)")
    }
}

extension ConfigurationError {
    /// The error with the keys of docs/cli-json.md.
    fileprivate var json: JSONText {
        .object { object in
            object.member("code", JSONText(code.rawValue))
            object.member("message", JSONText(message))
            object.member("file", file.map { JSONText($0.escaped) })
            object.member("line", line.map { JSONText(Int64($0)) })
            object.member("from", origin.map { JSONText("\($0)") })
            object.member("key", key.map { JSONText($0) })
            object.member("hint", (cure?.text).map { JSONText($0) })
        }
    }
}
