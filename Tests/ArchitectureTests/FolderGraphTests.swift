import Foundation
import Testing

/// The folders of a module know each other in one direction: which of them is read first can be told.
///
/// A folder knows another one where a file of it names a type that is declared there. Members of extensions don't count, for a
/// name alone does not tell whose member it is.
struct FolderGraphTests {
    /// The modules whose folders know each other in both directions still.
    private static let exceptions: Set<String> = [
        "TraceCommands", "TraceConfiguration",
    ]

    /// That a file names a type of another folder.
    private struct Use: CustomStringConvertible {
        let file: String
        let type: String
        let declaration: String

        var description: String { "\(file) names \(type) of \(declaration)" }
    }

    /// Of each folder of a module, which others it knows, and by which file.
    private typealias Graph = [String: [String: Use]]

    @Test func `the folders of a module know each other in one direction`() throws {
        var circular: Set<String> = []
        for (module, files) in Dictionary(grouping: SourceFile.all, by: \.module) {
            guard let cycle = Self.cycle(in: try Self.graph(of: files)) else { continue }
            circular.insert(module)
            #expect(
                Self.exceptions.contains(module),
                "\(cycle.map(\.description).joined(separator: "\nand "))")
        }
        let clean = Self.exceptions.subtracting(circular).sorted()
        #expect(clean.isEmpty, "\(clean.joined(separator: ", ")): no exception any more")
    }

    @Test(arguments: [
        (["A/One.swift": "struct One {}", "B/Two.swift": "struct Two { var one: One }"], 0),
        (
            ["A/One.swift": "struct One { var two: Two }", "B/Two.swift": "extension One { struct Two {} }"],
            0
        ),
        (
            [
                "A/One.swift": "struct One { let two = Two() }",
                "B/Two.swift": "final class Two { var one: One? }",
            ], 2
        ),
        (
            [
                "A/One.swift": "/// ``Two``\nstruct One { let two = \"Two\" }",
                "B/Two.swift": "enum Two { case one(One) }",
            ], 0
        ),
        (
            [
                "A/One.swift": "struct One: Two {}", "B.swift": "protocol Two { var c: Three { get } }",
                "C/Three.swift": "struct Three { let one: One }",
            ], 3
        ),
    ])
    func `a cycle is found`(_ texts: [String: String], _ length: Int) throws {
        let files = texts.map { SourceFile(name: "Module/\($0)", text: $1) }
        #expect(Self.cycle(in: try Self.graph(of: files))?.count ?? 0 == length)
    }

    // MARK: - Who knows whom

    private static func graph(of files: [SourceFile]) throws -> Graph {
        // What begins a line is no type within another one.
        let declaration = try NSRegularExpression(
            pattern: #"^((?:[@\w]+ )*)(?:struct|class|enum|actor|protocol|typealias) (\w+)"#,
            options: .anchorsMatchLines)
        let nested = try NSRegularExpression(
            pattern: #"\b(?:struct|class|enum|actor|protocol|typealias) (\w+)"#)
        let name = try NSRegularExpression(pattern: #"(?<![\w.])[A-Z]\w*"#)
        let codes = try files.map { try code(of: $0.text) }
        var declarations: [String: SourceFile] = [:]
        for (file, code) in zip(files, codes) {
            for found in matches(declaration, in: code) where !found[1].contains("private") {
                declarations[found[2]] = file
            }
        }
        var graph: Graph = [:]
        for (file, code) in zip(files, codes) {
            let own = Set(matches(nested, in: code).map { $0[1] })
            for type in Set(matches(name, in: code).map { $0[0] }).subtracting(own).sorted() {
                guard let other = declarations[type], other.folder != file.folder,
                    graph[file.folder]?[other.folder] == nil
                else { continue }
                graph[file.folder, default: [:]][other.folder] = Use(
                    file: file.name, type: type, declaration: other.name)
            }
        }
        return graph
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
    private static func cycle(in graph: Graph) -> [Use]? {
        for start in graph.keys.sorted() {
            var reached: Set<String> = []
            var waiting: [(folder: String, way: [Use])] = [(start, [])]
            while !waiting.isEmpty {
                let (folder, way) = waiting.removeFirst()
                for (next, use) in (graph[folder] ?? [:]).sorted(by: { $0.key < $1.key }) {
                    if next == start { return way + [use] }
                    if reached.insert(next).inserted { waiting.append((next, way + [use])) }
                }
            }
        }
        return nil
    }
}
