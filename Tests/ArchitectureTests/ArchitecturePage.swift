import Foundation
import TestSupport

/// The tables of `docs/architecture.md`.
enum ArchitecturePage {
    /// The cells of each row of a table; no rows if there is no such table.
    ///
    /// - Parameter heads: Its first line.
    static func rows(below heads: String) throws -> [[String]] {
        let page = try String(
            contentsOf: SourceFile.root.appending(path: "docs/architecture.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0 == heads }) else { return [] }
        return lines.dropFirst(start + 2).prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map(String.init)
        }
    }
}
