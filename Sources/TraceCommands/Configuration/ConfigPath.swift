internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore

/// `trace config path`
struct ConfigPath: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "path", abstract: "Show which configuration files are read, in order of precedence.",
        discussion: "Also works with files that can't be read.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let flags = SettingsFlags(configFile: global.config.map { FilePath(argument: $0) })
            let places = try TraceSettings.places(flags: flags).map { ($0, PathCheck.exists($0)) }
            guard !global.json else {
                return Output.json(
                    .array(
                        places.map { path, exists in
                            .object { object in
                                object.member("path", JSONText(path.escaped))
                                object.member("exists", JSONText(exists))
                            }
                        }))
            }
            for (path, exists) in places { Output.line("\(path.escaped)\(exists ? "" : "\tnot found")") }
        }
    }
}
