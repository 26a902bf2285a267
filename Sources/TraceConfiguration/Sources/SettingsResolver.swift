internal import SystemPackage
internal import TraceFiles
internal import TraceText

/// Finds the value of a key: flags, then environment, then the user's file, then the machine's, then the
/// default.
struct SettingsResolver: Sendable {
    /// The command line.
    let flags: SettingsFlags
    /// The process.
    let context: SettingsContext
    /// The configuration files that exist, the one that wins first.
    let files: [SettingsFile]
    /// Where configuration files lie, or would, the one that wins first.
    let places: [FilePath]
    /// What is wrong with the files.
    let mistakes: [SettingsMistake]

    /// Reads the configuration files; one that can't be used says nothing.
    init(flags: SettingsFlags, context: SettingsContext) {
        self.flags = flags
        self.context = context
        var files: [SettingsFile] = []
        var mistakes: [SettingsMistake] = []
        func read(_ path: FilePath, orElse absent: ConfigurationError?) {
            do throws(ConfigurationError) {
                if let file = try SettingsFile(at: path) {
                    files.append(file)
                    mistakes += file.mistakes
                } else if let absent {
                    throw absent
                }
            } catch {
                mistakes.append(SettingsMistake(ofFile: error))
            }
        }
        do throws(ConfigurationError) {
            if let path = try Self.namedFile(flags: flags, context: context) {
                places = [path.value]
                read(
                    path.value,
                    orElse: ConfigurationError(
                        .fileUnreadable, "there is no configuration file \(quoted(path.value.bytes))",
                        at: path.origin,
                        cure: "correct the path, or leave it out to use the default files"))
            } else {
                places = Self.usualFiles(in: context)
                for path in places { read(path, orElse: nil) }
            }
        } catch {
            places = []
            mistakes.append(SettingsMistake(ofFile: error))
        }
        self.files = files
        self.mistakes = mistakes
    }

    /// What a key holds if nobody says anything.
    func standard<Value>(_ key: SettingKey<Value>) -> Resolved<Value> {
        switch key.defaultValue {
        case .fixed(let value): Resolved(value, from: .builtIn(from: nil))
        case .derived(_, let derive): derive(self)
        }
    }

    /// The value of a key and where it comes from.
    ///
    /// - Throws: ``ConfigurationError`` if the value that wins cannot be used.
    func resolve<Value>(_ key: SettingKey<Value>) throws(ConfigurationError) -> Resolved<Value> {
        guard let input = try input(for: key) else { return standard(key) }
        do throws(SettingProblem) {
            return Resolved(try key.type.read(input), from: input.origin)
        } catch {
            let origin = error.text.flatMap {
                input.textOrigins.indices.contains($0) ? input.textOrigins[$0] : nil
            }
            throw ConfigurationError(
                error.code, "\(key.name) \(error.message)", at: origin ?? input.origin, key: key.name,
                cure: error.cure)
        }
    }

    /// What the highest source that names a key says.
    private func input(for key: any SettingDeclaration) throws(ConfigurationError) -> SettingInput? {
        if let flag = flags[key.name] {
            return SettingInput(
                texts: flag.texts,
                origin: .flag(flag.spelling), baseDirectory: context.workingDirectory(), home: context.home)
        }
        if let text = context.text(key.variable) {
            let separator = key.separator.asciiValue
            let texts =
                key.isList ? text.split { $0 == separator }.map { trimmed($0, for: key) } : [text]
            return SettingInput(
                texts: texts, origin: .environment(key.variable),
                baseDirectory: context.workingDirectory(), home: context.home)
        }
        for file in files {
            if let input = try file.input(for: key, home: context.home) { return input }
        }
        return nil
    }
}

/// A value of a list without the spaces around it, but for paths: they may begin and end with spaces.
private func trimmed(_ text: ArraySlice<UInt8>, for key: any SettingDeclaration) -> [UInt8] {
    guard key.separator != ":" else { return Array(text) }
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") }
    return Array(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
}

// MARK: - Which files

extension SettingsResolver {
    /// The environment variable that names the one file to use.
    static let fileVariable = "TRACE_CONFIG"

    /// The machine's and the user's file, the one that wins first.
    static func usualFiles(in context: SettingsContext) -> [FilePath] {
        let user = context.xdgDirectory("XDG_CONFIG_HOME", orInHome: ".config")
        return [user?.value.appending("config.yaml"), context.systemFile].compactMap(\.self)
    }

    /// Where configuration files lie, or would, the one that wins first.
    static func places(
        flags: SettingsFlags, context: SettingsContext
    ) throws(ConfigurationError) -> [FilePath] {
        try namedFile(flags: flags, context: context).map { [$0.value] } ?? usualFiles(in: context)
    }

    /// The one file that a flag or the environment names.
    private static func namedFile(
        flags: SettingsFlags, context: SettingsContext
    ) throws(ConfigurationError) -> Resolved<FilePath>? {
        let named: (text: [UInt8], origin: SettingOrigin)
        if let path = flags.configFile {
            named = (path.bytes, .flag("--config"))
        } else if let text = context.text(fileVariable) {
            named = (text, .environment(fileVariable))
        } else {
            return nil
        }
        do throws(SettingProblem) {
            let path = try readPath(named.text, from: context.workingDirectory(), home: context.home)
            return Resolved(path, from: named.origin)
        } catch {
            throw ConfigurationError(error.code, "path \(error.message)", at: named.origin, cure: error.cure)
        }
    }
}
