/// What rows of the older shape are compared with.
protocol LegacyDated {
    var game: String { get }
    /// Milliseconds since 1970.
    var time: Double { get }
}

struct LegacyScore: LegacyDated {
    let game: String
    let time: Double
    let score: Double
    let context: String
    let tournament: String?

    /// `tournament:<name>` says both.
    static func context(_ text: String) -> (context: String, tournament: String?) {
        let text = text.trimmed
        let prefix = ScoreContext.tournament.rawValue + ":"
        if text.hasPrefix(prefix) {
            return (ScoreContext.tournament.rawValue, text.dropFirst(prefix.count).trimmedOrNil)
        }
        return (text.isEmpty ? ScoreContext.practice.rawValue : text, nil)
    }
}

struct LegacyNote: LegacyDated {
    let game: String
    let time: Double
    let category: String
    let detail: String?
    let note: String
}

/// Records that are asked for by game and time.
struct NearestRecords<Record: LegacyDated> {
    private var records: [Record] = []
    /// The numbers of a game's records; by time, those of one time in their order, once they are asked for.
    private var byGame: [String: [Int]] = [:]
    private var isSorted = true

    mutating func add(_ record: Record) {
        byGame[record.game, default: []].append(records.count)
        records.append(record)
        isSorted = false
    }

    /// The one of the game that is nearest in time, the first of equals.
    ///
    /// - Complexity: O(log records), but for the first call.
    mutating func nearest(_ game: String, _ time: Double) -> Record? {
        if !isSorted {
            for (game, numbers) in byGame {
                byGame[game] = numbers.sorted { (records[$0].time, $0) < (records[$1].time, $1) }
            }
            isSorted = true
        }
        guard let numbers = byGame[game] else { return nil }
        let after = start(of: time, in: numbers)
        var candidates = numbers.indices.contains(after) ? [numbers[after]] : []
        if after > 0 { candidates.append(numbers[start(of: records[numbers[after - 1]].time, in: numbers)]) }
        return candidates.min { (abs(records[$0].time - time), $0) < (abs(records[$1].time - time), $1) }
            .map { records[$0] }
    }

    /// Where the first is that is not before a time.
    private func start(of time: Double, in numbers: [Int]) -> Int {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if records[numbers[middle]].time < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
