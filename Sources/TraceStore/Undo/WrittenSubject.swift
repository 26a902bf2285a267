package import RecordFormat
package import TraceFormat

/// A description of a write's subject.
package struct WrittenSubject: Sendable, Equatable {
    /// The markers, voice notes and actions, in the order in which they were written.
    package var records: [Record] = []
    /// How many more there are, of which only the number is known.
    package var otherCount = 0

    package struct Record: Sendable, Equatable {
        package var kind: RecordKind
        package var id: ULID
        /// Where it is in the session; nil if that is not known.
        package var offset: SessionOffset?
        package var label: String?
    }

    /// What several writes were about, counted together.
    package init(together subjects: [WrittenSubject]) {
        records = subjects.flatMap(\.records)
        otherCount = subjects.reduce(0) { $0 + $1.otherCount }
    }

    /// - Parameter queue: Where entries are looked for.
    init(of write: UndoableWrite, _ queue: QueueDirectories) {
        let queued = Set(write.queued)
        var payloads: [ULID: (RecordKind, [UInt8])] = [:]
        for (place, spool) in queued.isEmpty ? [] : queue.places {
            for file in (try? spool.files(in: place)) ?? [] where queued.contains(file.id) {
                if let entry = try? spool.read(file), let kind = entry.kind.recordKind {
                    payloads[file.id] = (kind, entry.payload)
                }
            }
        }
        var known: Set<ULID> = []
        // Of the two records of a voice note and its marker, one is what the command was about.
        let only: RecordKind? =
            switch write.operation {
            case .removeMarker: .marker
            case .voiceNote: .voiceNote
            default: nil
            }
        func add(_ kind: RecordKind, _ id: ULID, _ line: [UInt8]?) {
            guard kind != .timeline, only == nil || kind == only, known.insert(id).inserted else { return }
            records.append(Record(kind, id, line))
        }
        for change in write.changes {
            switch change {
            case .appended(let kind, let id, let line): add(kind, id, line.text)
            case .appendedTogether(_, let count, _): otherCount += count
            case .removed(let kind, let id, let lines): add(kind, id, lines.last)
            case .queued(let id):
                if let (kind, payload) = payloads[id] { add(kind, id, payload) } else { otherCount += 1 }
            case .header, .media, .replaced, .members: break
            }
        }
    }
}

extension WrittenSubject.Record {
    /// What a line tells of its record, or less where it can't be read.
    package init(_ kind: RecordKind, _ id: ULID, _ line: [UInt8]?) {
        self.init(kind: kind, id: id)
        guard let line else { return }
        try? JSONParser().withParsed(line) { root in
            offset = root[name: "offset_ms"]?.integer.map { SessionOffset(milliseconds: $0) }
            label = root[name: "label"]?.string
        }
    }
}
