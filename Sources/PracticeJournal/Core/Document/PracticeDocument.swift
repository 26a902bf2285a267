internal import RecordFormat

/// A practice journal's document: its text, which stays as it is, and what is in it.
///
/// Source: docs/spec/practice.md#the-document.
package struct PracticeDocument: Sendable {
    /// The text. Changes are made to it (``DocumentEditor``), never to a rendering of the values.
    package let bytes: [UInt8]
    package let outline: DocumentOutline
    /// The unit in which the text has its times; those of the records are milliseconds since 1970 in any case.
    package let dateUnit: DateUnit
    package let schemaVersion: Int
    let studyEvents: [StudyEvent]
    let videoEntries: [VideoEntry]
    package let scoreEntries: [ScoreEntry]
    package let noteEntries: [NoteEntry]
    /// The rows of the journal.
    package let rows: [JournalRow]
    package let groups: [PracticeGroup]
    /// By game id, in the order of the text: a game may be there twice.
    let resumeOffsets: [(game: String, offset: Double)]
    let videoHints: [(game: String, hint: String)]
    package let gameNotes: [(game: String, note: String)]
    package let settings: PracticeSettings

    /// - Parameter root: The object that `bytes` hold.
    init(_ root: JSONValue, of bytes: [UInt8], _ outline: DocumentOutline, _ unit: DateUnit) {
        self.bytes = bytes
        self.outline = outline
        dateUnit = unit
        schemaVersion = root[name: "schemaVersion"]?.integer.map { Int(clamping: $0) } ?? Self.schemaVersion
        func records<Record>(_ array: PracticeArray, _ record: (RecordReader) -> Record) -> [Record] {
            root[name: array.name]?.elements.map { record(RecordReader(value: $0, unit: unit)) } ?? []
        }
        func settings(_ name: PracticeSettingsObject) -> RecordReader? {
            root[name: name.name].map { RecordReader(value: $0, unit: unit) }
        }
        func map<Value>(_ map: PracticeMap, _ value: (JSONValue) -> Value?) -> [(String, Value)] {
            root[name: map.name]?.members.compactMap { key, found in
                value(found).map { (String(decoding: key, as: UTF8.self), $0) }
            } ?? []
        }
        studyEvents = records(.studyEvents, StudyEvent.init)
        videoEntries = records(.videoProgressEntries, VideoEntry.init)
        scoreEntries = records(.scoreEntries, ScoreEntry.init)
        noteEntries = records(.noteEntries, NoteEntry.init)
        rows = records(.journalEntries, JournalRow.init)
        groups = records(.customGroups, PracticeGroup.init)
        resumeOffsets = map(.rulesheetResumeOffsets, \.number)
        videoHints = map(.videoResumeHints, \.string)
        gameNotes = map(.gameSummaryNotes, \.string)
        self.settings = PracticeSettings(
            league: settings(.leagueSettings), analytics: settings(.analyticsSettings),
            practice: settings(.practiceSettings))
    }

    /// The schema that is written, and that a document without the member has.
    static let schemaVersion = 4

    /// The ids of an array's records, in the order of the text; each record has an element of the array.
    package func ids(of array: PracticeArray) -> [String?] { reading(array, Identifiers()) }

    /// The times of an array's records, in milliseconds since 1970.
    package func times(of array: PracticeArray) -> [Double?] { reading(array, Times()) }

    private func reading<Reader: RecordMapping>(_ array: PracticeArray, _ reader: Reader) -> [Reader.Result] {
        switch array {
        case .studyEvents: studyEvents.map(reader.read)
        case .videoProgressEntries: videoEntries.map(reader.read)
        case .scoreEntries: scoreEntries.map(reader.read)
        case .noteEntries: noteEntries.map(reader.read)
        case .journalEntries: rows.map(reader.read)
        case .customGroups: groups.map(reader.read)
        }
    }

    /// The text of an element of an array.
    package func text(of array: PracticeArray, _ index: Int) -> ArraySlice<UInt8> {
        bytes[outline.elements(of: array.rawValue)[index]]
    }

    /// Where the records are that have this id.
    package func indices(of array: PracticeArray, id: String) -> [Int] {
        let key = UUIDText.key(id)
        let ids = ids(of: array)
        return ids.indices.filter { index in
            // Most differ in their length, or in what is the same in either case.
            ids[index].map { $0.utf8.count == key.utf8.count && UUIDText.key($0) == key } ?? false
        }
    }
}

/// What is taken out of a record of any kind.
private protocol RecordMapping {
    associatedtype Result
    func read(_ record: some PracticeRecord) -> Result
}

private struct Identifiers: RecordMapping {
    func read(_ record: some PracticeRecord) -> String? { record.id }
}

private struct Times: RecordMapping {
    func read(_ record: some PracticeRecord) -> Double? { record.time }
}
