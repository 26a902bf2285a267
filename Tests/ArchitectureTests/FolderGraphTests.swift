import Foundation
import TestSupport
import Testing

/// The folders of a module know each other in one direction: which of them is read first can be told.
struct FolderGraphTests {
    /// The modules whose folders know each other in both directions still.
    private static let exceptions: Set<String> = [
        "TraceCommands", "TraceConfiguration",
    ]

    @Test func `the folders of a module know each other in one direction`() throws {
        var circular: Set<String> = []
        for (module, files) in Dictionary(grouping: SourceFile.all, by: \.module) {
            guard let cycle = try FolderGraph(of: files).cycle else { continue }
            circular.insert(module)
            #expect(
                Self.exceptions.contains(module),
                "\(cycle.map(\.description).joined(separator: "\nand "))")
        }
        let clean = Self.exceptions.subtracting(circular).sorted()
        #expect(clean.isEmpty, "\(clean.joined(separator: ", ")): no exception any more")
    }

    @Test func `the folders within a folder Core know each other in one direction`() throws {
        let cores = SourceFile.all.filter { $0.folder == "Core" }
        #expect(!cores.isEmpty)
        for (module, files) in Dictionary(grouping: cores, by: \.module) {
            let inner = files.map { file in
                SourceFile(
                    name: file.name.replacingOccurrences(of: "\(module)/Core/", with: "\(module)/"),
                    text: file.text)
            }
            let cycle = try FolderGraph(of: inner).cycle
            #expect(cycle == nil, "\(cycle?.map(\.description).joined(separator: "\nand ") ?? "")")
        }
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
        #expect(try FolderGraph(of: files).cycle?.count ?? 0 == length)
    }

    // MARK: - Particular modules

    private static func files(of module: String) -> [SourceFile] {
        SourceFile.all.filter { $0.module == module }
    }

    @Test
    func `each folder of the daemon knows those that its row in docs/architecture.md names, and no others`()
        throws
    {
        var table: [String: Set<String>] = [:]
        for cells in try ArchitecturePage.rows(below: "| folder | holds | uses |") {
            guard let name = Self.names(in: cells[0]).first else { continue }
            table[name] = Self.names(in: cells[2])
        }
        let files = Self.files(of: "TraceDaemon")
        let uses = try FolderGraph(of: files).uses
        #expect(Set(table.keys) == Set(files.map(\.folder)))
        for (name, named) in table { #expect(Set(uses[name, default: [:]].keys) == named, "\(name)") }
    }

    private static func names(in cell: String) -> Set<String> {
        Set(cell.matches(of: /`(\w+)`/).map { String($0.1) })
    }

    @Test func `what all commands share names no verb`() throws {
        let uses = try FolderGraph(of: Self.files(of: "TraceCommands")).uses
        #expect(uses["Markers"]?["Support"] != nil)
        // What lies beside the folders is what all of them are below.
        let verbs = uses["Support", default: [:]].filter { $0.key != "." }
        #expect(verbs.isEmpty, "\(verbs.values.map(\.description))")
    }
}
