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

    /// The lines outside of a kind's folder that may name it, with the reason.
    private static let exceptions = [
        // The one list of the kinds that have a `kind.js`, as long as the server does not tell.
        "core.js": #"export const kindsWithPages = ["practice"];"#
    ]

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
                    #expect(Self.exceptions[file.path] == String(line), "\(file.path): \(line)")
                }
            }
        }
        for (path, line) in Self.exceptions {
            let text = Self.files.first { $0.path == path }?.text ?? ""
            #expect(text.contains("\n\(line)\n"), "\(path): the exception is not needed any more")
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

    @Test func `each folder of a kind is listed, and its module bears its name`() throws {
        let list = Self.kinds.map { "\"\($0)\"" }.joined(separator: ", ")
        let core = Self.files.first { $0.path == "core.js" }?.text ?? ""
        #expect(core.contains("\nexport const kindsWithPages = [\(list)];\n"))
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
