internal import RecordFormat
internal import TraceFiles
internal import TraceStore

/// What is known of a journal's document: what its log says, and what the document says beyond that.
///
/// Source: practice.md, section 12.
struct DocumentState {
    /// All of it.
    private(set) var state: SyncState
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

    /// - Parameters:
    ///   - lines: Of the log.
    ///   - unconfirmed: Lines at the end of the log of which the document that others have written may never have had what they tell of.
    ///   - isInStep: Whether the log ends with this document.
    ///   - modified: When the file was written.
    /// - Throws: ``FormatError`` with `.recordInvalid` if the document, or one in the log, can't be compared.
    init(
        of document: PracticeDocument, checksum: String, modified: Timestamp, _ lines: [[UInt8]],
        unconfirmed: Range<Int> = 0..<0, isInStep: Bool, now: Timestamp
    ) throws(FormatError) {
        let history = try SyncHistory(lines)
        let values = try DocumentValues(document)
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
        var known = history.state.values
        // A sync tool brings a document of before with the time that it had; what it lacks was said after that, perhaps elsewhere.
        let isKnown = history.documents[checksum].map { written in
            modified.milliseconds <= written.addingClamped(Self.commitTime)
        }
        if !isInStep, isKnown == true {
            unsaid = SyncState()
        } else {
            var said = SyncState(from: history.isEmpty ? nil : known, to: values, stamp: stamp)
            // What a document never had, nobody has removed from it: it is compared with the nearest of those that it may come from.
            for index in unconfirmed.reversed() {
                let earlier = try SyncHistory(
                    Array(lines[..<index]) + lines[unconfirmed.upperBound...])
                let before = earlier.state.values
                let other = SyncState(from: earlier.isEmpty ? nil : before, to: values, stamp: stamp)
                if earlier.isEmpty || other.statementCount < said.statementCount {
                    (known, said) = (before, other)
                }
            }
            unsaid = said
        }
        emptied =
            isFirst || isInStep || unsaid.isEmpty ? nil : EmptiedDocument(from: known, to: values)
        state = history.state.joined(with: unsaid)
    }

    mutating func join(_ other: SyncState) { state.join(other) }

    /// How long after its line a document is written at the latest, in milliseconds.
    private static let commitTime: Int64 = 60_000
}

extension SyncLog {
    /// The lines at the end of the log that tell of a document which no later line has found in its place. There are several where another
    /// program wrote the document each time that this one was about to.
    static func unconfirmed(of lines: [[UInt8]]) -> Range<Int> {
        var first = lines.count
        var found: Set<String?> = []
        for index in lines.indices.reversed() {
            // A torn line tells of nothing.
            guard let line = SyncLine(lines[index]) else { continue }
            guard line.write != nil || line.hasState, line.before != line.after, !found.contains(line.after)
            else { break }
            found.insert(line.before)
            first = index
            if lines.count - first == mostUnconfirmed { break }
        }
        return first..<lines.count
    }

    /// Each is compared with what others have written.
    private static let mostUnconfirmed = 8
}

extension SyncState {
    /// How much is said.
    fileprivate var statementCount: Int {
        var count = others.count + (groupOrder == nil ? 0 : 1)
        for members in objects.values { count += members.count }
        for record in records.values.flatMap(\.values) {
            count += record.members.count + (record.tombstone == nil ? 0 : 1)
        }
        return count
    }
}
