import Foundation
import Journals
import RecordFormat
import TestSupport
import Testing
import TraceStore

/// What `docs/architecture.md` says of who may import whom is what the sources do.
struct ImportGraphTests {
    /// A row of the table of modules: what it may import, and what no other module may.
    private struct Room {
        var imports: Set<String>
        var alone: Set<String>
    }

    /// The modules that need no leave: the standard library's, and the names of system calls.
    private static let free: Set<String> = ["Darwin", "Dispatch", "Glibc", "Musl", "Synchronization"]

    private let rooms: [String: Room]

    init() throws {
        var rooms: [String: Room] = [:]
        for cells in try ArchitecturePage.rows(below: "| module | imports | alone imports |") {
            for name in Self.names(in: cells[0]) {
                rooms[name] = Room(imports: Self.names(in: cells[1]), alone: Self.names(in: cells[2]))
            }
        }
        self.rooms = rooms
    }

    /// The modules that a module imports, and those that they import.
    private func reached(from module: String) -> Set<String> {
        var reached: Set<String> = []
        var waiting = rooms[module]?.imports ?? []
        while let next = waiting.popFirst() {
            guard rooms[next] != nil, reached.insert(next).inserted else { continue }
            waiting.formUnion(rooms[next]?.imports ?? [])
        }
        return reached
    }

    /// The modules, each before those that it imports; without the arrows to what others that it imports lead to.
    private func diagram() -> String {
        let names = rooms.keys.sorted {
            (reached(from: $1).count, $0) < (reached(from: $0).count, $1)
        }
        let arrows = names.compactMap { name -> String? in
            let imports = (rooms[name]?.imports ?? []).filter { rooms[$0] != nil }
            let others = imports.reduce(into: Set<String>()) { $0.formUnion(reached(from: $1)) }
            let next = imports.subtracting(others).sorted()
            return next.isEmpty ? nil : "    \(name) --> \(next.joined(separator: " & "))\n"
        }
        return "flowchart TD\n" + arrows.joined()
    }

    /// The names between backticks.
    private static func names(in cell: String) -> Set<String> {
        Set(
            cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap {
                $0.offset.isMultiple(of: 2) ? nil : String($0.element)
            })
    }

    /// What each file imports, by its path below `Sources`, by module.
    private static let imports: [String: [String: Set<String>]] = {
        var imports: [String: [String: Set<String>]] = [:]
        for file in SourceFile.all {
            let found = file.text.split(separator: "\n").prefix { !$0.hasPrefix("///") }.compactMap { line in
                let words = line.split(separator: " ")
                return words.dropFirst().first == "import" || words.first == "import"
                    ? words.last.map(String.init) : nil
            }
            imports[file.module, default: [:]][file.name] = Set(found)
        }
        return imports
    }()

    @Test func `every module has a row, and every row is a module`() {
        #expect(Set(Self.imports.keys) == Set(rooms.keys))
    }

    @Test func `no file imports what the row of its module does not name`() {
        for (module, room) in rooms {
            for (file, imports) in Self.imports[module] ?? [:] {
                let strangers = imports.subtracting(room.imports).subtracting(room.alone).subtracting(
                    Self.free)
                #expect(strangers.isEmpty, "\(file) imports \(strangers.sorted().joined(separator: ", "))")
            }
        }
    }

    @Test func `what a row names is imported`() {
        for (module, room) in rooms {
            let imports = (Self.imports[module] ?? [:]).values.reduce(into: Set()) { $0.formUnion($1) }
            let unused = room.imports.union(room.alone).subtracting(imports)
            #expect(unused.isEmpty, "\(module) does not import \(unused.sorted().joined(separator: ", "))")
        }
    }

    @Test func `what one module alone may import, no other does`() {
        for (module, room) in rooms {
            for (file, imports) in Self.imports.filter({ $0.key != module }).values.joined() {
                let taken = imports.intersection(room.alone)
                #expect(taken.isEmpty, "\(file) imports \(taken.sorted().joined(separator: ", "))")
            }
        }
    }

    @Test func `no module can reach itself`() {
        for start in rooms.keys {
            #expect(!reached(from: start).contains(start), "\(start) imports itself by others")
        }
    }

