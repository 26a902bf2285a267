internal import Foundation
internal import Testing

/// The keys that a section of `docs/cli-json.md` lists.
package struct DocumentedKeys {
    /// By name: `a`, `a.b` for a key of an object in `a`, `a[].b` for one of each object in the array `a`.
    package let keys: [String: Key]

    /// What the page says of a key.
    package struct Key: Sendable, Hashable {
        /// As it is written there: `string`, `string or null`.
        package let type: String
        package let isAlwaysThere: Bool

        package init(type: String, isAlwaysThere: Bool) {
            self.type = type
            self.isAlwaysThere = isAlwaysThere
        }
    }

    /// Reads the section of a command.
    ///
    /// - Parameter command: As the heading names it: `trace session show`.
    package init(of command: String) throws {
        let page = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/cli-json.md")
        let sections = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## ")
        let section = try #require(
            sections.first { $0.prefix { $0 != "\n" }.contains("`\(command)`") }, "no section on \(command)")
        var keys: [String: Key] = [:]
        for line in section.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for name in cells[0].matches(of: #/`([^`]+)`/#) {
                keys[String(name.output.1)] = Key(type: cells[1], isAlwaysThere: cells[2] == "yes")
            }
        }
        self.keys = keys
    }
}
