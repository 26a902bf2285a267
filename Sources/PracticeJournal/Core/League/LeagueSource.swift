package import RecordFormat

/// From where an import takes its scores.
package struct LeagueSource: Sendable {
    let stats: LeagueStats
    /// Which games the machines are, as the league says it.
    let mappings: MachineMappings
    /// By which the player is named.
    let redaction: NameRedaction
    /// That in which the days of the table begin.
    let zone: ZoneRules

    package init(stats: LeagueStats, redaction: NameRedaction, zone: ZoneRules) {
        self.init(stats: stats, mappings: MachineMappings(), redaction: redaction, zone: zone)
    }

    init(stats: LeagueStats, mappings: MachineMappings, redaction: NameRedaction, zone: ZoneRules) {
        self.stats = stats
        self.mappings = mappings
        self.redaction = redaction
        self.zone = zone
    }

    /// What people see of a player.
    ///
    /// - Parameter player: The name, or what is shown instead of it.
    package func shown(_ player: String) -> String {
        redaction.shown(self.player(player))
    }

    private func player(_ typed: String) -> PlayerName {
        let player = redaction.player(typed, among: stats.rows.lazy.map(\.player))
        return PlayerName(player.text.trimmed)
    }

    /// What people see of the player who was most likely meant by a name that nobody has.
    func shownName(near typed: String) -> String? {
        redaction.shownName(near: PlayerName(typed), among: stats.rows.lazy.map(\.player))
    }

    /// Takes a player's scores into a document. One who is redacted is not found by the name itself, which anybody may have written into an entry or
    /// into the settings: the scores, and the row that tells of them, would say who is meant by what is shown instead.
    ///
    /// - Parameter player: As answers show them; nil for the player of the document's settings.
    /// - Throws: ``WriteRejection`` if nobody is named, or shown so, or the table lacks a column.
    package func scores(
        of player: String?, into document: PracticeDocument, library: GameLibrary, entry: ULID,
        at now: Timestamp
    ) throws(WriteRejection) -> LeagueImport {
        if let finding = stats.refusal {
            throw WriteRejection("league/\(LeagueStats.fileName) can't be read: \(finding.message).")
        }
        guard let typed = (player ?? document.settings.ownPlayer).trimmedOrNil else {
            throw .player
        }
        guard let player = redaction.player(shownAs: typed, among: stats.rows.lazy.map(\.player)) else {
            throw WriteRejection("No player is shown by that name in league/\(LeagueStats.fileName).")
        }
        let isNamed = PlayerName(typed) == player
        // The newest app names people by their first name and a letter; one who is redacted is nobody's namesake.
        let name =
            isNamed
            ? (library.hasCatalogue && redaction.shown(player) == player.text ? nil : typed)
            : redaction.shown(player)
        return try LeagueImport(
            of: player.text, shownAs: name, from: stats, games: MachineMatcher(library, mappings),
            into: document, library: library, zone: zone, entry: entry, at: now)
    }
}

extension PracticeSettings {
    /// Whom the journal is of, as league tables name them; empty if it does not say.
    var ownPlayer: String { leaguePlayer.isBlank ? player : leaguePlayer }
}

extension JournalRow {
    /// The row as people see it: what an app noted of an import names the player, who may be one to redact. Then no digits are shown either:
    /// anybody who may write a note could read in it what is shown instead of a name.
    package func shown(by redaction: NameRedaction) -> JournalRow {
        guard let note, let start = LeagueImport.summaryStart(in: note) else { return self }
        // An app may have more behind the name, and a name may have a colon: the longest that is redacted counts.
        let ends = LeagueImport.nameEnds(in: note, from: start)
        for end in redaction.redactsEverybody ? ends.prefix(1) : ends[...] {
            let name = note[start..<end]
            let shown = redaction.shownOrNobody(PlayerName(String(name)))
            guard shown != name else { continue }
            var row = self
            row.note = note[..<start] + shown + note[end...]
            return row
        }
        return self
    }
}

extension LeagueImport {
    /// Where a name begins in the note of a row that says what came, however an app has written the words before it; nil for any other
    /// note.
    fileprivate static func summaryStart(in note: String) -> String.Index? {
        var rest = note[...]
        for word in summaryStart.split(separator: " ") {
            rest = rest.drop(while: \.isWhitespace)
            let end = rest.firstIndex(where: \.isWhitespace) ?? rest.endIndex
            guard rest[..<end].lowercased() == word.lowercased() else { return nil }
            rest = rest[end...]
        }
        rest = rest.drop(while: \.isWhitespace)
        return rest.isEmpty ? nil : rest.startIndex
    }

    /// Where the name may end, what is most likely first: before the last colon, or at the end of any word.
    fileprivate static func nameEnds(in note: String, from start: String.Index) -> [String.Index] {
        let rest = note[start...]
        let likely = rest.lastIndex(of: ":") ?? rest.endIndex
        let ends = rest.indices.filter { index in
            !rest[index].isWhitespace && !rest[index].isPunctuation
                && (rest.index(after: index) == rest.endIndex
                    || rest[rest.index(after: index)].isWhitespace
                    || rest[rest.index(after: index)].isPunctuation)
        }.map { rest.index(after: $0) }
        return [likely] + ends.prefix(nameWordLimit).reversed()
    }

    /// After how many words no name ends any more.
    private static let nameWordLimit = 12
}
