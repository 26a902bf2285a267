import Foundation
import TestSupport

/// Which folders of a module know which others, and by which file.
///
/// A folder knows another one where a file of it names a type that is declared there. Members of extensions don't count, for a
/// name alone does not tell whose member it is.
struct FolderGraph {
    /// That a file names a type of another folder.
    struct Use: CustomStringConvertible {
        let file: String
        let type: String
        let declaration: String

        var description: String { "\(file) names \(type) of \(declaration)" }
    }

    /// Of each folder that knows others, these.
    let uses: [String: [String: Use]]

    // MARK: - Who knows whom

    init(of files: [SourceFile]) throws {
        // What begins a line is no type within another one.
        let declaration = try NSRegularExpression(
            pattern: #"^((?:[@\w]+ )*)(?:struct|class|enum|actor|protocol|typealias) (\w+)"#,
            options: .anchorsMatchLines)
        let nested = try NSRegularExpression(
            pattern: #"\b(?:struct|class|enum|actor|protocol|typealias) (\w+)"#)
        let name = try NSRegularExpression(pattern: #"(?<![\w.])[A-Z]\w*"#)
        let codes = try files.map { try Self.code(of: $0.text) }
        var declarations: [String: SourceFile] = [:]
        for (file, code) in zip(files, codes) {
            for found in Self.matches(declaration, in: code) where !found[1].contains("private") {
                declarations[found[2]] = file
            }
        }
        var uses: [String: [String: Use]] = [:]
        for (file, code) in zip(files, codes) {
            let own = Set(Self.matches(nested, in: code).map { $0[1] })
            for type in Set(Self.matches(name, in: code).map { $0[0] }).subtracting(own).sorted() {
                guard let other = declarations[type], other.folder != file.folder,
                    uses[file.folder]?[other.folder] == nil
                else { continue }
                uses[file.folder, default: [:]][other.folder] = Use(
                    file: file.name, type: type, declaration: other.name)
            }
        }
        self.uses = uses
    }

    /// A file without its comments and the texts in quotes; a quote within a text may stand in an interpolation.
    private static func code(of text: String) throws -> String {
        let quoted = ##"(?:[^()"]|"[^"\n]*")"##
        let interpolation = ##"\\\((?:"## + quoted + ##"|\("## + quoted + ##"*\))*\)"##
        let pattern =
            ##"//[^\n]*|/\*[\s\S]*?\*/|(#*)"""[\s\S]*?"""\1|(#+)"[^\n]*?"\2|"(?:"## + interpolation
            + ##"|\\.|[^"\\\n])*""##
        let skipped = try NSRegularExpression(pattern: pattern)
        return skipped.stringByReplacingMatches(
            in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "")
    }

    /// Of each place where it matches, the whole and the groups.
    private static func matches(_ expression: NSRegularExpression, in text: String) -> [[String]] {
        expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (0..<match.numberOfRanges).map { group in
                Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
            }
        }
    }

    // MARK: - In both directions

    /// Uses that lead from a folder back to it, or nil.
    var cycle: [Use]? {
        for start in uses.keys.sorted() {
            var reached: Set<String> = []
            var waiting: [(folder: String, way: [Use])] = [(start, [])]
            while !waiting.isEmpty {
                let (folder, way) = waiting.removeFirst()
                for (next, use) in (uses[folder] ?? [:]).sorted(by: { $0.key < $1.key }) {
                    if next == start { return way + [use] }
                    if reached.insert(next).inserted { waiting.append((next, way + [use])) }
                }
            }
        }
        return nil
    }
}
