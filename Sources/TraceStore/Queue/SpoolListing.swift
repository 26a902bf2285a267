internal import RecordFormat
internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// What waits in the local spool, in memory: each entry is read once, and the names only where the directory has changed since.
///
/// Entries that were there the last time are not read again: nobody changes one of the local spool but to say what its audio is, and nothing of
/// that is kept here.
final class SpoolListing: Sendable {
    /// What an entry is to its queue.
    struct Entry: Sendable {
        let id: ULID
        let journal: ULID
        let token: ULID?
        /// Its bytes, with the newline, without the audio beside it.
        let size: Int64
        let hasAudio: Bool

        init(_ entry: SpoolEntry) {
            id = entry.id
            journal = entry.journalID
            token = entry.deliveredBy?.token
            size = Int64(entry.json.bytes.count) + 1
            hasAudio = entry.attachment != nil
        }
    }

    private struct State {
        var spool: Spool?
        /// The spool's directory at the last look; nil if it had just changed, and may have done so again since, or if not everything could be
        /// read.
        var identity: FileIdentity?
        /// The files that could be read.
        var files: [FilePath.Component: Entry] = [:]
        /// Their entries, in the order of the ids.
        var entries: [Entry] = []
    }

    private let state = Mutex(State())

    /// The entries of a spool, in the order of their ids: none where it does not exist. What can't be read is left out, and tried again at the
    /// next look.
    ///
    /// - Throws: ``FileError``, as ``Spool/files()``.
    /// - Complexity: O(1) where everything was read and nothing has changed for some time; else O(names), and what is new is read.
    func entries(of spool: Spool) throws -> [Entry] {
        try state.withLock { state in
            if state.spool != spool { state = State() }
            guard let directory = try OpenDirectory.ifPresent(spool.path) else {
                state = State()
                return []
            }
            // Before the names: what comes behind it is seen by the next look.
            let identity = try directory.status().identity
            guard state.identity != identity else { return state.entries }
            var isComplete = !identity.isTooFresh(at: .now())
            var files: [FilePath.Component: Entry] = [:]
            var entries: [Entry] = []
            for file in try spool.files() {
                guard let entry = state.files[file.name] ?? (try? spool.read(file)).map(Entry.init) else {
                    // It may be that there was no descriptor for it.
                    isComplete = false
                    continue
                }
                files[file.name] = entry
                entries.append(entry)
            }
            state = State(
                spool: spool, identity: isComplete ? identity : nil, files: files, entries: entries)
            return entries
        }
    }

    /// The first entry of each journal, without those with audio: these wait for it, or it has come and they are written already.
    ///
    /// Of a spool that can't be read, nothing is known.
    func first(of journals: Set<ULID>, in spool: Spool) -> [ULID: ULID] {
        var first: [ULID: ULID] = [:]
        for entry in (try? entries(of: spool)) ?? []
        where !entry.hasAudio && journals.contains(entry.journal) && first[entry.journal] == nil {
            first[entry.journal] = entry.id
        }
        return first
    }
}
