internal import HTTPTypes
internal import Journals
internal import RecordFormat
internal import Synchronization
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceMedia
internal import TraceStore
internal import TraceText

/// What endpoints share: the settings that count now, the index, and what writes.
final class ServerContext: Sendable {
    let settings: TraceSettings
    let host: ServerHost
    let counts: RequestCounts
    let connections: ConnectionTable
    /// What outlives the settings.
    let memory: ServerMemory
    private let openIndex: OpenIndex
    /// Where sessions are looked for.
    let roots: SessionRoots
    /// Sessions that were found lately.
    let sessions = CalledSessions()
    /// What of the settings decides how answers look: another tag for each.
    private let shape: [UInt8]

    init(
        _ settings: TraceSettings, _ host: ServerHost, _ counts: RequestCounts,
        _ connections: ConnectionTable, _ memory: ServerMemory, _ index: OpenIndex
    ) {
        self.settings = settings
        self.host = host
        self.counts = counts
        self.connections = connections
        self.memory = memory
        openIndex = index
        roots = SessionRoots(settings.roots)
        let texts =
            settings.roots.map(\.escaped) + [
                "\(settings.settleTime)", "\(settings.staleAfter)", settings.timeZone ?? "",
            ]
        shape = Array(texts.joined(separator: "\n").utf8)
    }

    /// Begins a tag: the program's version and the settings are in each.
    var ingredients: TagIngredients {
        var ingredients = TagIngredients()
        ingredients.add(Release.version)
        ingredients.add(shape)
        return ingredients
    }

    /// The directories whose names only those may know who may know everything.
    var places: [String] {
        (settings.roots + [settings.stateDirectory, settings.runtimeDirectory] + settings.spools).map(
            \.escaped)
    }

    /// The index, which is kept open.
    ///
    /// - Throws: ``IndexError``, ``FileError``.
    func index() throws -> JournalIndex { try openIndex.open(settings) }

    /// All sessions, with the index that the API keeps open.
    ///
    /// - Throws: ``IndexError``, ``FileError``.
    func library() throws -> JournalLibrary { try library(watched: host.watched) }

    /// - Parameter watched: Asks the daemon what need not be compared; nil to compare all whenever they are asked about.
    /// - Throws: ``IndexError``, ``FileError``.
    func library(watched: (@Sendable () -> WatchedRoots?)?) throws -> JournalLibrary {
        JournalLibrary(
            roots: roots, stateDirectory: settings.stateDirectory, database: settings.indexDatabase,
            index: try index(), temporaryDirectory: settings.stateDirectory,
            settleTime: settings.settleTime, watched: watched,
            sweeps: host.sweeping.shared
        ) { _ in }
    }

    /// The zone in which days are meant.
    ///
    /// - Throws: ``FileError`` for a `time_zone` that the machine does not know.
    func zone() throws -> ZoneRules {
        try ZoneFiles.rules(configured: settings.timeZone)
    }

    /// Notes what was done with a token. What can't be noted is done all the same.
    func log(_ event: AccessEvent) {
        try? AccessLog(state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory).append(
            event)
    }

    /// What writes into sessions. A client undoes single records, by DELETE and PATCH; what it removed or replaced can still be taken
    /// back on the server, by the user that the daemon runs as (`trace undo`).
    func writer() -> LibraryWriter {
        var writer = LibraryWriter(
            roots: roots, stateDirectory: settings.stateDirectory, spools: Array(settings.spools.dropFirst()),
            runtimeDirectory: settings.runtimeDirectory, database: self.settings.indexDatabase,
            command: IDGenerator.next()
        ) { _ in }
        // One thread writes for all clients: none of them may hold up the others for long.
        writer.lockTimeout = .milliseconds(300)
        writer.onPutBack = host.onPutBack
        writer.timeZone = settings.timeZone
        return writer
    }
}

/// The API's own handle on the index, as each command has one; opened with the first question.
final class OpenIndex: Sendable {
    private let state = Mutex<(path: FilePath, index: JournalIndex)?>(nil)
    private let work = IndexWork()

