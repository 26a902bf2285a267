internal import PracticeJournal
internal import RecordFormat

/// The readers of league tables; the first byte of the input chooses the table.
struct LeagueFuzzing {
    private let table: UInt8
    private let bytes: [UInt8]
    private static let entry = "01KJA000000000000000000001"
    private static let now = Timestamp(milliseconds: 1_772_500_000_000)
    private static let library = """
        {"version":3,"items":[{"practice_identity":"GaB12","slug":"comet-racer","name":"Comet Racer","bank":1},
        {"practice_identity":"Gk9Xy","slug":"deep-reef","name":"Deep Reef","bank":2}]}
        """

    init(_ input: [UInt8]) {
        table = (input.first ?? 0) % 4
        bytes = Array(input.dropFirst())
    }

    func check() throws {
        let library = try JSONParser().withParsed(Array(Self.library.utf8)) { GameLibrary($0) }
        let findings: [Finding]
        let again: [Finding]
        switch table {
        case 0:
            let stats = LeagueStats(bytes)
            (findings, again) = (
                stats.findings, LeagueStats.findings(in: bytes, file: LeagueStats.fileName)
            )
            try requireNobody(stats.rows.map(\.player))
            if let player = stats.shown.first?.player { try requireImport(of: player, stats, library) }
        case 1:
            let standings = LeagueStandings(bytes)
            (findings, again) = (
                standings.findings, LeagueStandings.findings(in: bytes, file: LeagueStandings.fileName)
            )
            try requireNobody(standings.table.map(\.player))
            for place in standings.table {
                let around = standings.around(place.player)
                try require((1...5).contains(around?.rows.count ?? 0), "no rows around a player")
            }
        case 2:
            let targets = LeagueTargets(bytes, library: library)
            (findings, again) = (
                targets.findings, LeagueTargets.findings(in: bytes, file: LeagueTargets.fileName)
            )
            try require(targets.inOrder.count == targets.rows.count, "a target is lost")
        default:
            let redaction = NameRedaction(bytes)
            (findings, again) = (redaction.findings, redaction.findings)
            let isBroken = findings.contains { $0.rule == .leagueRowUnreadable }
            try require(redaction.redactsEverybody == isBroken, "a list that is not whole names somebody")
        }
        try require(findings == again, "without rows other findings")
        let places = PlaceCheck(Self.withLineFeeds(bytes))
        for finding in findings { try places.require(finding, mayBeWhole: true) }
    }

    /// The text with the line breaks of a table as those of a file of lines, each byte at its place.
    private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        var text = bytes
        for index in text.indices where text[index] == 0x0D {
            // Of two bytes that are one line break, the first is like any other byte.
            let isFirst = index + 1 < text.count && bytes[index + 1] == 0x0A
            text[index] = isFirst ? 0x20 : 0x0A
        }
        return text
    }

    /// Where nobody is to be named, no name is shown.
    private func requireNobody(_ players: [PlayerName]) throws {
        let redaction = NameRedaction(redactsEverybody: true)
        for player in players.prefix(50) where !player.isEmpty {
            try require(
                redaction.shown(player).wholeMatch(of: /Redacted [0-9A-F]{6}/) != nil, "a name is shown")
        }
    }

    /// What was imported is not imported again, and can be taken out.
    private func requireImport(of player: PlayerName, _ stats: LeagueStats, _ library: GameLibrary) throws {
        guard let entry = ULID(Self.entry) else { return }
        let source = LeagueSource(stats: stats, redaction: NameRedaction(), zone: .utc)
        func document(_ text: [UInt8]) throws -> PracticeDocument {
            let read = try PracticeReading(text, library: library, now: Self.now)
            guard let document = read.document else {
                throw Flaw(description: "an import leaves no document")
            }
            return document
        }
        func scores(_ document: PracticeDocument) throws -> LeagueImport {
            try source.scores(
                of: source.shown(NameRedaction().shown(player)), into: document, library: library,
                entry: entry,
                at: Self.now)
        }
        var written = try document(Array("{}".utf8))
        let made = try scores(written)
        written = try document(try written.applying(made.change))
        try require(written.scoreEntries.count == made.counts.imported, "a score is lost")
        let again = try scores(written).counts.imported
        try require(again == 0, "\(again) scores come twice")
        written = try document(try written.applying(written.purgingLeagueImports()))
        try require(written.scoreEntries.isEmpty && written.rows.isEmpty, "a purge leaves something")
    }
}
