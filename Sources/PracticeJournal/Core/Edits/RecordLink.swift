/// Which record of another array a row of the journal stands for: its score, study event, video or note.
///
/// Source: docs/spec/practice.md#which-record-a-row-stands-for.
enum RecordLink: Sendable, Equatable {
    /// The number of the record in its array.
    case found(Int)
    /// No record has the row's game and value.
    case none
    /// One has, but was written more than five seconds before or after the row.
    case tooFar
    /// The row has no value by which its record could be known.
    case noValue

    /// How long before or after its row a record may have been written, in milliseconds.
    static let reach = 5000.0

    /// Why there is no record, as answers have it.
    var reason: String? {
        switch self {
        case .found: nil
        case .none: "none"
        case .tooFar: "too-far"
        case .noValue: "no-value"
        }
    }
}

/// Finds the records of rows by what they hold, and never takes one of another row for it.
struct RecordLinker {
    private let document: PracticeDocument

    init(_ document: PracticeDocument) { self.document = document }

    /// The arrays in which a row of that action has a record, in the order in which answers name them.
    static func arrays(of action: RowAction) -> [PracticeArray] {
        switch action {
        case .scoreLogged: [.scoreEntries]
        case .rulesheetRead, .playfieldViewed, .practiceSession: [.studyEvents]
        case .tutorialWatch, .gameplayWatch: [.videoProgressEntries, .studyEvents]
        case .noteAdded: [.noteEntries]
        case .gameBrowse: []
        }
    }

    /// The record of a row in an array.
    ///
    /// - Parameter known: The id of the record, if it is known that it was written with the row.
    /// - Complexity: O(records of the array)
    func link(of row: JournalRow, in array: PracticeArray, known: String? = nil) -> RecordLink {
        if let known, let index = document.indices(of: array, id: known).first { return .found(index) }
        return switch array {
        case .scoreEntries: score(of: row)
        case .studyEvents: study(of: row)
        case .videoProgressEntries: video(of: row)
        case .noteEntries: note(of: row)
        case .journalEntries, .customGroups: .none
        }
    }

    private func score(of row: JournalRow) -> RecordLink {
        guard let score = row.score else { return .noValue }
        return nearest(row, document.scoreEntries) {
            $0.game == row.game && $0.context.text == row.scoreContext?.text
                && abs($0.score - score) <= 0.5 && $0.tournament.says(row.tournament)
        }
    }

    private func study(of row: JournalRow) -> RecordLink {
        guard let percent = row.percent else { return .noValue }
        let task = row.studyTask
        return nearest(row, document.studyEvents) {
            $0.game == row.game && $0.task?.text == task && $0.percent == percent
        }
    }

    private func video(of row: JournalRow) -> RecordLink {
        guard let value = row.videoValue?.trimmedOrNil else { return .noValue }
        return nearest(row, document.videoEntries) {
            $0.game == row.game && $0.kind?.text == row.videoKind?.text && $0.value?.trimmed == value
        }
    }

    private func note(of row: JournalRow) -> RecordLink {
        guard let note = row.note?.trimmedOrNil else { return .noValue }
        return nearest(row, document.noteEntries) {
            $0.game == row.game && $0.category?.text == row.noteCategory?.text
                && $0.detail.says(row.noteDetail) && $0.note?.trimmed == note
        }
    }

    /// The record nearest in time that fits, the first of several; of those without a time none.
    private func nearest<Record: PracticeRecord>(
        _ row: JournalRow, _ records: [Record], _ fits: (Record) -> Bool
    ) -> RecordLink {
        var best: (index: Int, distance: Double)?
        var isFound = false
        for (index, record) in records.enumerated() where fits(record) {
            isFound = true
            guard let one = row.time, let other = record.time else { continue }
            let distance = abs(one - other)
            if distance < best?.distance ?? .infinity { best = (index, distance) }
        }
        if let best, best.distance <= RecordLink.reach { return .found(best.index) }
        return isFound ? .tooFar : .none
    }
}

extension JournalRow {
    /// The task of the row's study event: its own, or that of its action.
    var studyTask: String? { task?.text ?? action?.known?.task?.rawValue }
}
