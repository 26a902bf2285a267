import TraceCrypto
import Foundation
import ProgramHarness
import TestSupport
import Testing

@testable import TraceServer

/// The web page as a browser gets it, from an installation of the test's own.
struct PageOverTheWireTests {
    private static let files = [
        "index.html": "<!doctype html><style>body{}</style>" + String(repeating: "<p>text", count: 300),
        "core.js": String(repeating: "export const a = 1;\n", count: 100), "sw.js": "self.shell = SHELL;\n",
        "style.css": "p { color: red }\n", "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "manifest.webmanifest": "{}", "icon-192.png": "png",
        "practice/kind.js": String(repeating: "export const kind = 1;\n", count: 100),
        "practice/insights.css": "p { color: blue }\n",
    ]
    private let sample: ServedSample

    init() throws {
        sample = try ServedSample(under: { directory in
            Self.write(Self.files, below: directory)
            return Self.installation(in: directory)
        })
    }

    private static func page(below directory: URL) -> URL { directory.appending(path: "share/trace/page") }

    private static func write(_ files: [String: String], below directory: URL) {
        let page = page(below: directory)
        for (path, text) in files {
            let file = page.appending(path: path)
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? Data(text.utf8).write(to: file)
        }
    }

    /// Runs the daemon as `bin/traced` below a prefix of its own.
    static func installation(in prefix: URL) -> [String] {
        let script = """
            mkdir -p "$0/bin" && { ln -f "$1" "$0/bin/traced" 2> /dev/null || cp "$1" "$0/bin/traced"; } || exit 1
            shift && exec "$0/bin/traced" "$@"
            """
        return ["/bin/sh", "-c", script, prefix.path]
    }

    private func ask(
        _ path: String, _ method: String = "GET", _ fields: (String, String)...
    ) throws -> WireAnswer {
        try sample.connect().request(method, path, fields)
    }

    /// One after the other, with one daemon.
    @Test func `the page is served to anyone`() throws {
        try `its files come with their types and tags, and with the rules for the browser`()
        try `what the browser has is not sent again, in either coding`()
        try `HEAD says what GET says`()
        try `there is nothing but the files of the page`()
        try `no address leads out of a folder or below one`()
        try `what is no folder or no file of one is not there, and does no harm`()
        try `a folder that becomes something else takes its files along`()
        try `other methods are refused, and what an app adds to the address is ignored`()
        try `another host name gets nothing`()
        try `a changed file is taken up, and makes another worker`()
    }

    private func `its files come with their types and tags, and with the rules for the browser`() throws {
        let hash = Data(SHA256.hash(data: Data("body{}".utf8))).base64EncodedString()
        for (path, name, type) in [
            ("/", "index.html", "text/html; charset=utf-8"),
            ("/index.html", "index.html", "text/html; charset=utf-8"),
            ("/core.js", "core.js", "text/javascript; charset=utf-8"),
            ("/style.css", "style.css", "text/css; charset=utf-8"),
            ("/icon.svg", "icon.svg", "image/svg+xml"),
            ("/icon-192.png", "icon-192.png", "image/png"),
            ("/manifest.webmanifest", "manifest.webmanifest", "application/manifest+json"),
            ("/practice/kind.js", "practice/kind.js", "text/javascript; charset=utf-8"),
            ("/practice/insights.css", "practice/insights.css", "text/css; charset=utf-8"),
        ] {
            let answer = try ask(path)
            #expect(answer.status == 200, "\(path): \(answer)")
            #expect(answer.text == Self.files[name], "\(path)")
            #expect(answer["content-type"] == type, "\(path)")
            #expect(answer["etag"]?.hasPrefix("\"") == true, "\(path)")
            #expect(answer["cache-control"] == "no-cache", "\(path)")
            #expect(answer["vary"] == "Accept-Encoding", "\(path)")
            #expect(answer["x-content-type-options"] == "nosniff", "\(path)")
            #expect(answer["referrer-policy"] == "no-referrer", "\(path)")
            #expect(answer["cross-origin-resource-policy"] == "same-origin", "\(path)")
            #expect(answer["cross-origin-opener-policy"] == "same-origin", "\(path)")
            #expect(answer["permissions-policy"] == "microphone=(self)", "\(path)")
            let policy = answer["content-security-policy"] ?? ""
            #expect(policy.contains("; style-src 'self' 'sha256-\(hash)'; "), "\(path): \(policy)")
            #expect(policy.hasSuffix("require-trusted-types-for 'script'; trusted-types worker"), "\(path)")
        }
    }

