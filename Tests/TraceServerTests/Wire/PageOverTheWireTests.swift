import TraceCrypto
import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The web page as a browser gets it, from an installation of the test's own.
struct PageOverTheWireTests {
    private static let files = [
        "index.html": "<!doctype html><style>body{}</style>" + String(repeating: "<p>text", count: 300),
        "core.js": String(repeating: "export const a = 1;\n", count: 100), "sw.js": "self.shell = SHELL;\n",
        "style.css": "p { color: red }\n", "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "manifest.webmanifest": "{}", "icon-192.png": "png",
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
        try? FileManager.default.createDirectory(at: page, withIntermediateDirectories: true)
        for (name, text) in files { try? Data(text.utf8).write(to: page.appending(path: name)) }
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
        for path in ["/", "/core.js"] {
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
        for path in ["/", "/sw.js"] {
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
        for path in [
            "/link.js", "/inside.js", "/gone.js", "/folder.js", "/folder.js/deep.js", "/.hidden.js",
            "/core.js~",
            "/notes.txt", "/none.js", "/CORE.JS", "/share", "/core.js/", "//core.js", "/page/core.js",
            "/%2e%2e%2fsecret.js",
            "/..%5csecret.js", "/core%2ejs%00", "/core.js%00.png", "/./core.js",
        ] {
            let answer = try ask(path)
            #expect([400, 404].contains(answer.status), "\(path): \(answer)")
            #expect(answer["content-type"] == "application/problem+json", "\(path)")
        }
    }

    private func `other methods are refused, and what an app adds to the address is ignored`() throws {
        for path in ["/", "/core.js"] {
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
        for path in ["/", "/core.js", "/sw.js"] {
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
        let names = try FileManager.default.contentsOfDirectory(atPath: page.path)
        #expect(names.contains("index.html") && names.contains("sw.js"))
        for name in names {
            let contents = try Data(contentsOf: page.appending(path: name))
            let answer = try sample.connect().request("GET", "/\(name)", [])
            #expect(answer.status == 200, "\(name): \(answer)")
            #expect(
                name == "sw.js" ? answer.body.suffix(contents.count) == contents : answer.body == contents)
        }
    }
}
