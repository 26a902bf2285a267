internal import Glibc
internal import Logging
internal import Synchronization
internal import TraceConfiguration
internal import TraceFiles

/// How much is logged and how, for every copy of the daemon's logger: a reload changes it while they are in use.
final class LogStyle: Sendable {
    enum Format: Int {
        case text, json, journald
    }

    private let levelIndex: Atomic<Int>
    private let formatCode: Atomic<Int>

    init(_ settings: TraceSettings) {
        levelIndex = Atomic(Self.index(of: settings))
        formatCode = Atomic(Self.format(of: settings).rawValue)
    }

    /// Takes over what the settings ask for.
    func adopt(_ settings: TraceSettings) {
        levelIndex.store(Self.index(of: settings), ordering: .relaxed)
        formatCode.store(Self.format(of: settings).rawValue, ordering: .relaxed)
    }

    var level: Logger.Level { Logger.Level.allCases[levelIndex.load(ordering: .relaxed)] }

    var format: Format { Format(rawValue: formatCode.load(ordering: .relaxed)) ?? .text }

    private static func index(of settings: TraceSettings) -> Int {
        let level = Logger.Level(rawValue: settings.logLevel.rawValue) ?? .info
        return Logger.Level.allCases.firstIndex(of: level) ?? 0
    }

    private static func format(of settings: TraceSettings) -> Format {
        switch settings.logFormat {
        case .text: .text
        case .json: .json
        case .journald: .journald
        case .auto: isJournal ? .journald : .text
        }
    }

    /// Whether standard error is the journal: a program that is started by hand inherits the variable too.
    ///
    /// Source: systemd.exec(5), "$JOURNAL_STREAM".
    private static var isJournal: Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        guard let file = try? FileStatus(ofDescriptor: STDERR_FILENO).identity.file else { return false }
        return String(cString: stream) == "\(file.device):\(file.inode)"
    }
}

extension Logger {
    /// The daemon's log.
    init(_ style: LogStyle) {
        self.init(label: "traced") { _ in StandardErrorLogHandler(style: style) }
    }
}
