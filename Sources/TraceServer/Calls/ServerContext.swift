internal import Journals
internal import RecordFormat
internal import Synchronization
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// What endpoints share: the settings that count now, the index, and what writes.
struct ServerContext: Sendable {
    let settings: TraceSettings
    let host: ServerHost
    let counts: RequestCounts
    let connections: ConnectionTable
    let guesses: PairingGuesses
    /// What is known of the ledger.
    let ledger: LedgerMemory
    /// Closes the cursors of lists.
    let seal: CursorSeal
    private let index: OpenIndex

    init(
        _ settings: TraceSettings, _ host: ServerHost, _ counts: RequestCounts,
        _ connections: ConnectionTable, _ guesses: PairingGuesses, _ ledger: LedgerMemory,
        _ seal: CursorSeal, _ index: OpenIndex
    ) {
        self.settings = settings
        self.host = host
        self.counts = counts
        self.connections = connections
        self.guesses = guesses
        self.ledger = ledger
        self.seal = seal
        self.index = index
    }

    var roots: SessionRoots { SessionRoots(settings.roots) }

    /// The directories whose names only those may know who may know everything.
    var places: [String] {
        (settings.roots + [settings.stateDirectory, settings.runtimeDirectory] + settings.spools).map(
            \.escaped)
    }

    /// All sessions, with the index that the API keeps open.
    ///
    /// - Parameter comparesAll: Whether all are compared whenever they are asked about, though the daemon watches them.
    /// - Throws: ``IndexError``, ``FileError``.
    func library(comparesAll: Bool = false) throws -> SessionLibrary {
        SessionLibrary(
            roots: roots, stateDirectory: settings.stateDirectory, database: settings.indexDatabase,
            index: try index.open(settings), temporaryDirectory: settings.stateDirectory,
            settleTime: settings.settleTime, watched: comparesAll ? nil : host.watched,
            sweeps: host.sweeping.shared
        ) { _ in }
    }

    /// The zone in which days are meant.
    ///
    /// - Throws: ``FileError`` for a `time_zone` that the machine does not know.
    func zone() throws -> ZoneRules {
        try settings.timeZone.map { try ZoneFiles.rules(named: $0) } ?? ZoneFiles.machine.rules
    }

    /// Notes what was done with a token. What can't be noted is done all the same.
    func log(_ event: AccessEvent) {
        try? AccessLog(state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory).append(
            event)
    }

    /// What writes into sessions. Undoing is per record here, so that nothing is noted for `trace undo`, which belongs to a person
    /// at a terminal.
    func writer() -> LibraryWriter {
        var writer = LibraryWriter(
            roots: roots, stateDirectory: settings.stateDirectory, spools: Array(settings.spools.dropFirst()),
            runtimeDirectory: settings.runtimeDirectory, database: settings.indexDatabase,
            command: IDGenerator.next()
        ) { _ in }
        // One thread writes for all clients: none of them may hold up the others for long.
        writer.lockTimeout = .milliseconds(300)
        return writer
    }
}

/// The API's own handle on the index, as each command has one; opened with the first question.
final class OpenIndex: Sendable {
    private let state = Mutex<(path: FilePath, index: SessionIndex)?>(nil)
    private let work = IndexWork()

    /// Ends the questions that are under way, and whatever is asked later.
    func stop() { work.stop() }

    /// - Throws: ``IndexError``, ``FileError``.
    func open(_ settings: TraceSettings) throws -> SessionIndex {
        try state.withLock { state in
            if let state, state.path == settings.indexDatabase { return state.index }
            try OpenDirectory.make(settings.stateDirectory)
            let index = try SessionIndex(at: settings.indexDatabase, formats: Journals.all, work: work)
            state = (settings.indexDatabase, index)
            return index
        }
    }
}

/// The context of the settings that count now.
final class ServerContexts: Sendable {
    private let host: ServerHost
    private let counts: RequestCounts
    private let connections: ConnectionTable
    private let guesses = PairingGuesses()
    private let ledger = LedgerMemory()
    private let seal = CursorSeal()
    private let index = OpenIndex()
    private let settings = Mutex<TraceSettings?>(nil)

    init(_ host: ServerHost, _ counts: RequestCounts, _ connections: ConnectionTable) {
        self.host = host
        self.counts = counts
        self.connections = connections
    }

    /// Takes other settings up.
    func adopt(_ settings: TraceSettings) { self.settings.withLock { $0 = settings } }

    /// Ends the questions that are under way; for a process that is about to end.
    func stop() { index.stop() }

    /// The present one; nil before there are settings.
    var current: ServerContext? {
        settings.withLock { $0 }.map {
            ServerContext($0, host, counts, connections, guesses, ledger, seal, index)
        }
    }
}
