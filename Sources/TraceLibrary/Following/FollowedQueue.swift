internal import RecordFormat
internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// The entries of the queue as they were at the last look.
struct FollowedQueue {
    private let directories: QueueDirectories
    private var waiting: [ULID: SpoolEntry?] = [:]
    private var isFirstLook = true

    init(_ directories: QueueDirectories) { self.directories = directories }

    /// What came into the spools, and the outcome of what left them; at the first look nothing.
    mutating func look() -> [LibraryEvent] {
        var now: [ULID: SpoolEntry?] = [:]
        for spool in directories.spools {
            for file in (try? spool.files()) ?? [] {
                now[file.id] = waiting[file.id] ?? (try? spool.read(file))
            }
        }
        let come = now.keys.filter { waiting[$0] == nil }.sorted().map { event(.queued, $0, now[$0] ?? nil) }
        let gone = waiting.keys.filter { now[$0] == nil }.sorted().map { id in
            event(lastChange(of: id), id, waiting[id] ?? nil)
        }
        waiting = now
        defer { isFirstLook = false }
        return isFirstLook ? [] : come + gone
    }

    private func lastChange(of id: ULID) -> LibraryEvent.Change {
        let places: [(FilePath, LibraryEvent.Change)] = [
            (directories.failed, .rejected), (directories.dropped, .dropped), (directories.done, .applied),
        ]
        return places.first { Spool($0.0).keeps(id) }?.1 ?? .taken
    }

    private func event(_ change: LibraryEvent.Change, _ id: ULID, _ entry: SpoolEntry?) -> LibraryEvent {
        var event = LibraryEvent(.queue, change)
        event.sessionID = entry?.journalID
        event.entry = (id, entry?.kind)
        return event
    }
}
