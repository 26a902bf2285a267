import Foundation
import TestSupport
import Testing

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
        let page = try String(
            contentsOf: SourceFile.root.appending(path: "docs/architecture.md"), encoding: .utf8)
        var rooms: [String: Room] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map(String.init)
            guard cells.count == 4 else { continue }
            let names = Self.names(in: cells[0])
            for name in names {
                rooms[name] = Room(imports: Self.names(in: cells[2]), alone: Self.names(in: cells[3]))
            }
        }
        self.rooms = rooms
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
            var seen: Set<String> = []
            var waiting = rooms[start]?.imports ?? []
            while let next = waiting.popFirst() {
                guard seen.insert(next).inserted else { continue }
                waiting.formUnion(rooms[next]?.imports ?? [])
            }
            #expect(!seen.contains(start), "\(start) imports itself by others")
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
            "RecordFormat", "TraceFormat", "TraceStore", "TraceIndex", "TraceWatch", "TraceDaemon",
        ]
        // A scope of tokens, which they have always had; and the practice of a musician.
        let allowed = [
            "TraceStore/Access/AccessScope.swift": ["waterline"],
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
    private static let kinds = ["PracticeJournal": "practice"]

    @Test func `only the list of kinds imports one, and no text outside of a kind names it`() throws {
        for (kind, name) in Self.kinds {
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