    private func `what the browser has is not sent again, in either coding`() throws {
        for path in ["/", "/core.js", "/practice/kind.js"] {
            let plain = try ask(path)
            let tag = try #require(plain["etag"])
            let known = try ask(path, "GET", ("If-None-Match", tag))
            #expect(known.status == 304 && known.body.isEmpty, "\(path): \(known)")
            #expect(known["etag"] == tag && known["content-security-policy"] != nil)
            let packed = try ask(path, "GET", ("Accept-Encoding", "gzip, br"))
            #expect(packed["content-encoding"] == "gzip", "\(path): \(packed)")
            #expect(packed.body.count < plain.body.count / 2)
            #expect(try gunzip(packed.body) == plain.body)
            let packedTag = try #require(packed["etag"])
            #expect(packedTag == "\(tag.dropLast())-gz\"")
            let again = try ask(path, "GET", ("Accept-Encoding", "gzip"), ("If-None-Match", packedTag))
            #expect(again.status == 304, "\(path): \(again)")
        }
    }

    private func `HEAD says what GET says`() throws {
        for path in ["/", "/sw.js", "/practice/kind.js"] {
            let (get, head) = (try ask(path), try ask(path, "HEAD"))
            #expect(head.status == 200 && head.body.isEmpty)
            for name in ["etag", "content-length", "content-type", "content-security-policy"] {
                #expect(head[name] == get[name] && get[name] != nil, "\(path) \(name)")
            }
        }
    }

