/// The times of league scores that were imported: an app moves them to the evening of their day where the phone is, at every journey.
///
/// Source: docs/spec/practice.md#what-a-device-says.
extension SyncState {
    /// What a device says, without the times that it has only moved so.
    ///
    /// - Parameter known: What is known so far, which has the times that stay.
    /// - Complexity: O(what is said), and once O(what is known) if the time of a row is.
    package func withoutMovedTimes(knowing known: SyncState) -> SyncState {
        var left = self
        var scores: Set<ImportedScore>?
        for array in Self.moved {
            for (key, record) in records[array] ?? [:] {
                guard let time = record.members[array.timeName]?.text?.numberOfJSON,
                    let ours = known.records[array]?[key]?.members.present,
                    let kept = ours[array.timeName]?.numberOfJSON, abs(time - kept) < Self.journey
                else { continue }
                var isImported = ours.isLeagueImport
                if !isImported, array == .journalEntries, let score = ImportedScore(ours) {
                    let imported = scores ?? known.importedScores
                    scores = imported
                    isImported = imported.contains(score)
                }
                if isImported { left.unsay(array.timeName, in: key, array) }
            }
        }
        return left
    }

    /// Whether a record differs from what is known of it by no more than its time, and that is one which an app moves.
    func isMovedTime(_ change: MergeChange, from values: DocumentValues) -> Bool {
        guard change.kind == .changed, let array = change.array, Self.moved.contains(array),
            let there = values.records[array]?[change.name]
        else { return false }
        let known = records[array]?[change.name]?.members.present ?? [:]
        let stamp = SyncStamp(milliseconds: 0, device: SyncStamp.documentDevice)
        var said = SyncState()
        for (name, text) in there where known[name].map(text.isSameJSON) != true {
            said.say(Register(stamp: stamp, text: text), of: name, in: change.name, array)
        }
        return !said.isEmpty && Set(known.keys).isSubset(of: there.keys)
            && said.withoutMovedTimes(knowing: self).isEmpty
    }

    private static let moved: [PracticeArray] = [.scoreEntries, .journalEntries]
    /// How far an app moves a time at most, in milliseconds.
    private static let journey: Double = 48 * 3_600_000

    private var importedScores: Set<ImportedScore> {
        Set(
            (records[.scoreEntries] ?? [:]).values.map(\.members.present).filter(\.isLeagueImport)
                .compactMap(ImportedScore.init))
    }
}

/// By what a row is known to be that of a score: Android's rows have no note.
private struct ImportedScore: Hashable {
    let game: String
    let score: Double
    let time: Double

    init?(_ members: DocumentValues.Members) {
        guard let game = members["gameID"]?.stringOfJSON, let score = members["score"]?.numberOfJSON,
            let time = members["timestamp"]?.numberOfJSON
        else { return nil }
        self.game = game
        self.score = score
        self.time = time
    }
}

extension DocumentValues.Members {
    /// Whether they are those of an imported score, or of its row.
    fileprivate var isLeagueImport: Bool {
        if self["leagueImported"]?.elementsEqual("true".utf8) == true { return true }
        return self["scoreContext"]?.stringOfJSON == ScoreContext.league.rawValue
            && self["note"]?.stringOfJSON?.lowercased().contains(LeagueImport.note.lowercased()) == true
    }
}
