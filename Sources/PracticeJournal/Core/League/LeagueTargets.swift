package import RecordFormat

/// What is a good score of a game.
///
/// Source: docs/spec/practice.md#targets.
package struct LeagueTarget: Sendable {
    /// By what the game was found in the library.
    package enum Match: String, Sendable {
        /// Its name, or another one that it is known by.
        case exact
        /// A part of the name.
        case loose
        /// No game of the library has it.
        case none
    }

    /// As the table names it.
    package let game: String
    /// The average of those who came second; a great score.
    package let great: Double
    /// Of those who came fourth.
    package let main: Double
    /// Of those who came eighth; what is to be scored at least.
    package let floor: Double
    package let match: Match
    /// The key of the library's game.
    let key: String?
    /// The bank of the library's game.
    package let bank: Int?
    /// The place in the library: by group and position, behind these by the order of the library. Nil without a game.
    package let order: Int?
}

/// The targets of a league: its table, or what the newest app has made of it.
package struct LeagueTargets: Sendable {
    /// In the order of the table.
    package let rows: [LeagueTarget]
    package let findings: [Finding]
    /// Whether the rows say themselves of which games and banks they are.
    private let isResolved: Bool

    package static let fileName = "LPL_Targets.csv"

    /// - Parameter file: Its name in findings.
    /// - Complexity: O(size · games of the library)
    package init(_ bytes: [UInt8], file: String = LeagueTargets.fileName, library: GameLibrary) {
        self.init(bytes, file: file, games: MachineMatcher(library))
    }

    init(_ bytes: [UInt8], file: String = LeagueTargets.fileName, games matcher: MachineMatcher) {
        isResolved = false
        var rows: [LeagueTarget] = []
        findings = Self.read(bytes, file: file) { name, scores in
            let found = matcher.target(MachineKey(name))
            let game = found?.game
            rows.append(
                LeagueTarget(
                    game: name, great: scores.great, main: scores.main, floor: scores.floor,
                    match: found?.match ?? .none, key: game?.key, bank: game?.bank,
                    order: found.flatMap { found in found.index.map { Self.order(found.game, $0) } }))
        }
        self.rows = rows
    }

    /// What the newest app has made of the table; nil if nothing is in it.
    ///
    /// - Parameter bytes: `lpl_targets_resolved_v1.json`.
    init?(resolved bytes: [UInt8], library: GameLibrary) {
        let rows = try? JSONParser().withParsed(bytes) { root -> [LeagueTarget]? in
            guard root[name: "version"]?.integer ?? 0 >= 1 else { return nil }
            return root.list("items").compactMap { Self.resolved($0, library) }
        }
        guard let rows, !rows.isEmpty else { return nil }
        self.rows = rows
        findings = []
        isResolved = true
    }

    /// Nil for a row that lacks what it is read by.
    private static func resolved(_ item: JSONValue, _ library: GameLibrary) -> LeagueTarget? {
        func score(_ name: StaticString) -> Double? { item[name: name]?.number }
        guard let name = item.text("game"), let order = item.integer("order"),
            let great = score("second_highest_avg"), let main = score("fourth_highest_avg"),
            let floor = score("eighth_highest_avg")
        else { return nil }
        let key = library.key(
            identity: item.said("practice_identity"), machine: item.said("opdb_id"))
        return LeagueTarget(
            game: name, great: great, main: main, floor: floor, match: key == nil ? .none : .exact, key: key,
            bank: item.integer("bank"), order: order)
    }

    /// The target of a game; of several rows that the newest app has made the last, else the first whose name is the game's.
    func target(of key: String) -> LeagueTarget? {
        let found = rows.filter { $0.key == key }
        return isResolved ? found.last : found.first { $0.match == .exact } ?? found.first
    }

    /// What is wrong with a table, of which no row is kept.
    package static func findings(in bytes: [UInt8], file: String) -> [Finding] {
        read(bytes, file: file) { _, _ in }
    }

    private typealias Scores = (great: Double, main: Double, floor: Double)

    /// - Returns: What is wrong with the table.
    private static func read(
        _ bytes: [UInt8], file: String, _ take: (_ game: String, Scores) -> Void
    ) -> [Finding] {
        let columns = ["second_highest_avg", "fourth_highest_avg", "eighth_highest_avg"]
        var table = LeagueTable(bytes, file: file, required: (["game"] + columns).map { [$0] })
        while let row = table.next() {
            let name = table.text("game", of: row)
            guard !name.isEmpty else {
                table.report(.leagueRowUnreadable, row, column: "game", "the row has no game")
                continue
            }
            guard let great = table.number(columns[0], of: row), let main = table.number(columns[1], of: row),
                let floor = table.number(columns[2], of: row)
            else { continue }
            take(name, (great, main, floor))
        }
        return table.findings
    }

    private static func order(_ game: GameLibrary.Game, _ index: Int) -> Int {
        guard let group = game.group, let position = game.position else { return 100_000 + index }
        let (high, isOverflown) = group.multipliedReportingOverflow(by: 1000)
        let (sum, isOver) = high.addingReportingOverflow(position)
        return isOverflown || isOver ? 100_000 + index : sum
    }

    /// In the order of the library; games that it does not have at the end, as the table has them.
    package var inOrder: [LeagueTarget] {
        rows.sorted { one, other in
            let orders = (one.order ?? .max, other.order ?? .max)
            return orders.0 == orders.1 && isResolved ? one.game < other.game : orders.0 < orders.1
        }
    }
}