    private func `there is nothing but the files of the page`() throws {
        let page = Self.page(below: sample.copy.directory)
        try Data("secret".utf8).write(to: sample.copy.directory.appending(path: "secret.js"))
        for (link, target) in [
            ("link.js", "../../../secret.js"), ("inside.js", "core.js"), ("gone.js", "none"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: page.appending(path: link).path, withDestinationPath: target)
        }
        try FileManager.default.createDirectory(
            at: page.appending(path: "folder.js"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: page.appending(path: "folder.js/deep.js"))
        for name in [".hidden.js", "core.js~", "notes.txt"] {
            try Data("x".utf8).write(to: page.appending(path: name))
        }
        try soon("the new files were looked at") {
            try Data("x".utf8).write(to: page.appending(path: "new.js"))
            return try ask("/new.js").status == 200
        }
        try isNothing([
            "/link.js", "/inside.js", "/gone.js", "/folder.js", "/folder.js/deep.js", "/.hidden.js",
            "/core.js~",
            "/notes.txt", "/none.js", "/CORE.JS", "/share", "/core.js/", "//core.js", "/page/core.js",
            "/%2e%2e%2fsecret.js",
            "/..%5csecret.js", "/core%2ejs%00", "/core.js%00.png", "/./core.js",
        ])
    }

    private func isNothing(_ paths: [String]) throws {
        for path in paths {
            let answer = try ask(path)
            #expect([400, 404].contains(answer.status), "\(path): \(answer)")
            #expect(answer["content-type"] == "application/problem+json", "\(path)")
        }
    }

    /// Waits until the server has looked at the files that are there by now.
    private func isLookedAt() throws {
        let name = "seen-\(UUID().uuidString).js"
        Self.write([name: "x"], below: sample.copy.directory)
        try soon("the new files were looked at") { try ask("/\(name)").status == 200 }
    }

    private func `no address leads out of a folder or below one`() throws {
        Self.write(["practice/deep/x.js": "x", "sw/x.js": "x"], below: sample.copy.directory)
        try isLookedAt()
        #expect(try ask("/sw/x.js").status == 200)
        try isNothing([
            "/practice", "/practice/", "/practice/kind.js/", "/practice/../sw.js", "/practice/..",
            "/practice/.",
            "/practice/%2e%2e/sw.js", "/practice%2Fkind.js", "/practice%2fkind.js",
            "/practice%5ckind.js",
            "/practice//kind.js", "//practice/kind.js", "/./practice/kind.js", "/practice/./kind.js",
            "/practice/..%2fsw.js", "/practice/%2e%2e%2fsw.js", "/practice/..%5csw.js",
            "/practice/kind.js%00",
            "/practice%00/kind.js", "/PRACTICE/kind.js", "/practice/KIND.js", "/practice/none.js",
            "/none/kind.js", "/practice/deep/x.js", "/practice/deep", "/core.js/kind.js", "/practice/core.js",
            "/kind.js", "/practice/%FF.js", "/%FF/kind.js", "/%C3%28/%C3%28", "/practice%20/kind.js",
            "/api/kind.js", "/api/v1/practice/kind.js",
        ])
    }

    private func `what is no folder or no file of one is not there, and does no harm`() throws {
        let page = Self.page(below: sample.copy.directory)
        let outside = sample.copy.directory.appending(path: "outside")
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: outside.appending(path: "kind.js"))
        Self.write([".hidden/x.js": "x", "a.b/x.js": "x", "empty/.x.js": "x"], below: sample.copy.directory)
        for (link, target) in [
            ("linked", outside.path), ("inside", "practice"), ("dangling", "none"), ("self", "."),
            ("practice/link.js", outside.appending(path: "kind.js").path), ("practice/near.js", "kind.js"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: page.appending(path: link).path, withDestinationPath: target)
        }
        // The daemon would wait for a writer for ever if it opened them.
        for pipe in ["pipe", "practice/pipe.js", "pipe.js"] {
            #expect(mkfifo(page.appending(path: pipe).path, 0o644) == 0)
        }
        try Data("plain".utf8).write(to: page.appending(path: "file"))
        for prefix in [page.path + "/", page.appending(path: "practice").path + "/"] {
            let name = prefix + "x"
            let bytes = Array(name.utf8CString.dropLast()) + [CChar(truncatingIfNeeded: 0xFF), 0]
            #expect(mkdir(bytes, 0o755) == 0)
        }
        try isLookedAt()
        #expect(try ask("/practice/kind.js").text == Self.files["practice/kind.js"])
        try isNothing([
            "/.hidden/x.js", "/%2ehidden/x.js", "/a.b/x.js", "/empty/.x.js", "/empty", "/linked/kind.js",
            "/inside/kind.js", "/dangling/kind.js", "/self/core.js", "/practice/link.js", "/practice/near.js",
            "/pipe", "/pipe/x.js", "/practice/pipe.js", "/pipe.js", "/file", "/file/x.js", "/x%FF",
            "/x%FF/x.js",
            "/practice/x%FF",
        ])
        let worker = try ask("/sw.js").text
        for name in ["hidden", "a.b", "linked", "inside", "self/", "pipe", "link.js", "near.js", "secret"] {
            #expect(!worker.contains(name), "\(name)")
        }
    }

    private func `a folder that becomes something else takes its files along`() throws {
        let page = Self.page(below: sample.copy.directory)
        let (folder, aside) = (page.appending(path: "turns"), sample.copy.directory.appending(path: "aside"))
        Self.write(["turns/x.js": "one"], below: sample.copy.directory)
        try soon("the folder is there") { try ask("/turns/x.js").text == "one" }
        for replace in [
            { try Data("a file".utf8).write(to: folder) },
            { try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: aside) },
            { #expect(mkfifo(folder.path, 0o644) == 0) },
            {},
        ] {
            try FileManager.default.moveItem(at: folder, to: aside)
            try replace()
            try soon("the file is gone") { try ask("/turns/x.js").status == 404 }
            #expect(try ask("/core.js").status == 200)
            #expect(try !ask("/sw.js").text.contains("turns"))
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.moveItem(at: aside, to: folder)
            try soon("the folder is back") { try ask("/turns/x.js").text == "one" }
        }
    }

