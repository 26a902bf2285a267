internal import RecordFormat
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

extension CommandContext {
    /// The zone in which people read and write times: UTC with `--utc`, else that of the settings, else the machine's.
    ///
    /// It is read from its file each time, and only by commands that show or read a time; those that show many ask once.
    ///
    /// - Throws: ``ConfigurationError`` for a `time_zone` that the machine does not know.
    var zone: ZoneRules {
        get throws {
            if showsUTC { return .utc }
            guard let name = settings.timeZone else { return ZoneFiles.machine.rules }
            do { return try ZoneFiles.rules(named: name) } catch let error as FileError {
                throw ConfigurationError(
                    unusableZone: name, error, at: settings.origin(of: TraceKeys.timeZone))
            }
        }
    }

    /// The zone of the times in a digest that is written into a file: the one that it notes, so that it stays the same
    /// wherever it is generated; `--utc` asks for another one.
    ///
    /// - Parameter noted: The name in the comment of the digest that is there.
    /// - Throws: ``CommandFailure`` with `.badData` for one that the machine does not know.
    func zone(ofDigest noted: String?) throws -> ZoneRules {
        // What it notes must render the same when it is read again.
        guard let noted, !showsUTC else { return try ZoneFiles.rules(named: zone.name) }
        do { return try ZoneFiles.rules(named: noted) } catch let error as FileError {
            throw CommandFailure(
                .badData, "digest.md notes zone=\(noted.oneLine): \(error.message)",
                cure: error.cure ?? "write zone=UTC, or the name of another zone, into its first comment")
        }
    }

    /// What is between two moments as they were typed, both of them included; nil if neither is given.
    ///
    /// - Throws: ``LibraryError``; ``ConfigurationError`` for a zone that is not known.
    func moments(since: String?, until: String?) throws -> ClosedRange<Timestamp>? {
        try TimeArgument.range(from: since, upTo: until, in: { try zone }, warn: warnOfTime)
    }

    /// Says which moment was taken for a time that the clocks showed twice, or never.
    func warnOfTime(_ doubt: String) { notice("warning: \(doubt)") }

    /// A moment that was typed for something that has happened.
    ///
    /// - Throws: As ``TimeArgument/past(_:_:in:now:warn:)``; ``ConfigurationError`` for a zone that is not known.
    func past(_ typed: String, _ option: String) throws -> Timestamp {
        try TimeArgument.past(typed, option, in: zone, warn: warnOfTime)
    }
}

extension ConfigurationError {
    /// For a zone that is not there, with the one that was most likely meant, or whose file is damaged.
    fileprivate init(unusableZone name: String, _ error: FileError, at origin: SettingOrigin) {
        let key = TraceKeys.timeZone.name
        let place = error.path?.escaped ?? ""
        guard error.code == .notFound else {
            self.init(
                .invalidValue, "\(key) '\(name)': \(place): \(error.message)", at: origin, key: key,
                cure: error.cure)
            return
        }
        self.init(
            .invalidValue, "\(key): \(error.message) (\(place))", at: origin, key: key,
            cure: ZoneFiles.slip(name).map { "did you mean '\($0)'?" } ?? error.cure)
    }
}
