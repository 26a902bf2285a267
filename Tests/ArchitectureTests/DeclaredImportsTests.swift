import Foundation
import TestSupport
import Testing

/// A target that imports a module of ours without saying so in `Package.swift` is not built again when that module changes, and then has
/// another idea of its types.
struct DeclaredImportsTests {
    /// A target as `Package.swift` has it.
    private struct Target {
        let name: String
        let folder: String
        let dependencies: Set<String>
    }

    private static let targets: [Target] = {
        let text =
            (try? String(contentsOf: SourceFile.root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
        let kinds = #/\.(testTarget|executableTarget|target)\(\s*name: "(\w+)"/#
        return text.split(separator: "\n        .").map { "." + $0 }.compactMap { block in
            guard let match = block.prefixMatch(of: kinds) else { return nil }
            let name = String(match.2)
            let path = block.firstMatch(of: #/path: "([\w\/]+)"/#).map { String($0.1) }
            // What comes behind the dependencies are settings.
            let list = block.prefix(upTo: block.firstRange(of: "wiftSettings")?.lowerBound ?? block.endIndex)
            let names = list.matches(of: #/"(\w+)"/#).map { String($0.1) }
            return Target(
                name: name, folder: path ?? (match.1 == "testTarget" ? "Tests/\(name)" : "Sources/\(name)"),
                dependencies: Set(names))
        }
    }()

    @Test func `every target names the modules that its files import`() throws {
        let names = Set(Self.targets.map(\.name))
        #expect(names.count > 40 && names.isSuperset(of: ["TraceFiles", "TraceFilesTests", "FileHarness"]))
        for target in Self.targets {
            let folder = SourceFile.root.appending(path: target.folder).path
            let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            for file in files where file.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                let imports = text.split(separator: "\n").prefix { !$0.hasPrefix("///") }.compactMap { line in
                    line.wholeMatch(of: #/(?:@testable )?(?:\w+ )?import (\w+)/#).map { String($0.1) }
                }
                let missing = Set(imports).intersection(names).subtracting(target.dependencies)
                #expect(missing.isEmpty, "\(target.name) imports \(missing.sorted()) in \(file)")
            }
        }
    }
}
