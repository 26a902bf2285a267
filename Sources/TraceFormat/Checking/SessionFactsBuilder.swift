/// Gathers ``SessionFacts`` from lines as they are read; keeps an id a record and whole summaries only of the few that
/// refer to others.
package struct SessionFactsBuilder {
    package private(set) var facts: SessionFacts

    private var owners: [ULID: Owner] = [:]
    private var references: [ULID: RecordSummary] = [:]
    private var voiceNotes: [ULID: RecordSummary] = [:]
    private var beyondEnd: [ULID: RecordSummary] = [:]

    /// Who has an id.
    private enum Owner: Equatable {
        case session, mediaItem
        case record(RecordKind)

        var name: String {
            switch self {
            case .session: "session"
            case .mediaItem: "media item"
            case .record(let kind): kind.noun
            }
        }
    }

    /// - Parameter session: What `session.json` says; lines are measured against it.
    package init(session: Session) {
        facts = SessionFacts(session: session, directory: SessionFacts.Directory())
        if let id = session.id { owners[id] = .session }
        for case let id? in session.media.map(\.id) { owners[id] = .mediaItem }
    }

    package mutating func add(_ record: RecordSummary) {
        if record.kind == .timeline { facts.timeline.append(record) }
        guard let id = record.id else { return }
        if let owner = owners[id] {
            if owner != .record(record.kind) { facts.reusedIDs.append(.init(record: record, takenBy: owner.name)) }
        } else {
            owners[id] = .record(record.kind)
        }
        references[id] = record.reference == nil ? nil : record
        if record.kind == .voiceNote { voiceNotes[id] = record }
        let isBeyond = facts.session.status == .closed && record.offset ?? .zero > facts.session.duration ?? .distantFuture
        beyondEnd[id] = isBeyond ? record : nil
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
            return record.reference.map { owners[$0] != .record(target) } ?? false
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
