internal import Journals
internal import SystemPackage
internal import TraceConfiguration
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
        records = index
        formats = Journals.all
    }
}

extension QueueDirectories {
    /// The queue that the settings name.
    init(_ settings: TraceSettings) {
        self.init(state: settings.stateDirectory, spools: Array(settings.spools.dropFirst()))
    }
}
