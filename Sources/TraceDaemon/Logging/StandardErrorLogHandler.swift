internal import Logging
internal import RecordFormat
internal import Synchronization
internal import TraceConfiguration
internal import TraceStore
internal import TraceText

/// Writes the log to standard error, one line a message, each in one `write`.
///
/// Under systemd a line begins with journald's priority and has no time (sd-daemon(3)); for people with an RFC 3339 time; as
/// JSON with everything in it. Fields follow the message as `key=value`. Labels, notes and transcripts never are in a log
/// (docs/spec/journals.md#writing).
struct StandardErrorLogHandler: LogHandler {
    /// How and how much, for all loggers at once.
    let style: LogStyle
    /// The settings of this logger alone.
    private var ownLevel: Logger.Level?
    var metadata: Logger.Metadata = [:]

    init(style: LogStyle) { self.style = style }

    var logLevel: Logger.Level {
        get { ownLevel ?? style.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let line: String
        switch style.format {
        case .text: line = "\(Clock.now()) \(event.level) \(Self.plain(event, fields))"
        case .journald: line = "<\(event.level.journaldPriority)>\(Self.plain(event, fields))"
        case .json: line = Self.json(event, fields)
        }
        // A log that can't be written must not stop what is being logged.
        Console.write(line)
    }

    private static func plain(
        _ event: LogEvent, _ fields: [(key: String, value: Logger.MetadataValue)]
    ) -> String {
        let cause = event.error.map { ": \($0.anyReport.logText)" } ?? ""
        let text = "\(event.message)\(cause)".replacing("\n", with: "\\n")
        return ([text] + fields.map { "\($0.key)=\(quoted($0.value.description))" }).joined(separator: " ")
    }

    /// A value as it is where nobody could mistake its end, else as a JSON string (logfmt).
    private static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy {
            $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
        }
        return isPlain && !value.isEmpty && VisibleText.isVisible(value)
            ? value : String(decoding: JSONText(value).visible.bytes, as: UTF8.self)
    }

    private static func json(
        _ event: LogEvent, _ fields: [(key: String, value: Logger.MetadataValue)]
    ) -> String {
        let cause = event.error?.anyReport
        let text = JSONText.object { object in
            object.member("time", JSONText(Clock.now()))
            object.member("level", JSONText(event.level.rawValue))
            object.member(
                "message", JSONText(event.message.description + (cause.map { ": \($0.headline)" } ?? "")))
            object.member("code", (cause?.code).map { JSONText($0) })
            object.member("hint", (cause?.hint).map { JSONText($0) })
            for (key, value) in fields { object.member(key, JSONText(value.description)) }
        }
        return String(decoding: text.visible.bytes, as: UTF8.self)
    }
}

extension Logger.Level {
    fileprivate var journaldPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