    private func `other methods are refused, and what an app adds to the address is ignored`() throws {
        for path in ["/", "/core.js", "/practice/kind.js"] {
            for method in ["POST", "PUT", "DELETE", "PATCH", "PROPFIND"] {
                let answer = try ask(path, method)
                #expect(answer.status == 405, "\(method) \(path): \(answer)")
                #expect(answer["allow"] == "GET, HEAD, OPTIONS")
            }
            #expect(try ask(path, "OPTIONS").status == 204)
            #expect(try ask("\(path)?fbclid=x&utm_source=y").status == 200)
        }
    }

    private func `another host name gets nothing`() throws {
        for path in ["/", "/core.js", "/sw.js", "/practice/kind.js"] {
            let answer = try ask(path, "GET", ("Host", "evil.example"))
            #expect(answer.status == 421, "\(path): \(answer)")
        }
    }

    private func `a changed file is taken up, and makes another worker`() throws {
        let worker = try ask("/sw.js")
        #expect(worker.text.hasPrefix("const SHELL = {\"version\":\""))
        #expect(worker.text.hasSuffix("};\n" + (Self.files["sw.js"] ?? "")))
        Self.write(["core.js": "export const a = 2;\n"], below: sample.copy.directory)
        try soon("the new file is served") { try ask("/core.js").text == "export const a = 2;\n" }
        let other = try ask("/sw.js")
        #expect(other["etag"] != worker["etag"] && other.text != worker.text)
        let tag = try #require(try ask("/core.js")["etag"]).filter { $0 != "\"" }
        #expect(other.text.contains("\"core.js\":\"\(tag)\""))
        Self.write(["practice/kind.js": "export const kind = 2;\n"], below: sample.copy.directory)
        try soon("the new file of the folder is served") {
            try ask("/practice/kind.js").text == "export const kind = 2;\n"
        }
        let third = try ask("/sw.js")
        let deep = try #require(try ask("/practice/kind.js")["etag"]).filter { $0 != "\"" }
        #expect(third["etag"] != other["etag"] && third.text.contains("\"practice/kind.js\":\"\(deep)\""))
    }
}

/// A server on which the web page is not installed.
struct MissingPageTests {
    @Test func `without the page's files the server says what to do, and everything else works`() throws {
        let sample = try ServedSample(under: PageOverTheWireTests.installation)
        let answer = try sample.connect().request("GET", "/", [])
        #expect(answer.status == 404 && answer.code == "page-missing", "\(answer)")
        #expect((answer.object["hint"] as? String ?? "").contains("share/trace/page"))
        #expect(try sample.connect().request("GET", "/core.js", []).code == "not-found")
        #expect(try sample.ask("GET", "/sessions").status == 200)
        let status = try Binaries.trace(["status"], in: sample.copy.directory)
        #expect(status.contains("http:     share/trace/page: the web page is not installed"), "\(status)")
        #expect(sample.daemon.log.components(separatedBy: "there is no web page").count == 2)
        let page = sample.copy.directory.appending(path: "share/trace/page")
        try FileManager.default.createDirectory(at: page, withIntermediateDirectories: true)
        try Data("<p>".utf8).write(to: page.appending(path: "index.html"))
        try soon("a page that is installed later is served") {
            try sample.connect().request("GET", "/", []).status == 200
        }
    }
}

/// A server that runs out of the checkout that it was built in.
struct CheckoutPageTests {
    @Test func `a daemon that was built here serves the page that lies here`() throws {
        let sample = try ServedSample()
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../page")
        let names = try FileManager.default.subpathsOfDirectory(atPath: page.path)
        #expect(names.contains("index.html") && names.contains("sw.js") && names.contains("practice/kind.js"))
        for name in names {
            let file = page.appending(path: name)
            let answer = try sample.connect().request("GET", "/\(name)", [])
            guard try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == false else {
                #expect(answer.status == 404, "\(name): \(answer)")
                continue
            }
            var contents = try Data(contentsOf: file)
            if name.hasSuffix(".js") { contents = Data(PageScript.withoutComments(Array(contents))) }
            #expect(answer.status == 200, "\(name): \(answer)")
            #expect(
                name == "sw.js" ? answer.body.suffix(contents.count) == contents : answer.body == contents)
        }
    }
}
