package import SystemPackage
internal import TraceFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the configuration needs to know of the process: its environment and where it runs.
///
/// Values are bytes, since a path need not be UTF-8. Tests make their own; everything else uses ``process``.
package struct SettingsContext: Sendable {
    /// The bytes of an environment variable, or nil if it is not set.
    let variable: @Sendable (_ name: String) -> [UInt8]?
    /// The working directory, or nil if it no longer exists.
    let workingDirectory: @Sendable () -> FilePath?
    /// The configuration file of the whole machine.
    let systemFile: FilePath

    /// The running process. Nothing is read before it is asked for.
    static let process = SettingsContext(
        variable: { name in
            guard let value = getenv(name) else { return nil }
            return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
        },
        workingDirectory: {
            guard let path = getcwd(nil, 0) else { return nil }
            defer { free(path) }
            return FilePath(platformString: path)
        },
        systemFile: "/etc/trace/config.yaml")

    /// A made-up process, for tests.
    package init(environment: [String: [UInt8]], workingDirectory: FilePath?, systemFile: FilePath) {
        self.init(
            variable: { environment[$0] }, workingDirectory: { workingDirectory }, systemFile: systemFile)
    }

    /// Takes the three apart; the two above are the ways in.
    private init(
        variable: @escaping @Sendable (String) -> [UInt8]?,
        workingDirectory: @escaping @Sendable () -> FilePath?,
        systemFile: FilePath
    ) {
        self.variable = variable
        self.workingDirectory = workingDirectory
        self.systemFile = systemFile
    }
}

extension SettingsContext {
    /// The bytes of a variable that is set and not empty. An empty variable counts as unset.
    func text(_ name: String) -> [UInt8]? {
        variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A variable that holds an absolute path; a relative one is ignored, as the XDG specification demands.
    func absolutePath(_ name: String) -> FilePath? {
        guard let path = text(name).map(FilePath.init(bytes:)), path.isAbsolute else { return nil }
        return path
    }

    /// The home directory, or nil if there is none.
    ///
    /// A service without a user has no `HOME`; service users have `/` or `/nonexistent`, which are no homes either.
    var home: FilePath? {
        guard let home = absolutePath("HOME"), home != "/", home != "/nonexistent" else { return nil }
        return home
    }

    /// The first directory of a variable in which systemd lists those it made for the unit, separated by colons.
    func systemdDirectory(_ name: String) -> Resolved<FilePath>? {
        guard let first = text(name)?.split(separator: UInt8(ascii: ":")).first else { return nil }
        let path = FilePath(bytes: first)
        return path.isAbsolute ? Resolved(path, from: .builtIn(from: name)) : nil
    }

    /// `trace` in an XDG base directory, which is `fallback` in the home directory unless the variable is set.
    func xdgDirectory(_ name: String, orInHome fallback: FilePath) -> Resolved<FilePath>? {
        if let base = absolutePath(name) {
            return Resolved(base.appending("trace"), from: .builtIn(from: name))
        }
        return home.map {
            Resolved($0.pushing(fallback).appending("trace"), from: .builtIn(from: "HOME"))
        }
    }
}