    /// Gives back what the connections keep in memory.
    func releaseMemory() { state.withLock { $0?.index }?.releaseMemory() }

    /// Ends the questions that are under way, and whatever is asked later.
    func stop() { work.stop() }

    /// - Throws: ``IndexError``, ``FileError``.
    func open(_ settings: TraceSettings) throws -> JournalIndex {
        try state.withLock { state in
            if let state, state.path == settings.indexDatabase { return state.index }
            try OpenDirectory.make(settings.stateDirectory)
            let index = try JournalIndex(at: settings.indexDatabase, formats: Journals.all, work: work)
            state = (settings.indexDatabase, index)
            return index
        }
    }
}

/// What the API keeps in memory from one request to the next, whatever the settings.
final class ServerMemory: Sendable {
    /// Readings of journals besides sessions that were asked lately.
    let openedJournals = OpenedJournals()
    /// The tags of answers about them.
    let journalTags = JournalTags()
    let guesses = PairingGuesses()
    /// Makes copies of recordings for players.
    let copies = MediaMaker("http.copies") { reason in
        Problem(
            .notFound, "copy-unavailable", "there is no copy for players: \(reason)",
            cure: "leave 'as' out to get the recording as it is")
    }
    /// Makes waveforms of recordings.
    let waveforms = MediaMaker("http.waveforms") { reason in
        Problem(.notFound, "waveform-unavailable", "there is no waveform: \(reason)")
    }
    /// The uploads that are coming.
    let uploads = UploadTable()
    /// What comes for all of them.
    let uploadMeter = UploadMeter()
    /// What is known of the ledger.
    let ledger = LedgerMemory()
    /// How much may wait in the queue.
    let spoolAllowance = SpoolAllowance()
    /// Closes the cursors of lists.
    let seal = CursorSeal()
    /// The index of those who ask.
    let index = OpenIndex()
    /// The index of the threads that write, which so never wait for a question that takes long.
    let writersIndex = OpenIndex()
    /// Where the markers of sessions are.
    let strips = StripCache()
    /// Answers that were made lately.
    let answers = ResponseCache()
    /// Pages that were made lately.
    let pages = KnownPages()
    /// Names the process: cursors end with it, and so do the tags of answers that hold one.
    let process = Int64.random(in: .min ... .max)
}

/// The contexts of the settings that count now: one for those who ask, and one for the thread that writes.
final class ServerContexts: Sendable {
    private let host: ServerHost
    private let counts: RequestCounts
    private let connections: ConnectionTable
    private let memory = ServerMemory()
    private let state = Mutex<Current?>(nil)

    /// Two contexts that differ in their connections to the index.
    struct Current: Sendable {
        fileprivate let asking: ServerContext
        fileprivate let writing: ServerContext

        /// The one for an endpoint.
        func context(for work: Endpoint.Work) -> ServerContext {
            work == .writing || work == .delivering ? writing : asking
        }
    }

    init(_ host: ServerHost, _ counts: RequestCounts, _ connections: ConnectionTable) {
        self.host = host
        self.counts = counts
        self.connections = connections
    }

    /// Takes other settings up.
    func adopt(_ settings: TraceSettings) {
        func context(_ index: OpenIndex) -> ServerContext {
            ServerContext(settings, host, counts, connections, memory, index)
        }
        let new = Current(asking: context(memory.index), writing: context(memory.writersIndex))
        state.withLock { $0 = new }
    }

    /// Gives back what the connections to the index keep in memory.
    func releaseMemory() {
        memory.index.releaseMemory()
        memory.writersIndex.releaseMemory()
    }

    /// Ends the questions that are under way; for a process that is about to end.
    func stop() {
        memory.index.stop()
        memory.writersIndex.stop()
        memory.copies.stop()
        memory.waveforms.stop()
    }

    /// The present ones; nil before there are settings.
    var current: Current? { state.withLock { $0 } }
}
