package import RecordFormat
package import TraceFormat

/// A description of a write's subject.
package struct WrittenSubject: Sendable, Equatable {
    /// The markers, voice notes and actions, and the lines of other kinds of journal, in the order in which they were written.
    package var records: [Record] = []
    /// How many more there are, of which only the number is known.
    package var otherCount = 0

    package struct Record: Sendable, Equatable {
        /// What it is called in commands and in the index.
        package var kindName: String
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

    /// - Parameters:
    ///   - queue: Where entries are looked for.
    ///   - formats: The kinds of journal that the write may have gone into.
    init(of write: UndoableWrite, _ queue: QueueDirectories, _ formats: JournalRegistry) {
        let queued = Set(write.queued)
        var payloads: [ULID: (RecordKind, [UInt8])] = [:]
        for (place, spool) in queued.isEmpty ? [] : queue.places {
            for file in (try? spool.files(in: place)) ?? [] where queued.contains(file.id) {
                if let entry = try? spool.read(file), let kind = entry.kind.recordKind {
                    payloads[file.id] = (kind, entry.payload)
                }
            }
        }
        for store in queued.isEmpty ? [] : queue.unplaced {
            for moment in (try? store.moments()) ?? [] where queued.contains(moment.id) {
                moment.kind.recordKind.map { payloads[moment.id] = ($0, moment.record) }
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
            case .appendedTogether(_, let count, _), .removedTogether(_, let count, _): otherCount += count
            case .removed(let kind, let id, let lines): add(kind, id, lines.last)
            case .queued(let id):
                if let (kind, payload) = payloads[id] { add(kind, id, payload) } else { otherCount += 1 }
            case .members(let path, let members):
                guard let kindName = formats.kindName(ofLinesIn: path, by: write.operation) else { break }
                for id in members.compactMap({ ULID($0.id) }) where known.insert(id).inserted {
                    records.append(Record(kindName: kindName, id: id))
                }
            case .header, .media, .replaced, .away, .made, .moved: break
            }
        }
    }
}

extension JournalRegistry {
    /// What is written into a file of lines by a write of a kind of journal; nil for a document, of whose rows a write makes several.
    fileprivate func kindName(ofLinesIn path: String, by operation: UndoableWrite.Operation) -> String? {
        let format = operation.journal.flatMap { self[$0] }
        guard case .lines(let schema)? = format?.layout.files.first(where: { $0.name == path })?.container
        else { return nil }
        return entry(schema.kind)?.declaration.name
    }
}

extension WrittenSubject.Record {
    /// What a line tells of its record, or less where it can't be read.
    package init(_ kind: RecordKind, _ id: ULID, _ line: [UInt8]?) {
        self.init(kindName: kind.rawValue, id: id)
        guard let line else { return }
        try? JSONParser().withParsed(line) { root in
            offset = root[name: "offset_ms"]?.integer.map { SessionOffset(milliseconds: $0) }
            label = root[name: "label"]?.string
        }
    }
}
