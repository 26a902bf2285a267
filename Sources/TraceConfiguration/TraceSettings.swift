package import SystemPackage
internal import TraceText

/// The settings that `trace` and `traced` run with, each with where it comes from.
///
/// Precedence: defaults < `/etc/trace/config.yaml` < `$XDG_CONFIG_HOME/trace/config.yaml` < `TRACE_…`
/// environment < flags. A later source replaces the whole value, lists too. Keys are declared in
/// ``TraceKeys``.
///
/// Source: docs/configuration.md#keys.
package struct TraceSettings: Sendable {
    /// Directories that hold session directories; at least one, no two alike.
    package let roots: [FilePath]
    /// Holds the index, the local spool and the outcome of its entries.
    package private(set) var stateDirectory: FilePath
    /// The one that is used where nobody says anything, in which commands keep moments whose configuration they can't read.
    package let defaultStateDirectory: FilePath
    /// Whether tokens count although others could exchange that directory.
    package let stateShared: Bool
    /// Holds locks.
    package private(set) var runtimeDirectory: FilePath
    /// Every spool to drain: ``localSpool`` first, then the configured ones; no two alike.
    package private(set) var spools: [FilePath]
    /// How long applied and dropped queue entries are kept.
    package let queueRetention: Duration
    /// How often everything is scanned for changes that no event reported.
    package let reconcileInterval: Duration
    /// How often what inotify can't watch is looked at.
    package let pollInterval: Duration
    /// How long after a file's last change its torn last line counts as in transit.
    package let settleTime: Duration
    /// Events of one session are collected until none came for this long.
    package let quietPeriod: Duration
    /// Collecting ends after this long even if events keep coming; at least ``quietPeriod``.
    package let maximumWait: Duration
    /// How long nothing may happen in an active session until it counts as forgotten.
    package let staleAfter: Duration
    /// How long a deleted session is kept in the bin.
    package let binAge: Duration
    /// How long an action's program may run.
    package let actionTimeout: Duration
    /// The program that turns speech into text, and its arguments; empty if there is none.
    package let speechCommand: [String]
    /// What language is spoken.
    package let speechLanguage: String
    /// How long speech-to-text may take for one file.
    package let speechTimeout: Duration
    /// The name of the zone in which people read and write times; nil for the machine's. Whether there is such a zone is
    /// known when it is looked up.
    package let timeZone: String?
    /// The least severe messages that are logged.
    package let logLevel: LogLevel
    /// How the log is written.
    package let logFormat: LogFormat
    /// Where the daemon's metrics are written, if anywhere.
    package let metricsFile: FilePath?
    /// How often they are written.
    package let metricsInterval: Duration
    /// Where the HTTP API listens, besides sockets that are handed over; no two alike.
    package let httpListen: [ListenAddress]
    /// The certificate and the key with which it encrypts; nil for none.
    package let httpTLS: TLSFiles?
    /// Whether it may listen without encryption where other machines reach it.
    package let httpPlainNetwork: Bool
    /// Names by which browsers may call it, in lower case.
    package let httpHosts: [String]
    /// The address that links contain, without a slash at its end.
    package let httpPublicURL: String?
    /// Reverse proxies that are believed.
    package let httpTrustedProxies: [String]
    /// How many connections may be open at once.
    package let httpConnections: Int
    /// The largest audio of a voice note that it accepts, in bytes.
    package let httpUploadLimit: Int64
    /// The configuration files that were read, the one that wins first.
    package let files: [FilePath]
    /// Where configuration files lie, or would, the one that wins first.
    private let places: [FilePath]
    /// Where each value comes from, in the order of ``TraceKeys/all``.
    ///
    /// So few that an array is faster to make and to search than a dictionary.
    package let origins: [(key: String, origin: SettingOrigin)]
    /// Writes each value, in the order of ``TraceKeys/all``: made into text only for those who ask.
    private let texts: [@Sendable () -> [String]]

    /// Reads the configuration.
    ///
    /// - Parameters:
    ///   - flags: What the command line says.
    ///   - context: The process; tests pass their own.
    /// - Throws: ``ConfigurationError``: the first thing that is wrong.
    /// - Note: Where no configuration file exists no YAML is touched.
    package static func load(
        flags: SettingsFlags = SettingsFlags(), in context: SettingsContext = .process
    ) throws(ConfigurationError) -> TraceSettings {
        let (settings, mistakes) = read(flags: flags, in: context)
        if let first = mistakes.first { throw first.error }
        return settings
    }

    /// As ``load(flags:in:)``, for those who report every mistake, or need only some of the keys: where something is wrong, the default counts.
    package static func read(
        flags: SettingsFlags = SettingsFlags(), in context: SettingsContext = .process
    ) -> (settings: TraceSettings, mistakes: [SettingsMistake]) {
        let resolver = SettingsResolver(flags: flags, context: context)
        var mistakes = resolver.mistakes
        let settings = TraceSettings(resolver, &mistakes)
        return (settings, mistakes)
    }

    /// Where the value of a key comes from.
    package func origin<Value>(of key: SettingKey<Value>) -> SettingOrigin {
        origins.first { $0.key == key.name }?.origin ?? .builtIn(from: nil)
    }

    /// Whether nobody has said where sessions are: the place where they are then need not be there yet.
    package var hasDefaultRoots: Bool {
        if case .builtIn = origin(of: TraceKeys.roots) { true } else { false }
    }

    /// A key with its value as a configuration file would write it, one text unless it is a list.
    package typealias Shown = (key: any SettingDeclaration, texts: [String], origin: SettingOrigin)

    /// Every key with its value and where that comes from, in the order of ``TraceKeys/all``.
    package var all: [Shown] {
        zip(TraceKeys.all, zip(texts, origins)).map { ($0, $1.0().filter { !$0.isEmpty }, $1.1.origin) }
    }

    /// These settings with the state and the runtime directory, and the local spool, of others.
    package func withDirectories(of other: TraceSettings) -> TraceSettings {
        var settings = self
        settings.stateDirectory = other.stateDirectory
        settings.runtimeDirectory = other.runtimeDirectory
        settings.spools = [other.localSpool] + spools.dropFirst().filter { $0 != other.localSpool }
        return settings
    }

    /// Where configuration files are looked for, the one that wins first, whether they are there or not.
    ///
    /// - Throws: ``ConfigurationError`` for a named file whose path can't be read.
    package static func places(
        flags: SettingsFlags = SettingsFlags(), in context: SettingsContext = .process
    ) throws(ConfigurationError) -> [FilePath] {
        try SettingsResolver.places(flags: flags, context: context)
    }

    /// Asks the resolver for every key and checks what no key can check alone.
    ///
    /// - Parameter mistakes: Gets what is wrong.
    private init(_ resolver: SettingsResolver, _ mistakes: inout [SettingsMistake]) {
        var origins: [(key: String, origin: SettingOrigin)] = []
        var texts: [@Sendable () -> [String]] = []
        var wrong: [SettingsMistake] = []
        /// Resolves a key and notes where its value comes from.
        func value<Value>(_ key: SettingKey<Value>) -> Value {
            let resolved: Resolved<Value>
            do throws(ConfigurationError) { resolved = try resolver.resolve(key) } catch {
                wrong.append(SettingsMistake(error))
                resolved = resolver.standard(key)
            }
            origins.append((key.name, resolved.origin))
            texts.append { key.type.texts(resolved.value) }
            return resolved.value
        }
        roots = value(TraceKeys.roots)
        stateDirectory = value(TraceKeys.stateDirectory)
        defaultStateDirectory = DefaultLocations.stateDirectory(resolver).value
        stateShared = value(TraceKeys.stateShared)
        runtimeDirectory = value(TraceKeys.runtimeDirectory)
        let local = stateDirectory.appending("queue")
        spools = [local] + (value(TraceKeys.spools)).filter { $0 != local }
        queueRetention = value(TraceKeys.queueRetention)
        reconcileInterval = value(TraceKeys.reconcileInterval)
        pollInterval = value(TraceKeys.pollInterval)
        settleTime = value(TraceKeys.settleTime)
        quietPeriod = value(TraceKeys.quietPeriod)
        maximumWait = value(TraceKeys.maximumWait)
        staleAfter = value(TraceKeys.staleAfter)
        binAge = .seconds(86_400 * value(TraceKeys.binDays))
        actionTimeout = value(TraceKeys.actionTimeout)
        speechCommand = value(TraceKeys.speechCommand)
        speechLanguage = value(TraceKeys.speechLanguage)
        speechTimeout = value(TraceKeys.speechTimeout)
        timeZone = value(TraceKeys.timeZone)
        logLevel = value(TraceKeys.logLevel)
        logFormat = value(TraceKeys.logFormat)
        metricsFile = value(TraceKeys.metricsFile)
        metricsInterval = value(TraceKeys.metricsInterval)
        httpListen = value(TraceKeys.httpListen)
        let certificate = value(TraceKeys.httpCertificate)
        let key = value(TraceKeys.httpKey)
        httpTLS =
            if let certificate, let key { TLSFiles(certificate: certificate, key: key) } else { nil }
        httpPlainNetwork = value(TraceKeys.httpPlainNetwork)
        httpHosts = value(TraceKeys.httpHosts)
        httpPublicURL = value(TraceKeys.httpPublicURL)
        httpTrustedProxies = value(TraceKeys.httpTrustedProxies)
        httpConnections = value(TraceKeys.httpConnections)
        httpUploadLimit = value(TraceKeys.httpUploadLimit)
        files = resolver.files.map(\.path)
        places = resolver.places
        self.origins = origins
        self.texts = texts
        mistakes += wrong
        /// Notes what is wrong with keys together, unless something is with one of them.
        func check(
            _ keys: [any SettingDeclaration], _ body: (TraceSettings) throws(ConfigurationError) -> Void
        ) {
            guard !mistakes.contains(where: { $0.concerns(keys) }) else { return }
            do throws(ConfigurationError) { try body(self) } catch { mistakes.append(SettingsMistake(error)) }
        }
        check([TraceKeys.quietPeriod, TraceKeys.maximumWait]) { (settings) throws(ConfigurationError) in
            try settings.checkTimes()
        }
        let tls: [any SettingDeclaration] = [TraceKeys.httpCertificate, TraceKeys.httpKey]
        check(tls) { (settings) throws(ConfigurationError) in try settings.checkPair(certificate, key) }
        check(tls + [TraceKeys.httpListen, TraceKeys.httpPlainNetwork]) {
            (settings) throws(ConfigurationError) in
            try settings.checkListening()
        }
    }

    /// Checks that there is a key to a certificate, and a certificate to a key.
    private func checkPair(_ certificate: FilePath?, _ key: FilePath?) throws(ConfigurationError) {
        guard (certificate == nil) != (key == nil) else { return }
        let (given, missing) =
            key == nil
            ? (TraceKeys.httpCertificate, TraceKeys.httpKey) : (TraceKeys.httpKey, TraceKeys.httpCertificate)
        throw ConfigurationError(
            .outOfRange, "\(given.name) is set, and \(missing.name) is not", at: origin(of: given),
            key: given.name, cure: "set both, or neither")
    }

    /// Checks that nothing is sent in the clear beyond this machine without the user's word.
    private func checkListening() throws(ConfigurationError) {
        guard httpTLS == nil, !httpPlainNetwork, let open = httpListen.first(where: { !$0.isLocal }) else {
            return
        }
        throw ConfigurationError(
            .outOfRange, "http_listen '\(open.text)' is reached by other machines, and nothing is encrypted",
            at: origin(of: TraceKeys.httpListen), key: TraceKeys.httpListen.name,
            cure:
                "listen on 127.0.0.1 behind a proxy that encrypts, set http_certificate and http_key (docs/operations.md has both), or set http_plain_network to yes"
        )
    }

    /// Checks that events are not collected for less time than it takes to notice that they rest.
    private func checkTimes() throws(ConfigurationError) {
        guard quietPeriod > maximumWait else { return }
        let quiet = written(quietPeriod)
        var offendingKey: any SettingDeclaration = TraceKeys.quietPeriod
        var origin = origin(of: TraceKeys.quietPeriod)
        if case .builtIn = origin {
            offendingKey = TraceKeys.maximumWait
            origin = self.origin(of: TraceKeys.maximumWait)
        }
        throw ConfigurationError(
            .outOfRange, "quiet_period '\(quiet)' is longer than maximum_wait '\(written(maximumWait))'",
            at: origin, key: offendingKey.name,
            cure: "set maximum_wait to \(quiet) or more, or lower quiet_period"
        )
    }
}

// MARK: - Contents of the state directory

extension TraceSettings {
    /// The index database.
    package var indexDatabase: FilePath { stateDirectory.appending("index.sqlite") }
    /// The spool that `trace` itself queues into.
    package var localSpool: FilePath { stateDirectory.appending("queue") }
    /// Where applied spool entries go.
    package var done: FilePath { stateDirectory.appending("done") }
    /// Where rejected spool entries go, with the reason.
    package var failed: FilePath { stateDirectory.appending("failed") }
    /// Where the programs of actions lie, the directory that wins first: `actions` beside each configuration
    /// file.
    package var actions: [FilePath] { places.map { $0.removingLastComponent().appending("actions") } }
}
