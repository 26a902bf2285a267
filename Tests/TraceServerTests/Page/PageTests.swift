import TraceCrypto
import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import TraceServer

/// The web page's files as answers, without a server.
struct PageTests {
    private static let index =
        "<!doctype html><title>x</title><STYLE media=all>\nbody { color: red }\n</STYLE ><style>b{}</style>"

    private func page(_ files: [String: String]) -> Page { Page(files.mapValues { Array($0.utf8) }) }

    @Test(arguments: [
        ("core.js", "text/javascript; charset=utf-8"), ("index.html", "text/html; charset=utf-8"),
        ("style.css", "text/css; charset=utf-8"), ("icon-192.png", "image/png"),
        ("icon.svg", "image/svg+xml"), ("manifest.webmanifest", "application/manifest+json"),
    ])
    func `files of the page have a type`(name: String, type: String) {
        #expect(Page.type(ofFile: name) == type)
    }

    @Test(arguments: [
        "", "js", ".js", ".index.html", "core.js~", "core.js.bak", "#core.js#", "core", "core.JS", "a b.js",
        "é.js", "core.map", "notes.md", "\u{0}.js",
    ])
    func `other files are not part of it`(name: String) {
        #expect(Page.type(ofFile: name) == nil)
        #expect(page([name: "x"])[name] == nil)
    }

    @Test(arguments: [
        ("/** What it is. */\nconst a = 1; // one\n", "\nconst a = 1; // one\n"),
        ("/**\n * @param {string} a\n */\nf(a);\n  // Why.\nb();", "\n\n\nf(a);\n\nb();"),
        ("x(/** @type {any} */ (y), /** @type {A} */ z);", "x((y), z);"),
        ("  /** @type {any} */ (more).z();", "  (more).z();"),
        ("const re = /a*/, b = \"/*\";", "const re = /a*/, b = \"/*\";"),
        ("a();\n/** cut off", "a();\n"), ("", ""), ("\n\n", "\n\n"),
    ])
    func `a script goes without its comments, and its lines keep their numbers`(script: String, sent: String)
    {
        #expect(String(decoding: PageScript.withoutComments(Array(script.utf8)), as: UTF8.self) == sent)
        #expect(script.count { $0 == "\n" } == sent.count { $0 == "\n" })
    }

    @Test func `only scripts are changed, and the tag is that of what is sent`() throws {
        func tag(_ path: String, _ contents: String) throws -> String {
            try #require(page([path: contents])[path]?.fields[.eTag])
        }
        let (said, bare) = ("/** A. */\na();", "\na();")
        #expect(try tag("a.js", said) == tag("a.js", bare))
        #expect(try tag("a.css", said) != tag("a.css", bare))
    }

    @Test(arguments: ["practice/kind.js", "caddy/kind.js", "a-b_9/x.css"])
    func `a file in a folder is part of it under its path`(path: String) throws {
        let page = page([path: "x", "index.html": Self.index])
        let answer = try #require(page[path])
        #expect(answer.fields[.contentType] == Page.type(ofFile: String(path.split(separator: "/")[1])))
        #expect(answer.fields[.contentSecurityPolicy] == page["index.html"]?.fields[.contentSecurityPolicy])
        #expect(page[String(path.prefix { $0 != "/" })] == nil)
    }

    @Test(arguments: [
        "a/b/c.js", "a//b.js", "/b.js", "a/", "a/.b.js", ".a/b.js", "./b.js", "../b.js", "a/../b.js",
        "a.b/c.js",
        "a/b", "a/b.map", "a b/c.js", "é/c.js", "a/é.js", "a\\b/c.js", "a%2Fb/c.js",
    ])
    func `paths that lead elsewhere are not part of it`(path: String) {
        #expect(page([path: "x"])[path] == nil)
    }

    @Test(arguments: ["", ".", "..", ".git", "core.js", "a/b", "a b", "é", "\u{0}", "\u{FFFD}"])
    func `other names are not those of folders`(name: String) {
        #expect(!Page.isFolder(name))
    }

    @Test func `the policy allows the first style element by the hash of its text, and no other`() throws {
        let answer = try #require(page(["index.html": Self.index])["index.html"])
        let hash = Data(SHA256.hash(data: Data("\nbody { color: red }\n".utf8))).base64EncodedString()
        #expect(
            answer.fields[.contentSecurityPolicy]
                == "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-\(hash)'; img-src 'self' data:; "
                + "media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker"
        )
    }

    @Test(arguments: ["", "<p>", "<style", "<style>", "<style>a{}", "</style><style"])
    func `without a whole style element the policy has no hash`(index: String) throws {
        let answer = try #require(page(["index.html": index])["index.html"])
        #expect(answer.fields[.contentSecurityPolicy]?.contains("style-src 'self';") == true)
    }

    @Test func `the worker begins with the hashes of all files, which are their tags`() throws {
        let page = page([
            "index.html": Self.index, "core.js": "one", "practice/core.js": "two",
            "sw.js": "self.x = SHELL;\n",
        ])
        let (shell, rest) = try Self.shell(of: page)
        let files = try #require(shell["files"] as? [String: String])
        #expect(rest == "self.x = SHELL;\n")
        // Without index.html: a navigation to it passes the worker, and whatever is in front of the server may ask for a sign-in.
        #expect(Set(files.keys) == ["./", "core.js", "practice/core.js"])
        for path in ["core.js", "practice/core.js"] {
            #expect(page[path]?.fields[.eTag] == files[path].map { "\"\($0)\"" })
        }
        #expect(page["index.html"]?.fields[.eTag] == files["./"].map { "\"\($0)\"" })
    }

    @Test(arguments: [
        ["core.js": "two"], ["index.html": "<p>"], ["sw.js": "other"], ["new.js": ""],
        ["practice/kind.js": "two"], ["practice/new.js": ""], ["new/kind.js": "one"],
    ])
    func `a change of any file is another version of the worker`(change: [String: String]) throws {
        let old = [
            "index.html": Self.index, "core.js": "one", "practice/kind.js": "one", "sw.js": "worker",
        ]
        let before = try Self.shell(of: page(old)).shell["version"] as? String
        let after = try Self.shell(of: page(old.merging(change) { $1 })).shell["version"] as? String
        #expect(try Self.shell(of: page(old)).shell["version"] as? String == before)
        #expect(before != after)
    }

    private static func shell(of page: Page) throws -> (shell: [String: Any], rest: String) {
        let answer = try #require(page["sw.js"])
        guard case .bytes(let bytes) = answer.body else { throw CancellationError() }
        let lines = String(buffer: bytes).split(separator: "\n", maxSplits: 1)
        let line = try #require(lines.first)
        #expect(line.hasPrefix("const SHELL = {") && line.hasSuffix(";"))
        let object = try JSONSerialization.jsonObject(
            with: Data(line.dropFirst("const SHELL = ".count).dropLast().utf8))
        return (try #require(object as? [String: Any]), String(lines.last ?? ""))
    }
}
