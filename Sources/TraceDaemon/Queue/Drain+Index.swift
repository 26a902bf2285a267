internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

extension Drain {
    /// A drain of the queue that the settings name, which asks the index where sessions are, once for each of
    /// them, and which of their ids are taken.
    init(_ settings: TraceSettings, _ index: JournalIndex) {
        let places = IndexedPlaces(index, below: settings.roots)
        self.init(QueueDirectories(settings), runtimeDirectory: settings.runtimeDirectory) { id in
            places.journals(with: id)
        }
        covering = { moment in
            Self.sessions(of: index, below: settings.roots, around: moment).compactMap { path in
                guard let candidate = try? SessionCandidate(reading: path) else { return nil }
                return CoveringSession(
                    candidate, at: moment, now: Clock.now(), staleAfter: settings.staleAfter)
            }
        }
        records = index
        formats = Journals.all
        askTokens(in: settings.stateDirectory)
        begin = LibraryWriter(settings).beginning(inFirstOf: settings.roots) { id in
            // What can't be asked may be there.
            (try? index.journalCount(withID: id)).map { $0 > 0 } ?? true
        }
    }

    /// The sessions that may cover a moment, by what the index knows of them.
    private static func sessions(
        of index: JournalIndex, below roots: [FilePath], around moment: Timestamp
    ) -> [FilePath] {
        var filter = SessionFilter()
        filter.roots = roots
        let sessions = (try? index.sessions(filter, isCounted: false)) ?? []
        return sessions.filter { session in
            guard session.isOnline, let start = session.startTime, start <= moment else { return false }
            return session.status == .active || session.endTime.map { moment <= $0 } ?? true
        }.map(\.path)
    }
}

extension LibraryWriter {
    /// What makes sessions below the roots that the settings name.
    fileprivate init(_ settings: TraceSettings) {
        self.init(
            roots: SessionRoots(settings.roots), stateDirectory: settings.stateDirectory,
            runtimeDirectory: settings.runtimeDirectory, database: settings.indexDatabase,
            command: IDGenerator.next()
        ) { _ in }
        timeZone = settings.timeZone
    }
}

extension QueueDirectories {
    /// The queue that the settings name.
    init(_ settings: TraceSettings) {
        self.init(state: settings.stateDirectory, spools: Array(settings.spools.dropFirst()))
        otherStates = [settings.defaultStateDirectory]
    }
}
