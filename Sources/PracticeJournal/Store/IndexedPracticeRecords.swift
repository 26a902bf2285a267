internal import RecordFormat
package import TraceStore

/// The records of a practice journal as an index has them.
package struct IndexedPracticeRecords {
    package private(set) var records: [DocumentRecord] = []
    private let library: GameLibrary
    private let redaction: NameRedaction
    /// The canonical ids and the names of the games that have come so far: few, of many rows.
    private var games: [String: (id: String, name: String)] = [:]

    /// Those of a document, in the order of its text; none of one that can't be read.
    ///
    /// - Parameter isStored: Whether the document is a text within a file, whose bytes are not those of its records.
    package init(
        _ reading: PracticeReading, isStored: Bool = false, library: GameLibrary,
        redaction: NameRedaction = NameRedaction()
    ) {
        self.library = library
        self.redaction = redaction
        guard let document = reading.document, let outline = reading.outline else { return }
        let isLegacy = reading.shape == .legacy
        let isConverted = isLegacy || isStored
        func record(
            _ kind: EntryKind, _ ordinal: Int, at range: Range<Int>, _ text: @autoclosure () -> [UInt8]
        ) -> DocumentRecord {
            guard isConverted else { return DocumentRecord(kind, ordinal, at: range) }
            var record = DocumentRecord(kind, ordinal, at: range.lowerBound..<range.lowerBound)
            record.converted = text()
            return record
        }
        // Each element of the older shape's arrays has become one record, in the same order.
        let rows = outline.elements(of: isLegacy ? "journal" : PracticeArray.journalEntries.rawValue)
        records.reserveCapacity(document.rows.count + document.groups.count + document.gameNotes.count)
        for (index, (row, range)) in zip(document.rows, rows).enumerated() {
            let place = record(
                .practiceRow, index + 1, at: range, Array(document.text(of: .journalEntries, index)))
            records.append(filled(place, row))
        }
        let groups = outline.elements(of: isLegacy ? "groups" : PracticeArray.customGroups.rawValue)
        for (index, (group, range)) in zip(document.groups, groups).enumerated() {
            var record = record(
                .practiceGroup, index + 1, at: range, Array(document.text(of: .customGroups, index)))
            record.id = group.id.map(UUIDText.key)
            record.detail = group.type.text
            record.text = group.name
            records.append(record)
        }
        // Of several of one name the last counts, and has the only range that is known; it may be no text.
        let notes = document.gameNotes
        let last = Dictionary(
            notes.enumerated().map { ($0.element.game, $0.offset) }, uniquingKeysWith: { $1 })
        for (index, note) in notes.enumerated() where last[note.game] == index {
            guard let range = reading.range(ofGameNote: note.game),
                isLegacy || document.bytes[range].last == UInt8(ascii: "\"")
            else { continue }
            var record = record(
                .practiceGameNote, index + 1, at: range,
                JSONText.object { $0.member(note.game, note.note) }.bytes)
            record.subject = library.canonical(note.game).id
            record.text = note.note
            records.append(record)
        }
        records.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Those of the library's log.
    init(_ log: LibraryLog, library: GameLibrary) {
        self.library = library
        redaction = NameRedaction()
        for (entry, place) in zip(log.entries, log.places) {
            var record = DocumentRecord(.practiceLogEntry, place.number + 1, at: place.range)
            record.time = Timestamp(record: entry.time)
            record.id = UUIDText.key(entry.id)
            record.subject = entry.game
            record.detail = entry.kind.text
            let known = library.name(of: entry.game)
            record.text = entry.text(game: known == entry.game ? entry.gameName : known)
            records.append(record)
        }
    }

    private mutating func game(_ raw: String) -> (id: String, name: String) {
        if let known = games[raw] { return known }
        let id = library.canonical(raw).id
        let game = (id: id, name: library.name(of: id))
        games[raw] = game
        return game
    }

    /// A row's record, with what the row says.
    private mutating func filled(_ record: DocumentRecord, _ row: JournalRow) -> DocumentRecord {
        let row = row.shown(by: redaction)
        var record = record
        let game = game(row.game)
        record.time = row.time.flatMap { Timestamp(record: $0) }
        record.id = row.id.map(UUIDText.key)
        record.subject = game.id.isEmpty ? nil : game.id
        record.detail = row.action?.text
        record.text = RowText(row, game: game.name).structured
        record.note = row.note.flatMap { $0.isBlank ? nil : $0 }
        record.tags = record.note.map(Self.tags) ?? []
        return record
    }

    /// The words behind a `#`, each once.
    private static func tags(in note: String) -> [String] {
        guard note.utf8.contains(UInt8(ascii: "#")) else { return [] }
        var tags: [String] = []
        for word in note.split(whereSeparator: \.isWhitespace) where word.first == "#" {
            let tag = word.dropFirst().lowercased()
            guard let first = tag.utf8.first, first.isLetterOrDigit,
                tag.utf8.allSatisfy({
                    $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }),
                !tags.contains(tag)
            else { continue }
            tags.append(tag)
        }
        return tags
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}

extension Timestamp {
    /// Nil for a moment before 1970, where an index has no place for it, and for one that nobody can mean.
    fileprivate init?(record milliseconds: Double) {
        guard milliseconds >= 0, milliseconds < 253_402_300_800_000 else { return nil }
        self.init(flooring: milliseconds)
    }
}