    @Test(arguments: ["docs/architecture.md", "README.md"])
    func `the diagram of a page is made of the table`(_ page: String) throws {
        let path = SourceFile.root.appending(path: page)
        let text = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(text.range(of: "```mermaid\n"))
        let end = try #require(text.range(of: "```\n", range: start.upperBound..<text.endIndex))
        let drawn = String(text[start.upperBound..<end.lowerBound])
        if ProcessInfo.processInfo.environment["TRACE_WRITE_DOCS"] != nil {
            let new = text[..<start.upperBound] + diagram() + text[end.lowerBound...]
            try Data(new.utf8).write(to: path)
        }
        #expect(drawn == diagram(), "TRACE_WRITE_DOCS=1 and this test rewrite it")
    }

    /// In files that see two of them, and to readers, a name would mean two things.
    @Test func `no two modules have a type of one name`() {
        let declaration =
            #/(?:@\w+(?:\([^)]*\))? |package |public |private |fileprivate |internal |final |indirect )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
        var modules: [String: Set<String>] = [:]
        for file in SourceFile.all where !["trace", "traced"].contains(file.module) {
            for line in file.text.split(separator: "\n") {
                guard let name = line.prefixMatch(of: declaration)?.output.1 else { continue }
                modules[String(name), default: []].insert(file.module)
            }
        }
        #expect(modules.count > 500)
        for (name, modules) in modules where modules.count > 1 {
            Issue.record("\(name) is a type of \(modules.sorted().joined(separator: " and "))")
        }
    }

    /// The pure half of a kind of journal is in its folder `Core`.
    @Test func `what is in a folder Core imports no more than the building blocks, hashes and words`() {
        let files = Self.imports.values.joined().filter {
            $0.key.split(separator: "/").dropFirst().first == "Core"
        }
        #expect(!files.isEmpty)
        for (file, imports) in files {
            let strangers = imports.subtracting(["RecordFormat", "TraceCrypto", "TraceText"])
            #expect(strangers.isEmpty, "\(file) imports \(strangers.sorted().joined(separator: ", "))")
        }
    }

    /// What is the same for all kinds of journal knows no kind but the session: it asks the list of all.
    @Test func `no other kind of journal is named where all are treated alike`() throws {
        let modules: Set = [
            "RecordFormat", "TraceFormat", "TraceStore", "TraceAccess", "TraceMedia", "TraceIndex",
            "TraceWatch", "TraceDaemon",
        ]
        // A scope of tokens, which they have always had; and the practice of a musician.
        let allowed = [
            "TraceAccess/Grants/AccessScope.swift": ["waterline"],
            "TraceFormat/Schema/SessionJournal.swift": ["practice"],
        ]
        for file in SourceFile.all where modules.contains(file.module) {
            let text = file.text.lowercased()
            for kind in ["practice", "caddy", "waterline"] where text.contains(kind) {
                #expect(allowed[file.name]?.contains(kind) == true, "\(file.name) names \(kind)")
            }
        }
    }

    @Test func `what is in the list of kinds, no program for people adds to`() {
        for file in SourceFile.all where file.text.contains("Journals.add") {
            Issue.record("\(file.name) adds a kind of journal")
        }
    }

    /// The kinds but the session, by the modules that are one each.
    private static let kinds = Journals.all.formats.filter { !($0 is SessionFormat) }.map { format in
        (
            module: "\(String(reflecting: type(of: format)).prefix { $0 != "." })",
            name: format.layout.kind.name
        )
    }

    @Test func `only the list of kinds imports one, and no text outside of a kind names it`() throws {
        #expect(Set(Self.kinds.map(\.module)).count == Self.kinds.count)
        for (kind, name) in Self.kinds {
            #expect(Self.imports[kind] != nil, "\(name) is not a module of its own")
            let literal = try Regex("\"\(name)[\". ]")
            for file in SourceFile.all where file.module != kind && file.module != "Journals" {
                let imports = Self.imports[file.module]?[file.name] ?? []
                #expect(!imports.contains(kind), "\(file.name) imports \(kind)")
                let names = file.text.firstMatch(of: literal) != nil
                #expect(!names, "\(file.name) names \(name)")
            }
        }
    }
}
