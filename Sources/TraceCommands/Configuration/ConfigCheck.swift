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
            Reports the first problem with its file, line and cure; exit status 78 then. 'trace doctor' checks \
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
        do {
            let context = try CommandContext(global)
            _ = try context.zone
            report(context.settings.files)
        } catch let error as ConfigurationError {
            if global.json {
                Output.json(
                    .object { object in
                        object.member("valid", JSONText(false))
                        object.member("problem", error.json)
                    })
            }
            let failure = CommandFailure(error)
            guard file != nil, var report = failure.report, report.place == "--config" else { throw failure }
            // The file was not given by an option here.
            report.place = nil
            throw CommandFailure(failure.status, report)
        }
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
