package import RecordFormat
internal import TraceFiles
package import TraceFormat

/// A line of the session that has the id of an entry.
package struct ExistingLine: Sendable {
    package let kind: RecordKind
    package let line: [UInt8]
}

/// What is to become of an entry, by what is in its session and what the ledger remembers.
package enum EntryVerdict: Equatable {
    /// Its record is to be written.
    case new
    /// Its record stands.
    case stands
    /// Its record was there and has been edited since.
    case edited
    /// It was applied once, but its record is gone.
    case vanished
    /// It was applied once, and the user removed its record.
    case removed
    /// The user dropped it.
    case dropped
    /// Another record or entry has its id.
    case conflict(String)

    /// - Parameter lines: The lines of the session that have the entry's id, of whatever kind.
    package init(_ entry: SpoolEntry, existing lines: [ExistingLine], _ ledger: LedgerContents) {
        let kind = entry.kind.recordKind
        if lines.contains(where: { $0.kind == kind && JSONText.isEquivalent($0.line, entry.payload) }) {
            self = .stands
        } else if ledger.contains(entry.id) {
            guard ledger.contains(entry) else {
                self = .conflict("another entry with this id was applied before")
                return
            }
            // A record that was applied and then edited has the id with other words.
            let isEdited = lines.contains { $0.kind == kind }
            self = isEdited ? .edited : ledger.isRemoved(entry.id) ? .removed : .vanished
        } else if let other = lines.first {
            self = .conflict("another \(other.kind.noun) in the session has this id")
        } else {
            self = ledger.isDropped(entry) ? .dropped : .new
        }
    }
}

extension LockedSession {
    /// The lines that have one of these ids, whatever their kind: an id is one record's of the session.
    func existing(_ ids: Set<ULID>) throws -> [ULID: [ExistingLine]] {
        try SessionReader(directory).existing(ids)
    }
}

extension SessionReader {
    /// The lines that have one of these ids, whatever their kind: an id is one record's of the session.
    package func existing(_ ids: Set<ULID>) throws -> [ULID: [ExistingLine]] {
        var existing: [ULID: [ExistingLine]] = [:]
        for kind in RecordKind.lines {
            for (id, lines) in try lines(of: ids, in: kind) {
                existing[id, default: []] += lines.map { ExistingLine(kind: kind, line: $0) }
            }
        }
        return existing
    }

    /// The lines that have one of these ids, in file order, as they are in the file.
    package func lines(of ids: Set<ULID>, in kind: RecordKind) throws -> [ULID: [[UInt8]]] {
        var places: [RecordSummary] = []
        try read(kind) { record in
            if let id = record.id, ids.contains(id) { places.append(record) }
        }
        guard !places.isEmpty, let file = try directory.openRegularFile(kind.component) else { return [:] }
        var lines: [ULID: [[UInt8]]] = [:]
        for place in places {
            guard let id = place.id else { continue }
            lines[id, default: []].append(try file.slice(at: place.byteOffset, count: place.byteLength))
        }
        return lines
    }
}
