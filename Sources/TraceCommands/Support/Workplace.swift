internal import Journals
internal import Glibc
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What commands work with: the settings, the sessions, the queue and the index.
struct Workplace {
    let settings: TraceSettings
    private let global: GlobalOptions
    /// What all writes of this command have in common, so that one undo takes back all of them.
    private let command = IDMint.next()

    /// - Throws: ``CommandFailure`` with `.configuration`.
    init(_ global: GlobalOptions) throws {
        var flags = SettingsFlags(configFile: global.config.map { FilePath(argument: $0) })
        flags.set(TraceKeys.roots, by: "--root", toBytes: global.roots.map(ArgumentBytes.bytes))
        flags.set(
            TraceKeys.stateDirectory, by: "--state-directory",
            toBytes: global.stateDirectory.map { [ArgumentBytes.bytes(of: $0)] } ?? [])
        settings = try TraceSettings.load(flags: flags)
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

    /// Whether times are told and read in UTC.
    var showsUTC: Bool { global.utc }

    var queue: QueueDirectories {
        QueueDirectories(state: settings.stateDirectory, spools: Array(settings.spools.dropFirst()))
    }

    var locator: SessionLocator { SessionLocator(roots: settings.roots) }

    /// What writes into a session, and notes it for `trace undo`.
    func writer(_ session: SessionTarget) -> SessionWriter {
        var writer = SessionWriter(session, runtimeDirectory: settings.runtimeDirectory)
        writer.journal = journal
        writer.laggingHeaders = LaggingHeaders(state: settings.stateDirectory)
        return writer
    }

    /// Writes into a session that was chosen, and names it; where another lies in its place by now, into wherever it has gone.
    ///
    /// - Throws: What `write` throws; ``FileError`` with `.otherSession` where it is nowhere to be found.
    func writing<Result>(into session: SessionTarget, _ write: (SessionWriter) throws -> Result) throws
        -> Result
    {
        var target = session
        var attemptsLeft = 5
        while true {
            do {
                let result = try write(writer(target))
                notice(writtenInto: target)
                return result
            } catch let error as FileError where error.code == .otherSession && attemptsLeft > 0 {
                attemptsLeft -= 1
                guard let id = session.session.id, let path = sessionsByID()(id).first,
                    let found = try? SessionTarget(reading: path), found.session.id == id
                else { throw error }
                target = found
            }
        }
    }

    /// Where writes are noted that the user may want to undo.
    var journal: UndoJournal {
        let isQuiet = global.quiet
        var journal = UndoJournal(
            state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory
        ) { error in
            if !isQuiet { Output.error("warning: this can't be undone later: \(error)") }
        }
        journal.command = command
        return journal
    }

    /// Notes what was put into the local spool.
    func noteQueued(_ entries: [ULID], _ operation: UndoableWrite.Operation, for session: ULID) {
        guard !entries.isEmpty else { return }
        journal.note(
            UndoableWrite(
                id: IDMint.next(), time: Clock.now(), user: UInt32(geteuid()), operation: operation,
                sessionID: session, session: nil, command: command, changes: entries.map { .queued($0) }))
    }

    /// The directories of the sessions that bear an id, of those that can be found now.
    ///
    /// They are looked for when the first is asked for.
    func sessionsByID() -> (ULID) -> [FilePath] {
        var sessions: [ULID?: [SessionCandidate]]?
        return { id in
            let known =
                sessions
                ?? Dictionary(
                    grouping: locator.candidates().filter { $0.session.id != nil }, by: \.session.id)
            sessions = known
            return known[id]?.map(\.path) ?? []
        }
    }

    /// What writes the queue into the sessions that can be found now.
    func drain() -> Drain {
        Drain(queue, runtimeDirectory: settings.runtimeDirectory, locate: sessionsByID())
    }

    /// The directory of the session that a command only reads. Where none is named and none is active, that is the one that
    /// began last, as after the end of a recording; standard error says so.
    ///
    /// - Parameter argument: The command's own argument, which comes before `--session` and `TRACE_SESSION`.
    func session(_ argument: String?) throws -> FilePath {
        let selector = selector(argument)
        do { return try directory(of: selector) } catch let error as FileError
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
        absolute(try locator.path(of: selector, workingDirectory: workingDirectory))
    }

    /// As ``session(_:)``, for what is to be written into it: never one that nobody named and that has ended.
    func target(_ argument: String?) throws -> SessionTarget {
        let target = try locator.target(of: selector(argument), workingDirectory: workingDirectory)
        let path = absolute(target.path)
        return path == target.path ? target : target.renamed(path)
    }

    /// What names the session, or nil where nothing does.
    func selector(_ argument: String?) -> SessionSelector? {
        let environment = getenv("TRACE_SESSION").map {
            ArgumentBytes.text(of: FilePath(platformString: $0).bytes)
        }
        return (argument ?? global.session ?? environment.flatMap { $0.isEmpty ? nil : $0 }).map { text in
            ArgumentBytes.isUTF8(text) ? SessionSelector(text) : .directory(FilePath(argument: text))
        }
    }

    /// Whether `--session` names the session.
    var isSessionNamed: Bool { global.session != nil }

    /// The id that names the session, where it is a whole one.
    func wholeID(_ argument: String?) -> ULID? {
        guard case .words(let words)? = selector(argument) else { return nil }
        return ULID(words.uppercased())
    }

    /// The id of the session that is named, which need not be here if the name is a whole id.
    func sessionID(_ argument: String?) throws -> ULID {
        if let id = wholeID(argument) { return id }
        let path = try directory(of: selector(argument))
        guard let id = try SessionCandidate(reading: path).session.id else {
            throw CommandFailure(.badData, "\(path.escaped): the session has no valid id")
        }
        return id
    }

    /// The id of a session whose root is offline, as far as the index knows it.
    func offlineID(_ argument: String?) -> ULID? {
        guard case .directory(let typed)? = selector(argument) else { return nil }
        let path = absolute(typed)
        guard let root = root(of: path), (try? OpenDirectory(root)) == nil else { return nil }
        return remembered(at: path)?.id
    }

    /// What the index knows of a session as it was when it was last read.
    func remembered(at path: FilePath) -> IndexedSession? {
        (try? SessionIndex(readingAt: settings.indexDatabase, formats: Journals.all).session(at: path)) ?? nil
    }

    /// What a line of success calls a session: its directory as it was typed, else its path.
    func name(of session: FilePath, typed argument: String?) -> String {
        guard let argument, case .directory(let path)? = selector(argument) else { return session.escaped }
        return path.escaped == path.string ? argument : path.escaped
    }

    /// The path from the root of the file system, without `.`, and without `..` where no link makes that
    /// another place.
    func absolute(_ path: FilePath) -> FilePath {
        let whole = path.isAbsolute ? path : workingDirectory.pushing(path)
        let tidy = whole.lexicallyNormalized()
        guard whole.components.contains(where: { $0.kind == .parentDirectory }) else { return tidy }
        return Self.place(of: whole) == Self.place(of: tidy) ? tidy : whole
    }

    /// Which directory lies at a path, or where it is to lie.
    private static func place(of path: FilePath) -> FileID? {
        let directory = (try? OpenDirectory(path)) ?? (try? OpenDirectory(path.removingLastComponent()))
        return try? directory?.status().identity.file
    }

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

    /// The configured root in which a session lies; only such sessions are indexed.
    func root(of session: FilePath) -> FilePath? { SessionRoots(settings.roots).root(of: session) }

    /// Says something to the person at the terminal, unless they want none of it.
    func notice(_ text: String) {
        if !global.quiet { Output.error(text) }
    }

    /// Warns of something, with what can be done about it.
    func warn(_ message: String, hint: String) {
        notice("warning: \(ErrorReport(message: message, hint: hint).text)")
    }

    /// Says where an answer comes from, to those who ask.
    func explain(_ text: String) {
        if global.verbose { Output.error(text) }
    }
}
