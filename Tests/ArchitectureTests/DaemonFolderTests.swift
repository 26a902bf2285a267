import Foundation
import Testing

/// What `docs/architecture.md` says of which folder of the daemon uses which is what the sources do.
struct DaemonFolderTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The words of each folder's files that are neither comments nor texts, and the types that the folder declares.
    private struct Folder {
        var words: Set<Substring> = []
        var types: Set<Substring> = []
    }

    private let folders: [String: Folder]
    /// What each folder uses, as the table says.
    private let table: [String: Set<String>]

    init() throws {
        let sources = Self.root.appending(path: "Sources/TraceDaemon").path
        var folders: [String: Folder] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: sources) ?? .init()
        where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(sources)/\(name)", encoding: .utf8)
            let folder = String(name.prefix { $0 != "/" })
            for line in text.split(separator: "\n") {
                Self.read(line, into: &folders[folder, default: Folder()])
            }
        }
        self.folders = folders
        let page = try String(
            contentsOf: Self.root.appending(path: "docs/architecture.md"), encoding: .utf8)
        var table: [String: Set<String>] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map(String.init)
            guard cells.count == 3, let name = Self.names(in: cells[0]).first else { continue }
            table[name] = Self.names(in: cells[2])
        }
        self.table = table
    }

    private static func names(in cell: String) -> Set<String> {
        Set(cell.matches(of: /`(\w+)`/).map { String($0.1) })
    }

    private static func read(_ line: Substring, into folder: inout Folder) {
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        let words = code.replacing(/"[^"\\]*"/, with: "").split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        let isPrivate = words.first == "private" || words.first == "fileprivate"
        if !line.hasPrefix(" "), !isPrivate,
            let keyword = words.firstIndex(where: { ["struct", "class", "enum", "actor"].contains($0) })
        {
            folder.types.formUnion(words[keyword...].dropFirst().prefix(1))
        }
        folder.words.formUnion(words)
    }

    @Test func `each folder names types of those alone that its row names, and of all of them`() {
        #expect(Set(table.keys) == Set(folders.keys))
        for (name, folder) in folders {
            let used = folders.filter { $0.key != name && !$0.value.types.isDisjoint(with: folder.words) }
            #expect(Set(used.keys) == table[name], "\(name)")
        }
    }
}
