/// Gathers ``SessionFacts`` from lines as they are read; keeps an id a record and whole summaries only of the few that
/// refer to others.
package struct SessionFactsBuilder {
    package private(set) var facts: SessionFacts

    private var owners: [ULID: Owners] = [:]
    private var references: [Key: RecordSummary] = [:]
    private var voiceNotes: [ULID: RecordSummary] = [:]
    private var beyondEnd: [Key: RecordSummary] = [:]

    /// An id stands for one record of each kind: the last line of it within the kind's file counts.
    private struct Key: Hashable {
        let kind: RecordKind
        let id: ULID
    }

    /// Who has an id: more than one where a rule is broken.
    private struct Owners: OptionSet {
        let rawValue: UInt8

        static let session = Owners(.session)
        static let mediaItem = Owners(rawValue: 1 << 7)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ kind: RecordKind) {
            rawValue = 1 << UInt8(RecordKind.allCases.firstIndex(of: kind) ?? 0)
        }

        var name: String {
            RecordKind.allCases.first { contains(Owners($0)) }?.noun ?? "media item"
        }
    }

    /// - Parameter session: What `session.json` says; lines are measured against it.
    package init(session: Session) {
        facts = SessionFacts(session: session, directory: SessionFacts.Directory())
        if let id = session.id { owners[id] = .session }
        for case let id? in session.media.map(\.id) { owners[id, default: []].insert(.mediaItem) }
    }

    package mutating func add(_ record: RecordSummary) {
        if record.kind == .timeline { facts.timeline.append(record) }
        guard let id = record.id else { return }
        let others = owners[id, default: []].subtracting(Owners(record.kind))
        let isNew = owners[id, default: []].insert(Owners(record.kind)).inserted
        if isNew, !others.isEmpty { facts.reusedIDs.append(.init(record: record, takenBy: others.name)) }
        let key = Key(kind: record.kind, id: id)
        references[key] = record.reference == nil ? nil : record
        if record.kind == .voiceNote { voiceNotes[id] = record }
        let isBeyond =
            facts.session.status == .closed
            && record.offset ?? .zero > facts.session.duration ?? .distantFuture
        beyondEnd[key] = isBeyond ? record : nil
    }

    /// Every media path that the session names.
    package var mediaPaths: Set<String> {
        Set(facts.session.media.map(\.path) + voiceNotes.values.compactMap(\.mediaPath))
    }

    /// The facts, once every line has been added and the directory has been looked at.
    package func finish(directory: SessionFacts.Directory) -> SessionFacts {
        var facts = facts
        facts.danglingReferences = references.values.filter { record in
            let target: RecordKind = record.kind == .marker ? .voiceNote : .marker
            return record.reference.map { !owners[$0, default: []].contains(Owners(target)) } ?? false
        }
        facts.voiceNotes = Array(voiceNotes.values)
        facts.beyondEnd = Array(beyondEnd.values)
        facts.directory = directory
        return facts
    }
}

extension SessionOffset {
    /// Later than every offset of a session whose end is not known.
    static let distantFuture = SessionOffset(milliseconds: .max)
}

extension RecordKind {
    /// What a person calls a record of this kind.
    package var noun: String {
        switch self {
        case .session: "session"
        case .timeline: "timeline entry"
        case .marker: "marker"
        case .voiceNote: "voice note"
        case .transcript: "transcript segment"
        case .action: "action run"
        }
    }
}
