import Foundation
import TestSupport
import Testing

/// The modules of the web page: what is one kind's stands in the folder of that kind, and nothing outside of it names the kind.
struct PageModuleTests {
    /// A file below `page`.
    private struct File {
        /// As addresses have it: its name, or `FOLDER/NAME`.
        let path: String
        let text: String

        /// The folder that it is in; empty if it is in none.
        var folder: String { path.contains("/") ? String(path.prefix { $0 != "/" }) : "" }

        /// Where a path that stands in this file leads; nil if it leads out of the page.
        func target(of relative: String) -> String? {
            var parts = folder.isEmpty ? [] : [folder]
            for part in relative.split(separator: "/") where part != "." {
                if part != ".." {
                    parts.append(String(part))
                } else if parts.popLast() == nil {
                    return nil
                }
            }
            return parts.joined(separator: "/")
        }
    }

    private static let files: [File] = {
        let page = SourceFile.root.appending(path: "page")
        let paths = FileManager.default.enumerator(atPath: page.path)?.compactMap { $0 as? String } ?? []
        return paths.sorted().compactMap { path in
            let text = try? String(contentsOf: page.appending(path: path), encoding: .utf8)
            return text.map { File(path: path, text: $0) }
        }
    }()

    private static let modules = files.filter { $0.path.hasSuffix(".js") }

    /// The kinds of journals that have a folder.
    private static let kinds = modules.filter { $0.path.hasSuffix("/kind.js") }.map(\.folder)

    /// The name of a kind as a word of the language, at the beginning of a longer one (`practice.score`), or as a folder. A class of
    /// elements (`div.practice`) and a word of a sentence are none of these.
    private static func mentions(of kind: String, in line: some StringProtocol) throws -> Bool {
        let pattern = try Regex(#"["'`/^(|]\#(kind)["'`/\\.$)|]"#)
        return String(line).contains(pattern)
    }

    @Test func `no module outside of a kind's folder names the kind`() throws {
        #expect(Self.kinds.contains("practice"))
        for kind in Self.kinds {
            for file in Self.files where file.folder != kind {
                for line in file.text.split(separator: "\n") where try Self.mentions(of: kind, in: line) {
                    Issue.record("\(file.path): \(line)")
                }
            }
        }
    }

    @Test(arguments: [
        (#"kind === "practice""#, true), ("'practice.score'", true), ("`practice/${view}`", true),
        (#"import("./practice/kind.js")"#, true), (#"/^practice\.(score|task)$/"#, true),
        (#"/^(practice|caddy)$/"#, true), (#"h("div.practice", x)"#, false),
        (":root:has(.practice) {", false),
        ("// Session: player, notes, practice room (session.js)", false), (#""practise": "Practise""#, false),
    ])
    func `a mention is found`(line: String, isOne: Bool) throws {
        #expect(try Self.mentions(of: "practice", in: line) == isOne)
    }

    /// The server has texts for people, which may change, and the same as values.
    private static func readsText(_ line: some StringProtocol) throws -> Bool {
        let patterns = [
            #"\btext\)?\??\.(?:match|matchAll|replace|replaceAll|search|split|startsWith|endsWith|includes|slice|substring|indexOf)\("#,
            #"/[dgimsuvy]*\.(?:exec|test)\([^()]*\btext\b"#,
        ]
        // Of `row.text` the text is a word of its own.
        return try patterns.contains { try String(line).contains(Regex($0).wordBoundaryKind(.simple)) }
    }

    @Test func `no module of a kind reads values out of a text of the server`() throws {
        for module in Self.modules where Self.kinds.contains(module.folder) {
            for line in module.text.split(separator: "\n") where try Self.readsText(line) {
                Issue.record("\(module.path): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("/^Score: (\\d+)/.exec(text)", true), ("/x/i.test(row.text)", true), ("row.text.match(/x/)", true),
        (#"text.split("\n").at(-1)"#, true), (#"!text.startsWith("Browsed ")"#, true),
        ("String(record.text).replace(/x/, 1)", true), ("/[1-9]/.test(written)", false),
        ("h(\"p\", text)", false), ("t(`${name}-text`)", false), ("const [context] = text;", false),
    ])
    func `a reading of a text is found`(line: String, isOne: Bool) throws {
        #expect(try Self.readsText(line) == isOne)
    }

    @Test func `the module of a kind bears its name`() throws {
        for kind in Self.kinds {
            let text = Self.files.first { $0.path == "\(kind)/kind.js" }?.text ?? ""
            #expect(text.contains(try Regex(#"\nexport const kind = \{ name: "\#(kind)", "#)), "\(kind)")
        }
    }

    @Test func `what a module loads is there`() {
        var count = 0
        for module in Self.modules {
            for match in module.text.matches(
                of: #/(?:\bfrom |\bimport\(|\bimport |new URL\()"([^"\n]+\.(?:js|css))"/#)
            {
                count += 1
                let target = module.target(of: String(match.1))
                let isThere = Self.files.contains { $0.path == target }
                #expect(isThere, "\(module.path) loads \(match.1), which is not there")
            }
        }
        #expect(count > 50)
    }

    /// A module of a circle that static imports make, if there is one: what is left when all modules that import none of the rest are gone.
    private static func circle(in imports: [String: Set<String>]) -> Set<String> {
        var left = imports
        while true {
            let done = left.filter { module in module.value.allSatisfy { left[$0] == nil } }
            guard !done.isEmpty else { return Set(left.keys) }
            for module in done.keys { left[module] = nil }
        }
    }

    /// A circle has modules that run before what they import does.
    @Test func `no module imports itself by way of others`() {
        var imports: [String: Set<String>] = [:]
        for module in Self.modules {
            // Over several lines, too; what is loaded on demand is an import of its own.
            let targets = module.text.matches(of: #/\b(?:from|import) "([^"\n]+\.js)"/#).map {
                module.target(of: String($0.1)) ?? ""
            }
            imports[module.path] = Set(targets)
        }
        #expect(imports["session.js"]?.contains("marking.js") == true)
        #expect(Self.circle(in: imports).isEmpty)
    }

    @Test func `a circle is found`() {
        #expect(Self.circle(in: ["a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]]) == ["a", "b", "c", "d"])
        #expect(Self.circle(in: ["a": ["b", "c"], "b": ["c"], "c": []]).isEmpty)
    }

    @Test func `folders are loaded by name alone, and never meet`() {
        for module in Self.modules {
            for match in module.text.matches(of: #/(?:\bfrom |\bimport\(|\bimport )"([^"\n]+\.js)"/#) {
                let target = module.target(of: String(match.1)) ?? ""
                let folder = target.contains("/") ? String(target.prefix { $0 != "/" }) : ""
                #expect(
                    folder.isEmpty || folder == module.folder, "\(module.path) loads \(match.1)")
            }
        }
    }

    @Test func `the page has one level of folders`() {
        for file in Self.files {
            #expect(file.path.split(separator: "/").count <= 2, "\(file.path) is not served")
        }
    }
}
