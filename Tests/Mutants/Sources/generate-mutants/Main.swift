import Foundation
import MutantSites

/// Puts switches into the source files of a tree and prints, as JSON, what each of them does.
///
/// `generate-mutants TREE SEED COUNT DROPPED FILE…`: DROPPED is a file with one name of a mutant a line that must not be
/// taken, because the compiler does not take it; each FILE is relative to TREE.
@main struct GenerateMutants {
    struct Mutant: Encodable {
        var number: Int
        var name: String
        var file: String
        var function: String
        var change: String
        var original: String
        var mutated: String
        var line: Int
        var lastLine: Int
        var functionLine: Int
        var functionLastLine: Int
    }
    struct Answer: Encodable {
        var mutants: [Mutant]
        /// The names of all sites, taken or not.
        var names: [String]
    }

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 4, let seed = UInt64(arguments[1]), let count = Int(arguments[2]) else {
            FileHandle.standardError.write(
                Data("usage: generate-mutants TREE SEED COUNT DROPPED FILE...\n".utf8))
            exit(64)
        }
        let tree = URL(filePath: arguments[0])
        let dropped = Set(
            try String(contentsOf: URL(filePath: arguments[3]), encoding: .utf8).split(separator: "\n").map(
                String.init))

        var sources: [String: String] = [:]
        var found: [(name: String, file: String, site: MutantSite, rank: Double)] = []
        for file in arguments[4...] {
            let source = try String(contentsOf: tree.appending(path: file), encoding: .utf8)
            sources[file] = source
            var seen: [String: Int] = [:]
            for site in SiteFinder.sites(in: source) {
                let name = "\(file) \(site.name)"
                let times = seen[name, default: 0] + 1
                seen[name] = times
                let unique = times == 1 ? name : "\(name) (\(times))"
                found.append((unique, file, site, Sample.rank(unique, site.change, seed: seed)))
            }
        }
        let taken = found.filter { !dropped.contains($0.name) }
            .sorted { $0.rank < $1.rank }
            .prefix(count).enumerated().map {
                (number: $0.offset + 1, name: $0.element.name, file: $0.element.file, site: $0.element.site)
            }

        for (file, mutants) in Dictionary(grouping: taken, by: \.file) {
            let source = sources[file] ?? ""
            let text = MutantSite.rewrite(source, mutants.map { ($0.number, $0.site) })
            try Data(text.utf8).write(to: tree.appending(path: file))
        }
        let mutants = taken.map { number, name, file, site in
            Mutant(
                number: number, name: name, file: file, function: site.function, change: site.change.rawValue,
                original: site.original, mutated: site.mutated, line: site.lines.lowerBound,
                lastLine: site.lines.upperBound, functionLine: site.functionLines.lowerBound,
                functionLastLine: site.functionLines.upperBound)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        FileHandle.standardOutput.write(
            try encoder.encode(Answer(mutants: mutants, names: found.map(\.name))))
    }
}
