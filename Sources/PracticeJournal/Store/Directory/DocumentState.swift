internal import RecordFormat
internal import TraceFiles
internal import TraceStore

/// What is known of a journal's document: what its log says, and what the document says beyond that.
///
/// Source: docs/spec/practice.md#each-line-of-syncjsonl.
struct DocumentState {
    /// All of it.
    private(set) var state: SyncState
    /// What is in the document.
    let values: DocumentValues
    /// What the document says that no line of the log does: others have written it, or a write changed a record without an id.
    let unsaid: SyncState
    /// Of what is unsaid; of a log without lines, that of the document as a whole.
    let stamp: SyncStamp
    /// Whether the log has no line yet.
    let isFirst: Bool
    /// What is gone, if others have written a document of which most is gone.
    let emptied: EmptiedDocument?

    /// What our next stamp is to be later than: everything that was said so far.
    var clock: SyncStamp? { Self.clock(after: Array(state.latest.values)) }

    /// What our next stamp is to be later than, where these were given.
    static func clock(after stamps: [SyncStamp?]) -> SyncStamp? {
        stamps.compactMap(\.self).max().map {
            SyncStamp(milliseconds: $0.milliseconds, counter: $0.counter, device: SyncStamp.ownDevice)
        }
    }

    /// What another program says is its difference to what it, or another one, has left there before, and never to what was written here: it
    /// may have had the document in its memory for a day, and not know of that. Of several such documents the one counts from which
    /// it differs least; but what only takes away from the last of them is a removal, though an older one was without that, too. Where it is
    /// not known what programs have left there, it says what is new alone.
    ///
    /// - Parameters:
    ///   - lines: Of the log.
    ///   - saves: What other programs have left there before; those that the log has whole come on top.
    ///   - isJoined: Whether the lines are those of several logs, one of which the document may belong to whatever its time.
    ///   - isInStep: Whether the log ends with this document.
    ///   - modified: When the file was written.
    /// - Throws: ``FormatError`` with `.recordInvalid` if the document, or one in the log, can't be compared.
    init(
        of document: PracticeDocument, checksum: String, modified: Timestamp, _ lines: [[UInt8]],
        isInStep: Bool, saves: [FoundDocument] = [], isJoined: Bool = false, now: Timestamp
    ) throws(FormatError) {
        let history = try SyncHistory(lines)
        values = try DocumentValues(document)
        isFirst = history.isEmpty
        let latest = history.state.latest
        if history.isEmpty {
            stamp = .unnoted(newest: values.newest)
        } else if isInStep {
            stamp = .own(after: latest.values.max(), at: now)
        } else {
            let written = min(modified, now)
            var next = SyncStamp.next(
                of: SyncStamp.documentDevice, after: latest[SyncStamp.documentDevice], at: written)
            // What was said in the same millisecond was in the document that they replaced.
            let meanwhile = latest.values.filter { $0.milliseconds == next.milliseconds }.max()
            if let meanwhile, meanwhile.counter >= next.counter {
                next = meanwhile.following(of: SyncStamp.documentDevice)
            }
            stamp = next
        }
        let candidates: [(found: FoundDocument, said: SyncState)] =
            isInStep || history.isEmpty
            ? []
            : (saves + history.found.reversed()).map { [stamp, values] found in
                (
                    found: found,
                    said: SyncState(from: found.values, to: values, stamp: stamp)
                        .withoutMovedTimes(knowing: history.state)
                )
            }
        let last = candidates.first.flatMap { $0.said.isOnlyRemoval ? $0 : nil }
        // A sync tool brings a document of before with the time that it had; what it lacks was said after that, perhaps elsewhere. An app
        // that takes back what it has just added saves the same bytes, too, but later than all that was said.
        let isTakenBack = last != nil && modified.milliseconds > latest.values.max()?.milliseconds ?? .max
        var base: DocumentValues?
        if !isInStep, let written = history.documents[checksum],
            isJoined || !isTakenBack && modified.milliseconds <= written.addingClamped(Self.commitTime)
        {
            unsaid = SyncState()
        } else if history.isEmpty {
            unsaid = SyncState(from: nil, to: values, stamp: stamp)
        } else if isInStep {
            unsaid = SyncState(from: history.state.values, to: values, stamp: stamp)
        } else if let closest = last ?? candidates.min(by: { $0.said.sayingCount < $1.said.sayingCount }) {
            base = closest.found.values
            unsaid = closest.said.withoutWhatWasSaid(
                meanwhile: history.said(since: closest.found.checksum), knowing: history.state,
                base: closest.found.values)
        } else {
            unsaid = SyncState(values, beyond: history.state, stamp: .unnoted(newest: values.newest))
        }
        emptied = base.flatMap { [values] in EmptiedDocument(from: $0, to: values) }
        state = history.state.joined(with: unsaid)
    }

    /// Puts back into the document what others have saved over.
    ///
    /// - Returns: The document, and what there is to tell of it.
    /// - Throws: ``FormatError`` with `.recordInvalid` if the document can't be merged.
    func putBack(
        into document: PracticeDocument
    ) throws(FormatError) -> (document: [UInt8], records: [OverwrittenRecord]) {
        let merged = try document.merged(with: state)
        guard merged.bytes != document.bytes else { return (merged.bytes, []) }
        let changes = try MergeChange.all(from: values, to: DocumentValues(merged))
        // What is gone from the document was removed elsewhere; it is not back. Of an order, and of a time that was moved, nothing is lost.
        let back = changes.filter {
            $0.kind != .removed && !$0.isOfGroupOrder && !state.isMovedTime($0, from: values)
        }
        return (merged.bytes, back.map(\.overwritten))
    }

    /// How long after its line a document is written at the latest, in milliseconds.
    private static let commitTime: Int64 = 60_000
}

extension MergeChange {
    fileprivate var overwritten: OverwrittenRecord {
        OverwrittenRecord(
            text: text, container: container, id: name, isThere: kind == .changed, removal: removal)
    }

    private var removal: String? {
        // What goes by its text has no name by which a person could delete it.
        guard kind == .added, !MergeKey.isOfText(name) else { return nil }
        return switch array {
        case .journalEntries: "trace practice delete \(name)"
        case .customGroups: "trace practice groups --delete \(name)"
        default: nil
        }
    }
}

extension OpenedDocument {
    /// What is known of the document.
    ///
    /// - Throws: ``FileError`` with `.invalidData` if it can't be compared with others.
    func state(_ log: SyncLog, now: Timestamp) throws -> DocumentState {
        var isInStep = false
        if case .inStep = known { isInStep = true }
        return try DocumentState(
            of: document, checksum: checksum ?? Self.checksum(of: document.bytes),
            modified: identity?.modified.timestamp ?? now, log.lines(), isInStep: isInStep,
            saves: isInStep ? [] : ReplicaStore(log.directory).saves(), now: now)
    }
}
