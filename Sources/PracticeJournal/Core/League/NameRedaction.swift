package import RecordFormat
internal import TraceCrypto

/// Which players are not to be named: they are shown as `Redacted` and a few digits, everywhere but in the files.
///
/// It keeps digests of the names and not the names, and shows nothing of itself. Of a list that can't be read whole it is unknown
/// whom it has, and so everybody is redacted.
///
/// Source: docs/spec/practice.md#redaction.
package struct NameRedaction: Sendable {
    private let digests: Set<[UInt8]>
    /// Whether nobody is to be named.
    package let redactsEverybody: Bool
    /// What is wrong with the list.
    package let findings: [Finding]

    static let fileName = "redacted_players.csv"

    /// Shows every name, or none: where the list is there and can't be read.
    package init(redactsEverybody: Bool = false) {
        digests = []
        self.redactsEverybody = redactsEverybody
        findings = []
    }

    /// - Parameters:
    ///   - bytes: A table with a column `name`, `player` or `player_name`; without one, the first column has names from the
    ///     first row on.
    ///   - file: Its name in findings.
    package init(_ bytes: [UInt8], file: String = NameRedaction.fileName) {
        var table = LeagueTable(bytes, file: file, required: [])
        let columns = ["name", "player", "player_name"]
        let known = columns.first(where: table.hasColumn)
        if known == nil,
            let finding = LeagueTable.finding(ofSeparatorIn: bytes, file: file, columns: columns)
        {
            // Names with more behind them would be those of nobody.
            digests = []
            findings = [finding]
            redactsEverybody = true
            return
        }
        let column = known ?? "name"
        if known == nil { table = LeagueTable(bytes, file: file, firstColumn: column) }
        var digests: Set<[UInt8]> = []
        while let row = table.next() {
            let name = table.text(column, of: row)
            if !name.isEmpty {
                digests.insert(Self.digest(of: name))
                // 'Doe, Jane' is one name and two fields; that a field too many makes another name, too, does no harm.
                if let whole = table.textWithComma(column, of: row) { digests.insert(Self.digest(of: whole)) }
            } else if !table.hasField(column, in: row) {
                table.report(.leagueRowUnreadable, row, column: column, "the row has no name")
            }
        }
        self.digests = digests
        findings = table.findings
        redactsEverybody = findings.contains { $0.rule == .leagueRowUnreadable }
    }

    private init(_ digests: Set<[UInt8]>, redactsEverybody: Bool, _ findings: [Finding]) {
        self.digests = digests
        self.redactsEverybody = redactsEverybody
        self.findings = findings
    }

    /// Redacts whom either of the two redacts.
    func joined(with other: NameRedaction) -> NameRedaction {
        NameRedaction(
            digests.union(other.digests), redactsEverybody: redactsEverybody || other.redactsEverybody,
            findings + other.findings)
    }

    /// What people see of a name.
    package func shown(_ name: PlayerName) -> String {
        redactedDigest(of: name).map(Self.label) ?? name.text
    }

    /// What people see of a name in a text that anybody may have written: of one that is redacted no digits, which would say who is meant by
    /// them elsewhere.
    func shownOrNobody(_ name: PlayerName) -> String {
        redactedDigest(of: name) == nil || Self.isLabel(name.text) ? name.text : Self.labelStart.trimmed
    }

    /// Nil for a name that is shown.
    private func redactedDigest(of name: PlayerName) -> [UInt8]? {
        if digests.isEmpty && !redactsEverybody || name.isEmpty { return nil }
        let digest = Self.digest(of: name.text)
        return redactsEverybody || digests.contains(digest) ? digest : nil
    }

    /// What people see of a name that is redacted.
    private static func label(_ digest: [UInt8]) -> String {
        labelStart + digest.prefix(3).map(hexadecimal).joined()
    }

    private static let labelStart = "Redacted "

    private static func isLabel(_ text: String) -> Bool {
        guard text.hasPrefix(labelStart) else { return false }
        let digits = text.dropFirst(labelStart.count).utf8
        let known = "0123456789ABCDEF".utf8
        return digits.count == 6 && digits.allSatisfy(known.contains)
    }

    /// The player that is meant: by the name, or by what is shown instead of it.
    ///
    /// - Parameter players: Those of the table.
    /// - Complexity: O(1) for a name, O(players) for what is shown instead of one.
    package func player(_ typed: String, among players: some Sequence<PlayerName>) -> PlayerName {
        let wanted = typed.withSingleSpaces.lowercased()
        guard wanted.hasPrefix(Self.labelStart.lowercased()) else { return PlayerName(typed) }
        var seen: Set<PlayerName> = []
        for player in players where seen.insert(player).inserted {
            if Self.label(Self.digest(of: player.text)).lowercased() == wanted { return player }
        }
        return PlayerName(typed)
    }

    /// The player whom people see under a name; nil if nobody is seen so. One who is redacted is not found by the name itself: the answer
    /// would say who is meant by what is shown instead.
    ///
    /// - Parameter players: Those of the table.
    /// - Complexity: O(players).
    func player(shownAs typed: String, among players: some Sequence<PlayerName>) -> PlayerName? {
        let wanted = PlayerName(typed)
        var seen: Set<PlayerName> = []
        return players.first { seen.insert($0).inserted && PlayerName(shown($0)) == wanted }
    }

    /// The player who was most likely meant by a name that nobody is shown by: one who is redacted is not, whatever was typed.
    ///
    /// - Parameter players: Those of the table.
    /// - Returns: Nil if nobody's name is near.
    func shownName(near typed: PlayerName, among players: some Sequence<PlayerName>) -> String? {
        var seen: Set<PlayerName> = []
        let shown = players.filter { seen.insert($0).inserted && redactedDigest(of: $0) == nil }
        return NearName.nearest(to: typed.text, among: shown.lazy.map(\.text))
    }

    private static func digest(of name: String) -> [UInt8] {
        var hash = SHA256()
        hash.update(text: "pinball-app-redaction-v1:" + PlayerName.key(of: name))
        return hash.finalize()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

extension NameRedaction: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a list of names" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
