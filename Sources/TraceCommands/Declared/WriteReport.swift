internal import RecordFormat
internal import TraceStore

/// What the report of a write says: the id of what it is about, or that it waits.
struct WriteReport {
    private let state: Verb.WriteState
    private let write: Verb.Write

    init(_ state: Verb.WriteState, _ write: Verb.Write) {
        self.state = state
        self.write = write
    }

    var answer: Answer {
        switch state {
        case .planned: answer(nil, nil, "would write: \(write.words)", isQueued: false)
        case .written(let id, let applied):
            answer(id, applied, applied.records.first?.id ?? id.description, isQueued: false)
        case .waiting(let id): answer(id, nil, "queued: \(id)", isQueued: true)
        }
    }

    private func answer(_ entry: ULID?, _ applied: AppliedOperation?, _ line: String, isQueued: Bool)
        -> Answer
    {
        let records = applied?.records ?? []
        let json = JSONText.object { object in
            object.member("id", (records.first?.id ?? entry?.description).map { JSONText($0) })
            object.member("entry_id", entry.map { JSONText($0) })
            let places = Dictionary(grouping: records, by: \.place).sorted { $0.key < $1.key }
            object.member(
                "records",
                .object { text in for (place, found) in places { text.member(place, found.map(\.id)) } })
            if let name = write.operation.subject, let subject = write.arguments.text(name), !subject.isEmpty
            {
                object.member(name, subject)
            }
            object.member("queued", JSONText(isQueued))
            object.member("text", (applied?.text() ?? (isQueued ? write.words : nil)).map { JSONText($0) })
            for (name, value) in applied?.details ?? [] { object.member(name, value) }
        }
        return Answer(.one { json }) { _ in [.lines([line])] }
    }
}
