import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The modules of the web page: which folder may import which, what is loaded together, and where texts stand. What is one kind's stands in
/// the folder of that kind, and nothing outside of it names the kind.
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
        // Most lines have none of these, and expressions are slow.
        let signs = ["text.", "text?.", "text).", "text)?.", ".exec(", ".test("]
        guard line.contains("text"), signs.contains(where: { line.contains($0) }) else { return false }
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

    /// What else has that name: texts that people type, bytes, and texts of the page; and two readings for which the server has no value yet.
    private static let otherTexts = [
        "base/words.js": 1, "data/api.js": 1, "sessions/actions.js": 2, "sessions/digest-file.js": 1,
        "sessions/recorder.js": 8, "ui/parts.js": 1, "ui/outcomes.js": 2, "journals/record.js": 1,
    ]

    @Test func `no other module begins to read values out of a text of the server`() throws {
        var found: [String: Int] = [:]
        for module in Self.modules where !Self.kinds.contains(module.folder) {
            let count = try module.text.split(separator: "\n").count { try Self.readsText($0) }
            if count > 0 { found[module.path] = count }
        }
        #expect(found == Self.otherTexts)
    }

    /// A script is sent without the lines that are comments (`PageScript`): no text of it may look like one.
    @Test func `what looks like a comment is one`() throws {
        for module in Self.modules {
            var isInside = false
            for line in module.text.split(separator: "\n", omittingEmptySubsequences: false) {
                let text = line.drop { $0 == " " }
                // A text of several lines may have any line in it.
                let code = line.replacing(#/`[^`]*`/#, with: "").replacing(#//\*.*?\*//#, with: "")
                #expect(
                    !code.contains("`") || text.hasPrefix("*") || text.hasPrefix("//"),
                    "\(module.path): \(line)")
                if isInside {
                    isInside = !line.hasSuffix("*/")
                    #expect(text.hasPrefix("*"), "\(module.path): \(line)")
                } else if text.hasPrefix("/**"), !text.contains("*/") {
                    isInside = true
                }
                let outside = line.replacing(#/"[^"]*"|`[^`]*`/#, with: "")
                #expect(
                    outside.matches(of: #//\*\* @/#).count == line.matches(of: #//\*\* @/#).count,
                    "\(module.path): \(line)")
            }
            #expect(!isInside, "\(module.path)")
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

    /// What each module imports as it is loaded. What is loaded on demand is an import of its own.
    private static let imports: [String: Set<String>] = {
        var imports: [String: Set<String>] = [:]
        for module in modules {
            // Over several lines, too.
            let targets = module.text.matches(of: #/\b(?:from|import) "([^"\n]+\.js)"/#).map {
                module.target(of: String($0.1)) ?? ""
            }
            imports[module.path] = Set(targets)
        }
        return imports
    }()

    /// All that is loaded with a module, and the module.
    private static func closure(of module: String) -> Set<String> {
        var found: Set = [module]
        var open = [module]
        while let next = open.popLast() {
            for one in imports[next] ?? [] where found.insert(one).inserted { open.append(one) }
        }
        return found
    }

    /// A circle has modules that run before what they import does.
    @Test func `no module imports itself by way of others`() {
        #expect(Self.imports["sessions/view.js"]?.contains("sessions/marking.js") == true)
        #expect(Self.circle(in: Self.imports).isEmpty)
    }

    @Test func `a circle is found`() {
        #expect(Self.circle(in: ["a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]]) == ["a", "b", "c", "d"])
        #expect(Self.circle(in: ["a": ["b", "c"], "b": ["c"], "c": []]).isEmpty)
    }

    /// The folders that the modules of a folder may load, now or later. What is beside the folders may load all of them but kinds.
    private static let lower: [String: Set<String>] = [
        "": ["", "base", "data", "ui", "play", "sessions", "journals", "more"], "base": ["base"],
        "data": ["base", "data"], "ui": ["base", "data", "ui"], "play": ["base", "data", "ui", "play"],
        "sessions": ["base", "data", "ui", "play", "sessions"],
        "journals": ["base", "data", "ui", "journals"],
        "more": ["base", "data", "ui", "more"],
    ]

    private static func mayLoad(_ target: String, from folder: String) -> Bool {
        // Kinds are all alike, and meet neither each other nor anything that stands beside journals.
        let lower = kinds.contains(folder) ? ["base", "data", "ui", "journals", folder] : lower[folder] ?? []
        return lower.contains(target)
    }

    @Test func `folders load what is below them, and those side by side never meet`() {
        for module in Self.modules {
            for match in module.text.matches(of: #/(?:\bfrom |\bimport\(|\bimport )"([^"\n]+\.js)"/#) {
                let target = module.target(of: String(match.1)) ?? ""
                let folder = target.contains("/") ? String(target.prefix { $0 != "/" }) : ""
                #expect(Self.mayLoad(folder, from: module.folder), "\(module.path) loads \(match.1)")
            }
        }
    }

    @Test(arguments: [
        ("data", "ui", false), ("ui", "data", true), ("sessions", "more", false), ("more", "sessions", false),
        ("practice", "journals", true), ("journals", "practice", false), ("practice", "play", false),
        ("", "more", true), ("", "practice", false), ("base", "", false),
    ])
    func `what a folder may load`(folder: String, target: String, may: Bool) {
        #expect(Self.mayLoad(target, from: folder) == may)
    }

    /// The module of each view, and what is asked for with it, as `boot.js` has them.
    private static let views: [Substring: [String]] = {
        let boot = modules.first { $0.path == "boot.js" }?.text ?? ""
        let table = boot.firstMatch(of: #/\nconst VIEWS = \{\n([^}]*)\n\};/#)?.1 ?? ""
        let views = table.matches(of: #/ +(\w+): ((?:"[^"]*"(?: \+\s+)?)+),/#).map { match in
            (match.1, match.2.matches(of: #/[^"\s+]+/#).map { "\($0.0).js" })
        }
        return Dictionary(views) { first, _ in first }
    }()

    @Test func `a view's modules are asked for together`() {
        #expect(Self.views.count >= 10)
        let first = Self.closure(of: "boot.js")
        for (name, modules) in Self.views {
            let needed = Self.closure(of: modules.first ?? "").subtracting(first)
            #expect(Set(modules) == needed, "\(name)")
        }
    }

    @Test func `what the first view needs is asked for at once, and is little`() throws {
        let index = try #require(Self.files.first { $0.path == "index.html" }?.text)
        let asked = index.matches(of: #/<link rel="modulepreload" href="([^"]*)">/#).map { String($0.1) }
        let needed = Self.closure(of: "boot.js").union(Self.closure(of: "sessions/home.js"))
        #expect(Set(asked) == needed.subtracting(["boot.js"]))
        #expect(index.contains(#"<script type="module" src="boot.js"></script>"#))
        #expect(asked.count < 14)
    }

    /// The names of the texts that a module adds.
    private static func texts(of module: File) -> [Substring] {
        module.text.matches(of: #/\ntexts\(\{\n([\s\S]*?)\n\}\);/#).flatMap { table in
            table.1.matches(of: #/(?m)^  "([^"\n]+)":/#).map(\.1)
        }
    }

    @Test func `texts stand with what shows them, each of them once`() throws {
        var places: [Substring: String] = [:]
        for module in Self.modules {
            for name in Self.texts(of: module) {
                if let other = places.updateValue(module.path, forKey: name) {
                    Issue.record("\(name) is in \(other) and in \(module.path)")
                }
            }
        }
        #expect(places.count > 500)
        for module in Self.modules {
            let there = Self.closure(of: module.path)
            for match in module.text.matches(of: #/\bt\("([^"\n]+)"[,)]/#) {
                let place = try #require(places[match.1], "\(module.path): no text \(match.1)")
                #expect(there.contains(place), "\(module.path) says \(match.1) without \(place)")
            }
        }
    }

    @Test func `no line is longer than 120 columns`() {
        for module in Self.modules {
            for (number, line) in module.text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                #expect(line.count <= 120, "\(module.path):\(number + 1)")
            }
        }
    }

    @Test func `nothing makes markup out of text`() {
        for module in Self.modules {
            let found = module.text.firstMatch(
                of: #/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser/#
            )
            #expect(found == nil, "\(module.path): \(found?.0 ?? "")")
        }
    }

    /// What neither asks nor draws runs without a browser.
    @Test func `what the page computes`() throws {
        let outcome = try Scratch().run(
            "/usr/bin/node",
            [
                "--experimental-default-type=module",
                SourceFile.root.appending(path: "Tests/Page/pure.js").path,
            ])
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test func `the page has one level of folders`() {
        for file in Self.files {
            #expect(file.path.split(separator: "/").count <= 2, "\(file.path) is not served")
        }
    }
}
