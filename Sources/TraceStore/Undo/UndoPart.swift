internal import TraceFormat

/// What an undo takes back, and a redo does again, in one step.
enum UndoPart: Hashable {
    /// The entries in the queue.
    case entries
    /// The lines that were added to a file.
    case added(RecordKind)
    /// The lines that were taken out of a file.
    case removed(RecordKind)
    /// The members of `session.json`.
    case header
    case file(UndoableWrite.Change)

    /// The parts of changes, each where the first of its changes is; without those in documents, which the formats of their journals take back.
    static func parts(of changes: some Sequence<UndoableWrite.Change>) -> [UndoPart] {
        var known: Set<UndoPart> = []
        return changes.compactMap(UndoPart.init).filter { known.insert($0).inserted }
    }

    private init?(_ change: UndoableWrite.Change) {
        switch change {
        case .members: return nil
        case .queued: self = .entries
        case .appended(let kind, _, _), .appendedTogether(let kind, _, _): self = .added(kind)
        case .removed(let kind, _, _), .removedTogether(let kind, _, _): self = .removed(kind)
        case .header: self = .header
        case .media, .replaced, .away, .made, .moved: self = .file(change)
        }
    }
}
