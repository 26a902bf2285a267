internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// The records of one file as they were at the last look.
struct FollowedRecords {
    private let kind: RecordKind
    private var identity: FileIdentity?
    private var resumePoint = RecordStream.ResumePoint.start
    /// What each record said, in a number.
    private var known: [ULID: Int] = [:]
    private var isFirstLook = true

    init(_ kind: RecordKind) { self.kind = kind }

    /// A record that came, changed or went.
    struct Change {
        var event: WatchLine.Event
        var record: RecordSummary
        /// Nil where it went.
        var line: [UInt8]?
    }

    /// A file that is smaller is read whole whenever it changes, so that an edit in its middle is seen as well.
    private static let large: Int64 = 4 << 20

    /// What is different; at the first look nothing is.
    mutating func look(in session: OpenSession) throws -> [Change] {
        let now = try session.identity(of: kind)
        guard now != identity || isFirstLook else { return [] }
        let isAppended =
            identity.map { old in
                now.map { $0.isSameFile(as: old) && $0.size > old.size && old.size > Self.large } ?? false
            } ?? false
        var latest: [ULID: RecordSummary] = [:]
        var order: [ULID] = []
        let reading = try session.read(kind, from: isAppended ? resumePoint : .start) { record in
            guard let id = record.id else { return }
            if latest.updateValue(record, forKey: id) == nil { order.append(id) }
        } onFinding: { _ in
        }
        resumePoint = reading?.resumePoint ?? .start
        identity = now
        defer { isFirstLook = false }
        var changes: [Change] = []
        for id in order {
            guard let record = latest[id] else { continue }
            let old = known.updateValue(record.digest, forKey: id)
            guard !isFirstLook, old != record.digest else { continue }
            let line = try? session.directory.slice(
                of: kind.component, at: record.byteOffset, count: record.byteLength)
            changes.append(Change(event: old == nil ? .added : .changed, record: record, line: line))
        }
        guard !isAppended else { return changes }
        for id in known.keys.filter({ latest[$0] == nil }).sorted() {
            known[id] = nil
            let record = RecordSummary(kind: kind, line: 0, byteOffset: 0, byteLength: 0, id: id)
            changes.append(Change(event: .removed, record: record))
        }
        return changes
    }
}

extension RecordSummary {
    /// What the record says, without where it stands; the same for the same words in one process.
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
