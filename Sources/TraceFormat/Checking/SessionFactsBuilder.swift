package import RecordFormat

/// Collects ``SessionFacts`` from lines as they are read; keeps an id a record, and whole summaries only of the few that refer
/// to others.
package struct SessionFactsBuilder {
    private(set) var facts: SessionFacts
    /// The number of records of each kind; lines of one id count once, lines without an id not at all.
    package var counts: [RecordKind: Int] {
        Dictionary(uniqueKeysWithValues: RecordKind.lines.map { ($0, idCounts[$0.entryKind.index]) }).filter {
            $0.value > 0
        }
    }

    private let ids = IDTable()
    /// By the kind's number.
    private var idCounts = [Int](repeating: 0, count: RecordKind.allCases.count)
    /// Which lines count, by the kind's number.
    private var lines = [LiveLines](repeating: LiveLines(), count: RecordKind.allCases.count)
    private var references: [Key: RecordSummary] = [:]
    private var voiceNotes: [ULID: RecordSummary] = [:]
    private var beyondEnd: [Key: RecordSummary] = [:]

    /// An id stands for one record of each kind: the last line of it within the kind's file counts.
    private struct Key: Hashable {
        let kind: EntryKind
        let id: ULID
    }

    /// - Parameter session: What `session.json` says; lines are measured against it.
    package init(session: Session) {
        facts = SessionFacts(session: session, directory: SessionFacts.Directory())
        if let id = session.id { _ = ids.insert(id, IDTable.Owners(.session)) }
        for case let id? in session.media.map(\.id) { _ = ids.insert(id, .mediaItem) }
    }

    /// Which lines matter beyond their ids.
    package var interest: RecordInterest { RecordInterest(facts.session) }

    package mutating func add(_ record: RecordSummary) {
        count(
            RecordSegment.Entry(id: record.id, line: record.line, byteOffset: record.byteOffset), record.kind)
        let isNotable = interest.isNotable(
            record.kind, offset: record.offset, hasReference: record.reference != nil)
        if isNotable { note(record) }
    }

    /// Takes the records of a part of a file, which must come in the file's order.
    package mutating func add(_ segment: RecordSegment) {
        for entry in segment.entries {
            count(entry, segment.kind)
            if let notable = entry.notable { note(segment.notables[Int(notable)]) }
        }
    }

    /// Which of the lines that were added count.
    package var liveLines: [RecordKind: LiveLines] {
        Dictionary(uniqueKeysWithValues: RecordKind.lines.map { ($0, lines[$0.entryKind.index]) })
    }

    private mutating func count(_ entry: RecordSegment.Entry, _ kind: EntryKind) {
        lines[kind.index].lastLine = entry.line
        guard let id = entry.id else { return }
        let owner = IDTable.Owners(kind)
        let before = ids.insert(id, owner)
        if before.contains(owner) {
            lines[kind.index].lastLineOfRepeated[id] = entry.line
            return forget(Key(kind: kind, id: id))
        }
        idCounts[kind.index] += 1
        if before.isEmpty { return }
        let record = RecordSummary(
            kind: kind, line: entry.line, byteOffset: entry.byteOffset, byteLength: 0, id: id)
        facts.reusedIDs.append(.init(record: record, takenBy: before.name))
    }

    /// An earlier line of an id does not count.
    private mutating func forget(_ key: Key) {
        references[key] = nil
        beyondEnd[key] = nil
        if key.kind == .voiceNote { voiceNotes[key.id] = nil }
    }

    private mutating func note(_ record: RecordSummary) {
        if record.kind == .timeline { facts.timeline.append(record) }
        guard let id = record.id else { return }
        let key = Key(kind: record.kind, id: id)
        if record.reference != nil { references[key] = record }
        if record.kind == .voiceNote { voiceNotes[id] = record }
        if interest.isBeyondEnd(record.offset) { beyondEnd[key] = record }
    }

    /// Every media path that the session names.
    package var mediaPaths: Set<String> {
        Set(facts.session.media.map(\.path) + voiceNotes.values.compactMap(\.mediaPath))
    }

    /// The facts, once every line has been added and the directory has been looked at.
    package func finish(directory: SessionFacts.Directory) -> SessionFacts {
        var facts = facts
        facts.danglingReferences = references.values.filter { record in
            let target: EntryKind = record.kind == .marker ? .voiceNote : .marker
            return record.reference.map { !ids.owners(of: $0).contains(IDTable.Owners(target)) } ?? false
        }
        facts.voiceNotes = Array(voiceNotes.values)
        facts.beyondEnd = Array(beyondEnd.values)
        facts.clock = PauseReader(facts.timeline).clock(of: facts.session)
        facts.directory = directory
        return facts
    }
}

extension RecordInterest {
    /// What the rules of a session are about.
    init(_ session: Session) {
        self.init(
            always: EntryKindSet([.timeline, .voiceNote]),
            beyond: session.status == .closed ? session.duration : nil)
    }
}

extension EntryKind {
    /// Its place among those of a session.
    var index: Int { Int(code) }
}
