package import SystemPackage

/// Every key of the configuration.
///
/// To add one: declare it here, put it into ``all``, and give ``TraceSettings`` a property for it. Parsing,
/// the unknown-key check and `docs/configuration.md` follow from the declaration.
package enum TraceKeys {
    /// The keys in the order of the documentation.
    package static let all: [any SettingDeclaration] = [
        roots, stateDirectory, stateShared, runtimeDirectory, spools, queueRetention, reconcileInterval,
        pollInterval,
        settleTime, quietPeriod, maximumWait, staleAfter, binDays, actionTimeout, speechCommand,
        speechLanguage,
        speechTimeout, timeZone, logLevel, logFormat, metricsFile, metricsInterval, httpListen,
        httpCertificate, httpKey, httpPlainNetwork, httpHosts, httpPublicURL, httpTrustedProxies,
        httpConnections,
        httpUploadLimit,
    ]

    /// The session roots.
    package static let roots = SettingKey(
        "roots", .paths(atLeast: 1),
        default: .derived(
            "`$XDG_DATA_HOME/trace/sessions` (`~/.local/share/trace/sessions`); without a home directory `/srv/trace/sessions`",
            DefaultLocations.roots),
        example: ["/srv/trace/sessions"],
        """
        Directories that hold session directories. One may be in another, also through a link or a mount: roots are compared by what \
        directory they are, and a session has the path of the innermost one alone.
        """)

    /// The state directory.
    package static let stateDirectory = SettingKey(
        "state_directory", .path,
        default: .derived(
            "systemd's `$STATE_DIRECTORY`, else `$XDG_STATE_HOME/trace` (`~/.local/state/trace`); without a home directory `/var/lib/trace`",
            DefaultLocations.stateDirectory),
        example: ["/var/lib/trace"],
        "Contains the index, the local spool (`queue`) and its processed entries (`done`, `failed`).")

    /// Whether others may be able to exchange it.
    static let stateShared = SettingKey(
        "state_shared", .yesOrNo, default: .fixed(false),
        "Whether tokens count although others could put another directory in the place of `state_directory`: where everybody may write to it, or to a directory above it that is not sticky, or one of them belongs to neither root nor the daemon's user. For a mount whose mode can't be closed, on a machine of one person."
    )

    /// The runtime directory.
    static let runtimeDirectory = SettingKey(
        "runtime_directory", .path,
        default: .derived(
            "systemd's `$RUNTIME_DIRECTORY`, else `$XDG_RUNTIME_DIR/trace`, else `run` in the state directory",
            DefaultLocations.runtimeDirectory),
        example: ["/run/trace"],
        "Contains locks, and the daemon's status for users without access to the state directory. `trace` and `traced` must agree on it."
    )

    /// The spools besides the local one.
    static let spools = SettingKey(
        "spools", .paths(atLeast: 0),
        default: .fixed([]), example: ["/srv/sync/phone-queue"],
        "Further spools to drain, such as one per device, besides the local one.")

    /// How long applied entries are kept.
    static let queueRetention = SettingKey(
        "queue_retention", .duration(.seconds(3600) ... .seconds(3_153_600_000)),
        default: .fixed(.seconds(2_592_000)),
        "How long applied and dropped queue entries are kept in `done` and `dropped`.")

    /// How often everything is scanned.
    package static let reconcileInterval = SettingKey(
        "reconcile_interval", .duration(.seconds(1) ... .seconds(86_400)),
        default: .fixed(.seconds(300)),
        "How often `traced` scans everything for changes that no event reported.")

    /// How often what can't be watched is looked at.
    static let pollInterval = SettingKey(
        "poll_interval", .duration(.seconds(1) ... .seconds(3600)),
        default: .fixed(.seconds(5)),
        "How often `traced` looks at directories that inotify can't watch, such as those of network file systems."
    )

    /// How long a torn last line is in transit.
    static let settleTime = SettingKey(
        "settle_time", .duration(.zero ... .seconds(3600)),
        default: .fixed(.seconds(2)),
        "How long after a file's last change a torn last line counts as in transit.")

    /// How long to collect events.
    static let quietPeriod = SettingKey(
        "quiet_period", .duration(.zero ... .seconds(10)),
        default: .fixed(.milliseconds(100)),
        "Events of a session are collected until none has come for this long.")

    /// How long to collect events at most.
    static let maximumWait = SettingKey(
        "maximum_wait", .duration(.zero ... .seconds(60)),
        default: .fixed(.seconds(1)),
        "Collecting ends after this long even if events keep coming; at least `quiet_period`.")

    /// When an active session counts as forgotten.
    static let staleAfter = SettingKey(
        "stale_after", .duration(.seconds(60) ... .seconds(315_360_000)),
        default: .fixed(.seconds(43_200)),
        "How long an active session may be idle before it counts as forgotten."
    )

    /// How long deleted sessions are kept.
    static let binDays = SettingKey(
        "bin_days", .number(1...36_500), default: .fixed(30),
        "How many days a deleted session is kept in the bin before `traced` erases it."
    )

    /// How long an action may take.
    static let actionTimeout = SettingKey(
        "action_timeout", .duration(.seconds(1) ... .seconds(86_400)),
        default: .fixed(.seconds(600)),
        "How long an action's program may run before it is stopped.")

    /// What turns speech into text.
    static let speechCommand = SettingKey(
        "speech_command", .commandLine, default: .fixed([]),
        example: [
            "whisper-cli -m /srv/models/ggml-base.bin -f {input_wav} -l {lang} -oj -of {output_base} -np"
        ],
        "The program that `trace transcribe` runs, with its arguments: `{input_wav}` is the audio, `{output_base}` the path to which it may append `.json` or `.jsonl`, `{lang}` the language."
    )

    /// What language is spoken.
    static let speechLanguage = SettingKey(
        "speech_language", .word, default: .fixed("auto"), "What `{lang}` stands for in `speech_command`.")

    /// How long speech-to-text may take.
    static let speechTimeout = SettingKey(
        "speech_timeout", .duration(.seconds(1) ... .seconds(604_800)),
        default: .fixed(.seconds(3600)),
        "How long `speech_command` may run for one file before it is stopped.")

    /// In which zone people read and write times.
    package static let timeZone = SettingKey(
        "time_zone", .zoneIfAny,
        default: .derived("the machine's: `$TZ`, else that of `/etc/localtime`") { _ in
            Resolved(nil, from: .builtIn(from: nil))
        },
        example: ["Europe/Berlin"],
        "The IANA name of the time zone for all times shown and entered; `--utc` and JSON use UTC.")

    /// How much is logged.
    package static let logLevel = SettingKey(
        "log_level", .choice, default: .fixed(LogLevel.info), "The least severe messages that are logged.")

    /// How the log is written.
    package static let logFormat = SettingKey(
        "log_format", .choice, default: .fixed(LogFormat.auto),
        "How the log is written; `auto` is `journald` when standard error is the journal, else `text`.")

    /// Where the metrics are written.
    static let metricsFile = SettingKey(
        "metrics_file", .pathIfAny, default: .fixed(nil), example: ["/run/trace/traced.prom"],
        "Where `traced` writes its metrics in Prometheus' text format; nowhere if unset.")

    /// How often the metrics are written.
    static let metricsInterval = SettingKey(
        "metrics_interval", .duration(.seconds(1) ... .seconds(3600)), default: .fixed(.seconds(15)),
        "How often `metrics_file` is written.")

    /// Where the HTTP API listens.
    static let httpListen = SettingKey(
        "http_listen", .listenAddresses, default: .fixed([]),
        example: ["127.0.0.1:8722", "unix:/run/trace/http.sock"],
        "Where the HTTP API listens, besides a socket that systemd hands over; it is off while there is neither."
    )

    /// With what it encrypts.
    static let httpCertificate = SettingKey(
        "http_certificate", .pathIfAny, default: .fixed(nil), example: ["/etc/trace/tls/cert.pem"],
        "The certificate of the HTTP API, in PEM, with those that lead to its authority behind it. With it and `http_key`, all network addresses are served by TLS alone; a renewed pair is used without a restart."
    )

    /// The key of that certificate.
    static let httpKey = SettingKey(
        "http_key", .pathIfAny, default: .fixed(nil), example: ["/etc/trace/tls/key.pem"],
        "The private key of `http_certificate`, in PEM, without a passphrase.")

    /// Whether it may listen beyond this machine without encryption.
    static let httpPlainNetwork = SettingKey(
        "http_plain_network", .yesOrNo, default: .fixed(false),
        "Whether the HTTP API may listen on an address that other machines reach, in `http_listen` or of a socket that systemd hands over, although nothing is encrypted: tokens can then be read in transit."
    )

    /// The names under which browsers may call it.
    static let httpHosts = SettingKey(
        "http_hosts", .hosts("host names"), default: .fixed([]), example: ["trace.example.org"],
        "Names by which browsers may call the HTTP API, besides `localhost`, the addresses it listens on, the host name and that with `.local`."
    )

    /// The address that is printed for others.
    static let httpPublicURL = SettingKey(
        "http_public_url", .webAddressIfAny, default: .fixed(nil), example: ["https://trace.example.org"],
        "The address that links and QR codes contain; the first of `http_listen` if unset.")

    /// Whose word is taken for the client's address.
    static let httpTrustedProxies = SettingKey(
        "http_trusted_proxies", .hosts("IP addresses"), default: .fixed([]), example: ["127.0.0.1"],
        "Reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.")

    /// How many connections may be open.
    static let httpConnections = SettingKey(
        "http_connections", .number(1...65_536), default: .fixed(1024),
        "How many connections of the HTTP API may be open at once.")

    /// How large the audio of a voice note may be.
    static let httpUploadLimit = SettingKey(
        "http_upload_limit", .size(1 << 20...1 << 30), default: .fixed(64 << 20),
        "The largest audio of a voice note that the HTTP API accepts.")
}
