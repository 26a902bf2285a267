internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// The records of one file as they were at the last look.
struct FollowedRecords {
    private let kind: RecordKind
    private var identity: FileIdentity?
    private var resumePoint = RecordStream.ResumePoint.start
    private var known: [ULID: Known] = [:]
    private var looks = 0

    /// What a record said, in a number, and at which look it was there last.
    private struct Known {
        var digest: Int
        var look: Int
    }

    init(_ kind: RecordKind) { self.kind = kind }

    /// A record that came, changed or went.
    struct Change {
        var change: LibraryEvent.Change
        var record: RecordSummary
        /// Nil if it went.
        var line: [UInt8]?
    }

    /// A file that is smaller is read whole whenever it changes, so that an edit in its middle is seen as well.
    private static let large: Int64 = 4 << 20

    /// What is different; at the first look nothing is.
    mutating func look(in session: SessionReader) throws -> [Change] {
        let now = try session.identity(of: kind)
        guard now != identity || looks == 0 else { return [] }
        let isAppended =
            identity.map { old in
                now.map { $0.isSameFile(as: old) && $0.size > old.size && old.size > Self.large } ?? false
            } ?? false
        looks += 1
        let look = looks
        // Taken out meanwhile, so that there are not two of it.
        var known: [ULID: Known] = [:]
        swap(&known, &self.known)
        defer { self.known = known }
        var candidates: [ULID: Candidate] = [:]
        let reading = try session.read(kind, from: isAppended ? resumePoint : .start) { record in
            guard let id = record.id else { return }
            let digest = record.digest
            if let candidate = candidates[id] {
                candidates[id] = Candidate(record: record, number: candidate.number)
            } else if look == 1 || known[id]?.digest == digest {
                known[id] = Known(digest: digest, look: look)
            } else {
                candidates[id] = Candidate(record: record, number: candidates.count)
            }
        } onFinding: { _ in
        }
        resumePoint = reading?.resumePoint ?? .start
        identity = now
        var changes: [Change] = []
        for (id, candidate) in candidates.sorted(by: { $0.value.number < $1.value.number }) {
            let record = candidate.record
            let old = known.updateValue(Known(digest: record.digest, look: look), forKey: id)
            guard old?.digest != record.digest else { continue }
            let line = try? session.directory.slice(
                of: kind.component, at: record.byteOffset, count: record.byteLength)
            changes.append(Change(change: old == nil ? .added : .changed, record: record, line: line))
        }
        guard !isAppended else { return changes }
        for id in known.filter({ $0.value.look != look }).keys.sorted() {
            known[id] = nil
            let record = RecordSummary(kind: kind.entryKind, line: 0, byteOffset: 0, byteLength: 0, id: id)
            changes.append(Change(change: .removed, record: record))
        }
        return changes
    }

    /// The last line so far of a record that did not say this at the last look.
    private struct Candidate {
        var record: RecordSummary
        /// How many came before it.
        var number: Int
    }
}

extension RecordSummary {
    /// What the record says, without where it is; the same for the same words in one process.
    fileprivate var digest: Int {
        var hasher = Hasher()
        hasher.combine(offset)
        hasher.combine(duration)
        hasher.combine(reference)
        hasher.combine(detail)
        hasher.combine(text)
        hasher.combine(note)
        hasher.combine(mediaPath)
        hasher.combine(tags)
        return hasher.finalize()
    }
}
