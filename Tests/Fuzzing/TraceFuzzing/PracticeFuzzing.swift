internal import PracticeJournal
internal import RecordFormat
internal import TraceStore
import TraceText

/// The reader of a practice journal's document, what an index has of it, its editor and its mending.
struct PracticeFuzzing {
    private let bytes: [UInt8]
    /// When it is read, in milliseconds: what is later is to come.
    private static let now = Timestamp(milliseconds: 1_772_500_000_000)
    private static let library = """
        {"version":3,"items":[{"practice_identity":"GaB12","slug":"comet-racer","name":"Comet Racer"},
        {"practice_identity":"Gk9Xy","slug":"deep-reef","name":"Deep Reef"}]}
        """

    init(_ input: [UInt8]) { bytes = input }

    func check() throws {
        let library = try JSONParser().withParsed(Array(Self.library.utf8)) { GameLibrary($0) }
        let reading = try PracticeReading(bytes, library: library, now: Self.now)
        let places = PlaceCheck(bytes)
        for finding in reading.findings { try places.require(finding, mayBeWhole: true) }
        try require(
            reading.document != nil || !reading.findings.isEmpty, "no document, and nothing says why")
        try requireRecords(reading, library)
        let imported = try PracticeImport(bytes, file: "file", library: library, now: Self.now)
        if imported.document == bytes {
            try require(imported.reading.findings.count == reading.findings.count, "two readings differ")
        }
        guard reading.isWritable, let document = reading.document else { return }
        try requireInsertion(document)
        try requireMember(document)
        try requireRemoval(document)
        try requireMended(document)
        _ = try StrictView(of: document)
    }

    /// What is indexed lies in the text, in its order.
    private func requireRecords(_ reading: PracticeReading, _ library: GameLibrary) throws {
        var end = 0
        for record in IndexedPracticeRecords(reading, library: library).records {
            try require(
                record.range.isEmpty == (record.converted != nil) && record.range.lowerBound >= end
                    && record.range.upperBound <= bytes.count, "a record that has no place: \(record.range)")
            // A game may have two notes; then both are the last one.
            end = record.range.lowerBound
        }
        guard reading.shape == .canonical, let document = reading.document else { return }
        for array in PracticeArray.allCases {
            try require(
                document.ids(of: array).count == document.outline.elements(of: array.rawValue).count,
                "\(array.rawValue) has records without elements")
        }
    }

    // MARK: - Changes

    /// A new record is put between bytes that stay, and no other record is another one.
    private func requireInsertion(_ document: PracticeDocument) throws {
        let id = "0A7B1C00-0000-8000-8000-000000000001"
        var change = DocumentChange()
        change.added = [
            .score(
                id: id, game: "GaB12", score: 1.5, context: "practice", tournament: nil,
                time: 1_772_400_000_000)
        ]
        guard let new = try edited(document, change) else { return }
        let (front, back) = Self.common(bytes, new)
        // A member that is not an array gives way to one.
        if document.outline.member("scoreEntries").map({ bytes[$0.valueRange.lowerBound] == 0x5B }) ?? true {
            try require(front + back >= bytes.count, "a record that comes changes bytes of others")
        }
        let after = try read(new)
        try require(
            after.ids(of: .scoreEntries).count { $0 == id }
                == document.ids(of: .scoreEntries).count { $0 == id } + 1,
            "a record that was added is not there")
        for array in PracticeArray.allCases where array != .scoreEntries {
            try requireSame(array, document, after)
        }
    }

    /// A member that is set has its value, and no record is another one.
    private func requireMember(_ document: PracticeDocument) throws {
        var change = DocumentChange()
        change.members = [.init("gameSummaryNotes", "GaB12", JSONText("\u{1F3B5} \"\\"))]
        guard let new = try edited(document, change) else { return }
        let after = try read(new)
        try require(
            after.gameNotes.last { $0.game == "GaB12" }?.note == "\u{1F3B5} \"\\",
            "a note that was set is not there")
        for array in PracticeArray.allCases { try requireSame(array, document, after) }
        let again = try after.applying(change)
        try require(again == new, "setting a value that is there changes something")
    }

    /// A record that is removed is gone, and the others are as they were.
    private func requireRemoval(_ document: PracticeDocument) throws {
        let count = document.rows.count
        guard count > 0 else { return }
        var change = DocumentChange()
        change.removed = [.init(.journalEntries, count / 2)]
        guard let new = try edited(document, change) else { return }
        let after = try read(new)
        try require(after.rows.count == count - 1, "a row that was removed is still there")
        for index in after.rows.indices {
            let old = document.text(of: .journalEntries, index < count / 2 ? index : index + 1)
            try require(after.text(of: .journalEntries, index) == old, "another row has changed")
        }
        for array in PracticeArray.allCases where array != .journalEntries {
            try requireSame(array, document, after)
        }
    }

    /// A mended document needs no mend, and where nothing is mended no byte is another.
    private func requireMended(_ document: PracticeDocument) throws {
        let repair = try DocumentRepair(of: document)
        try require(
            repair.fixes.isEmpty == (repair.bytes == bytes),
            "a mend that changes nothing, or a change that is none")
        let again = try DocumentRepair(of: read(repair.bytes))
        try require(again.fixes.isEmpty && again.bytes == repair.bytes, "a mend needs a mend")
    }

    // MARK: - Help

    /// Nil where the document has something else in that place; then there must be a reason.
    private func edited(_ document: PracticeDocument, _ change: DocumentChange) throws -> [UInt8]? {
        do throws(FormatError) { return try document.applying(change) } catch {
            try require(!error.message.isEmpty, "refused without a reason: \(error)")
            return nil
        }
    }

    private func read(_ bytes: [UInt8]) throws -> PracticeDocument {
        let reading = try PracticeReading(bytes, now: Self.now)
        guard reading.isWritable, let document = reading.document else {
            throw Flaw(description: "an edited document is none any more: \(reading.findings)")
        }
        return document
    }

    private func requireSame(
        _ array: PracticeArray, _ before: PracticeDocument, _ after: PracticeDocument
    ) throws {
        let (old, new) = (
            before.outline.elements(of: array.rawValue), after.outline.elements(of: array.rawValue)
        )
        try require(
            old.count == new.count
                && zip(old, new).allSatisfy { before.bytes[$0].elementsEqual(after.bytes[$1]) },
            "\(array.rawValue) has changed")
    }

    /// How many bytes two texts have in common at their beginnings, and at their ends.
    private static func common(_ one: [UInt8], _ other: [UInt8]) -> (front: Int, back: Int) {
        (
            zip(one, other).prefix { $0 == $1 }.count,
            zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
        )
    }
}
