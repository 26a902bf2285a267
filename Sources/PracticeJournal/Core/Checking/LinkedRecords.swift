/// What rows of the journal may stand for: asked for every row, so that it is looked up, and not searched for.
///
/// It says of the same records that they belong to a row as ``RecordLinker`` does, whenever they were written.
struct LinkedRecords {
    private struct Key: Hashable {
        let game: String
        let first: String
        let second: String
        var third = ""
    }

    private var studyEvents: Set<Key> = []
    private var videos: Set<Key> = []
    private var notes: Set<Key> = []
    /// In order.
    private var scores: [Key: [Double]] = [:]

    init(_ document: PracticeDocument) {
        for event in document.studyEvents {
            guard let percent = event.percent else { continue }
            studyEvents.insert(Self.study(event.game, event.task?.text, percent))
        }
        for video in document.videoEntries {
            videos.insert(Self.video(video.game, video.kind?.text, video.value ?? ""))
        }
        for note in document.noteEntries {
            notes.insert(Self.note(note.game, note.category?.text, note.detail, note.note ?? ""))
        }
        for score in document.scoreEntries {
            scores[Self.score(score.game, score.context.text, score.tournament), default: []].append(
                score.score)
        }
        scores = scores.mapValues { $0.sorted() }
    }

    /// The array that has no record for the row though the row has a value; nil if there is one, or none is needed.
    func missing(of row: JournalRow) -> PracticeArray? {
        switch row.action?.known {
        case .scoreLogged:
            guard let score = row.score else { return nil }
            let key = Self.score(row.game, row.scoreContext?.text, row.tournament)
            return hasScore(near: score, scores[key] ?? []) ? nil : .scoreEntries
        case .rulesheetRead, .playfieldViewed, .practiceSession: return missingStudyEvent(of: row)
        case .tutorialWatch, .gameplayWatch:
            if let value = row.videoValue?.trimmedOrNil,
                !videos.contains(Self.video(row.game, row.videoKind?.text, value))
            {
                return .videoProgressEntries
            }
            return missingStudyEvent(of: row)
        case .noteAdded:
            guard let note = row.note?.trimmedOrNil else { return nil }
            let key = Self.note(row.game, row.noteCategory?.text, row.noteDetail, note)
            return notes.contains(key) ? nil : .noteEntries
        case .gameBrowse, nil: return nil
        }
    }

    private func missingStudyEvent(of row: JournalRow) -> PracticeArray? {
        guard let percent = row.percent else { return nil }
        return studyEvents.contains(Self.study(row.game, row.studyTask, percent)) ? nil : .studyEvents
    }

    private func hasScore(near score: Double, _ sorted: [Double]) -> Bool {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < score - 0.5 { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low] <= score + 0.5
    }

    private static func study(_ game: String, _ task: String?, _ percent: Int) -> Key {
        Key(game: game, first: task ?? "", second: String(percent))
    }

    private static func video(_ game: String, _ kind: String?, _ value: String) -> Key {
        Key(game: game, first: kind ?? "", second: value.trimmed)
    }

    private static func note(_ game: String, _ category: String?, _ detail: String?, _ note: String) -> Key {
        Key(game: game, first: category ?? "", second: said(detail), third: note.trimmed)
    }

    private static func score(_ game: String, _ context: String?, _ tournament: String?) -> Key {
        Key(game: game, first: context ?? "", second: said(tournament))
    }

    private static func said(_ text: String?) -> String { text.map { $0.trimmed.lowercased() } ?? "" }
}
