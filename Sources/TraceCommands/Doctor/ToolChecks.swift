internal import Journals
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceWatch

/// Checks that the required programs and libraries are installed.
enum ToolChecks {
    /// - Parameter speech: The command line of the configured speech-to-text program.
    static func all(speech: [String]) -> [HealthCheck] {
        [
            tool("ffmpeg", for: media, in: "ffmpeg"), tool("ffprobe", for: media, in: "ffmpeg"),
            confinement(Landlock.state),
        ]
            + Journals.all.formats.flatMap(\.surface.programs).map {
                tool($0.name, for: "'\($0.verb)' needs it", in: $0.package)
            } + [speechProgram(speech)]
            + ([InotifyBackend.current.sharedLibrary, "libsqlite3.so.0"].compactMap(\.self)).map(library)
    }

    private static let media = "'media add-review-audio', 'export --embed' and 'transcribe' need it"

    private static func tool(_ name: String, for use: String, in package: String) -> HealthCheck {
        guard let path = ProgramSearch.find(name) else {
            return HealthCheck(.warning, name, "not found; \(use)", cure: "apt install \(package)")
        }
        return HealthCheck(.ok, name, path.escaped)
    }

    /// Whether ffmpeg and ffprobe are kept from all other files.
    ///
    /// - Parameter daemon: Whether this is about what the daemon runs.
    static func confinement(_ state: Landlock.State, ofDaemon isOfDaemon: Bool = false) -> HealthCheck {
        let danger =
            "a recording that attacks ffmpeg could read all that \(isOfDaemon ? "traced" : "you") may read"
        return switch state {
        case .available:
            HealthCheck(
                .ok, "landlock", "ffmpeg and ffprobe can open the recording that they read, and no other file"
            )
        case .missing:
            HealthCheck(
                .warning, "landlock", "the kernel has no Landlock: \(danger)",
                cure:
                    "start a kernel (5.13 or later) that has it; 'lsm=' of the kernel's command line must name landlock"
            )
        case .forbidden:
            HealthCheck(
                .warning, "landlock",
                "a filter of system calls keeps \(isOfDaemon ? "traced" : "trace") from Landlock: \(danger)",
                cure: "allow landlock_create_ruleset, landlock_add_rule and landlock_restrict_self"
                    + (isOfDaemon ? " in SystemCallFilter= of its unit, as the packaged ones do" : ""))
        }
    }

    private static func speechProgram(_ command: [String]) -> HealthCheck {
        guard let name = command.first else {
            return HealthCheck(
                .ok, "speech", "no speech_command is set; 'transcribe' only accepts --text and --file")
        }
        guard let path = ProgramSearch.find(name) else {
            return HealthCheck(
                .problem, "speech", "\(name) of speech_command not found",
                cure: "install it, or put its full path into speech_command")
        }
        guard command.contains(where: { $0.contains("{input_wav}") }) else {
            return HealthCheck(
                .problem, "speech", "speech_command does not contain {input_wav}",
                cure: "put {input_wav} where the program expects the audio file name")
        }
        return HealthCheck(.ok, "speech", path.escaped)
    }

    private static func library(_ name: String) -> HealthCheck {
        let package = name.hasPrefix("libinotify") ? "libinotifytools0" : "libsqlite3-0"
        return ProgramSearch.hasLibrary(name)
            ? HealthCheck(.ok, "library", name)
            : HealthCheck(.problem, "library", "\(name) can't be loaded", cure: "apt install \(package)")
    }
}
