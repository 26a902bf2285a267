internal import Glibc
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What commands share: the settings, the sessions, the queue and the index.
struct CommandContext {
    let settings: TraceSettings
    /// What is wrong with the configuration; empty but for a context that was made by ``init(tolerating:)``.
    let mistakes: [SettingsMistake]
    private let global: GlobalOptions
    /// What all writes of this command have in common, so that one undo takes back all of them.
    private let command = IDGenerator.next()

    /// - Throws: ``ConfigurationError``: the first thing that is wrong.
    init(_ global: GlobalOptions) throws {
        self.init(tolerating: global)
        if let first = mistakes.first { throw first.error }
    }

    /// A context for those who look at ``mistakes`` themselves.
    init(tolerating global: GlobalOptions) {
        var flags = SettingsFlags(configFile: global.config.map { FilePath(argument: $0) })
        flags.set(TraceKeys.roots, by: "--root", toBytes: global.roots.map(ArgumentBytes.bytes))
        flags.set(
            TraceKeys.stateDirectory, by: "--state-directory",
            toBytes: global.stateDirectory.map { [ArgumentBytes.bytes(of: $0)] } ?? [])
        (settings, mistakes) = TraceSettings.read(flags: flags)
        self.global = global
        switch global.color {
        case .always: Output.use(.always)
        case .never: Output.use(.never)
        case .auto, nil: break
        }
    }

    /// Whether long answers are shown page by page, where standard output is a terminal.
    var isPaged: Bool { !global.noPager && !global.json }

    /// Whether the person at the terminal wants to hear of nothing but errors.
    var isQuiet: Bool { global.quiet }

    /// Whether times are shown and read in UTC.
    var showsUTC: Bool { global.utc }

    var queue: QueueDirectories { libraryWriter.queue }

    var locator: SessionLocator { SessionLocator(roots: settings.roots) }

    /// As ``locator``, for what is only read, or is about the present: sessions that were forgotten don't compete with live ones.
    private var lenientLocator: SessionLocator {
        var locator = locator
        locator.staleAfter = settings.staleAfter
        return locator
    }

    /// The roots below which sessions are looked for.
    var roots: SessionRoots { SessionRoots(settings.roots) }

    /// What writes into sessions and into the queue.
    var libraryWriter: LibraryWriter {
        let isQuiet = global.quiet
        var writer = LibraryWriter(
            roots: roots, stateDirectory: settings.stateDirectory, spools: Array(settings.spools.dropFirst()),
            runtimeDirectory: settings.runtimeDirectory, database: settings.indexDatabase, command: command
        ) { error in
            if !isQuiet { Output.error("warning: this can't be undone later: \(error)") }
        }
        writer.defaultStateDirectory = settings.defaultStateDirectory
        writer.staleAfter = settings.staleAfter
        writer.timeZone = settings.timeZone
        writer.onPutBack = { path, records in
            if !isQuiet { Output.error("warning: \(path.escaped): \(records.notice)") }
        }
        return writer
    }

    /// What writes into a session, and notes it for `trace undo`.
    func writer(_ session: SessionTarget) -> SessionWriter { libraryWriter.writer(session) }

    /// The directory of the session that a command only reads. If none is named and none is active, that is the one that began
    /// last, as after the end of a recording; standard error says so.
    ///
    /// - Parameter argument: The command's own argument, which comes before `--session` and `TRACE_SESSION`.
    func session(_ argument: String?) throws -> FilePath {
        let selector = selector(argument)
        do { return try directory(of: selector) } catch let error as StoreError
            where selector == nil && error.code == .noSuchSession
        {
            guard let last = try? directory(of: .last),
                let session = try? SessionCandidate(reading: last).session
            else { throw error }
            notice("no session is active; this is the last one, \(session.shownName(at: last))")
            return last
        }
    }

    private func directory(of selector: SessionSelector?) throws -> FilePath {
        var locator = lenientLocator
        locator.takesBeginnings = true
        return try locator.directory(of: selector, from: workingDirectory)
    }

    /// As ``session(_:)``, for what is to be written into it: never one that nobody named and that has ended.
    ///
    /// - Parameter isPresent: Whether it is about the present, for which a session that was forgotten is not meant beside a live one.
    func target(_ argument: String?, isPresent: Bool = false) throws -> SessionTarget {
        var locator = isPresent ? lenientLocator : locator
        locator.takesBeginnings = argument == nil
        return try locator.session(selector(argument), from: workingDirectory)
    }

    /// As ``target(_:)``, but where none is named and none is active the one that began last, as ``session(_:)``: for a change that names
    /// what is changed.
    func targetOrLast(_ argument: String?) throws -> SessionTarget {
        try locator.session(.directory(session(argument)), from: workingDirectory)
    }

    /// What names the session, or nil if nothing does.
    func selector(_ argument: String?) -> SessionSelector? {
        typedSession(argument).map { text in
            ArgumentBytes.isUTF8(text) ? SessionSelector(text) : .directory(FilePath(argument: text))
        }
    }

    /// As ``selector(_:)``, as it was typed.
    func typedSession(_ argument: String?) -> String? {
        let environment = getenv("TRACE_SESSION").map {
            ArgumentBytes.text(of: FilePath(platformString: $0).bytes)
        }
        return argument ?? global.session ?? environment.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether `--session` names the session.
    var isSessionNamed: Bool { global.session != nil }

    /// The id of the session that is named, which need not be here if the name is a whole id.
    func sessionID(_ argument: String?) throws -> ULID {
        try locator.id(of: selector(argument), from: workingDirectory)
    }

    /// What a line of success calls a session: its directory as it was typed, else its path.
    func name(of session: FilePath, typed argument: String?) -> String {
        guard let argument, case .directory(let path)? = selector(argument) else { return session.escaped }
        return path.escaped == path.string ? argument : path.escaped
    }

    /// The path from the root of the file system.
    func absolute(_ path: FilePath) -> FilePath { path.absolute(from: workingDirectory) }

    var workingDirectory: FilePath {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return FilePath(platformString: path)
    }

    /// Where what lives no longer than a command is kept.
    var temporaryDirectory: FilePath {
        let named = getenv("TMPDIR").map { FilePath(platformString: $0) }
        return named.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Says something to the person at the terminal, unless they want none of it.
    func notice(_ text: String) {
        if !global.quiet { Output.error(text) }
    }

    /// Warns of something, with what can be done about it.
    func warn(_ message: String, cure: Cure) {
        notice("warning: \(ErrorReport(message: message, cure: cure).text)")
    }

    /// Warns where something shows that a clock is wrong.
    func warn(of setBack: ClockSetBack?) {
        if let setBack { notice("warning: \(setBack.report.text)") }
    }

    /// Says where an answer comes from, to those who ask.
    func explain(_ text: String) {
        if global.verbose { Output.error(text) }
    }
}
