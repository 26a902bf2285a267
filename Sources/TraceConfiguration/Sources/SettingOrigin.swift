package import SystemPackage
internal import TraceFiles

/// The origin of a setting's value.
package enum SettingOrigin: Hashable, Sendable {
    /// The built-in default; `from` is the environment variable that it was derived from, if any.
    case builtIn(from: String?)
    /// A configuration file, with the 1-based line if known.
    case file(FilePath, line: Int?)
    /// A `TRACE_…` environment variable.
    case environment(String)
    /// A command line flag, as it is written (`--root`).
    case flag(String)
}

extension SettingOrigin: CustomStringConvertible {
    /// One short phrase: `default`, `/etc/trace/config.yaml:3`, `TRACE_ROOTS`, `--root`.
    package var description: String {
        switch self {
        case .builtIn(nil): "default"
        case .builtIn(let variable?): "default from \(variable)"
        case .file(let path, let line): path.escaped + (line.map { ":\($0)" } ?? "")
        case .environment(let variable): variable
        case .flag(let spelling): spelling
        }
    }
}
