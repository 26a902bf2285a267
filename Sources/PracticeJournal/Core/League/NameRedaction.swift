internal import Crypto
package import RecordFormat

/// Which players are not to be named: they are shown as `Redacted` and a few digits, everywhere but in the files.
///
/// It keeps digests of the names and not the names, and shows nothing of itself.
///
/// Source: practice.md, section 10, "redaction".
package struct NameRedaction: Sendable {
    private let digests: Set<[UInt8]>
    /// What is wrong with the list: a row that can't be read redacts nobody.
    package let findings: [Finding]

    /// Shows every name.
    package init() {
        digests = []
        findings = []
    }

    /// - Parameters:
    ///   - bytes: A table with a column `name`, `player` or `player_name`; without one, the first column has names from the
    ///     first row on.
    ///   - file: Its name in findings.
    package init(_ bytes: [UInt8], file: String = "redacted_players.csv") {
        var table = LeagueTable(bytes, file: file, required: [])
        let known = ["name", "player", "player_name"].first(where: table.hasColumn)
        let column = known ?? "name"
        if known == nil { table = LeagueTable(bytes, file: file, firstColumn: column) }
        var digests: Set<[UInt8]> = []
        while let row = table.next() {
            let name = table.text(column, of: row)
            if !name.isEmpty { digests.insert(Self.digest(of: name)) }
        }
        self.digests = digests
        findings = table.findings
    }

    /// What people see of a name.
    package func shown(_ name: PlayerName) -> String {
        if digests.isEmpty { return name.text }
        let digest = Self.digest(of: name.text)
        guard digests.contains(digest) else { return name.text }
        return "Redacted " + digest.prefix(3).map(Self.hexadecimal).joined()
    }

    private static func digest(of name: String) -> [UInt8] {
        var hash = SHA256()
        hash.update(text: "pinball-app-redaction-v1:" + key(of: name))
        return Array(hash.finalize())
    }

    /// By what names are the same person's, however they are written.
    private static func key(of name: String) -> String {
        name.withoutDiacritics.lowercased().withSingleSpaces
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
