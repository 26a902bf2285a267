internal import HTTPTypes
internal import RecordFormat

/// The files of the web page with their header fields, ready to be sent.
///
/// Source: docs/http.md#the-web-page.
struct Page: Sendable {
    private let answers: [String: Response]

    /// The name of the file that is sent for `/`.
    static let index = "index.html"
    /// The name of the image of podcast feeds, which the page itself does not show.
    static let cover = "podcast.png"
    /// The name of the service worker, which is sent with what the shell consists of before it.
    static let worker = "sw.js"

    /// - Parameter files: The contents of each file by its path: its name, or `FOLDER/NAME`. Others, and those of other types, are left
    ///   out.
    /// - Complexity: O(their bytes). They are compressed when they are first asked for.
    init(_ files: [String: [UInt8]]) {
        var files = files.filter { Self.type(ofPath: $0.key) != nil }
        for (path, contents) in files where path.hasSuffix(".js") {
            files[path] = PageScript.withoutComments(contents)
        }
        if let worker = files[Self.worker] { files[Self.worker] = Self.shell(of: files) + worker }
        let policy = Self.policy(styleOf: files[Self.index] ?? [])
        answers = Dictionary(
            uniqueKeysWithValues: files.map { path, contents in
                (path, Self.answer(path, contents, policy))
            })
    }

    /// The answer with the file at that path; nil if the page has none.
    subscript(path: String) -> Response? { answers[path] }

    /// The media type of a file that may be sent; nil for any other, such as an editor's copy.
    static func type(ofFile name: String) -> String? {
        guard name.utf8.allSatisfy({ isOfWord($0) || $0 == UInt8(ascii: ".") }), !name.hasPrefix("."),
            let dot = name.lastIndex(of: ".")
        else { return nil }
        return types[String(name[dot...].dropFirst())]
    }

    /// Whether a directory of that name is a folder of the page. No file that may be sent has such a name.
    static func isFolder(_ name: String) -> Bool { !name.isEmpty && name.utf8.allSatisfy(isOfWord) }

    /// The media type of the file at a path, which leads through one folder at most.
    private static func type(ofPath path: String) -> String? {
        guard let slash = path.firstIndex(of: "/") else { return type(ofFile: path) }
        return isFolder(String(path[..<slash])) ? type(ofFile: String(path[slash...].dropFirst())) : nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "webmanifest": "application/manifest+json",
        "svg": "image/svg+xml", "png": "image/png",
    ]

    private static func answer(_ path: String, _ contents: [UInt8], _ policy: String) -> Response {
        var answer = Response(.ok, type(ofPath: path) ?? "", contents)
        answer.fields[.eTag] = EntityTag(contents: contents).description
        // Anyone may have it, so proxies may keep it.
        answer.fields[.cacheControl] = "no-cache"
        answer.fields[.vary] = "Accept-Encoding"
        // On every file: a worker has the policy of its own answer, not that of the page.
        answer.fields[.contentSecurityPolicy] = policy
        answer.fields[.crossOriginOpenerPolicy] = "same-origin"
        answer.fields[.permissionsPolicy] = "microphone=(self)"
        answer.compressed = CompressedBody()
        return answer
    }

    // MARK: - The worker

    /// The line that goes before the service worker: what the shell consists of, so that a change of any file is a change of the worker,
    /// which is what makes a browser take up the new files.
    private static func shell(of files: [String: [UInt8]]) -> [UInt8] {
        let hashes = files.mapValues { hash($0) }
        let paths = files.keys.sorted()
        let version = hash(paths.flatMap { Array("\($0) \(hashes[$0] ?? "")\n".utf8) })
        let list = JSONText.object { object in
            if let hash = hashes[index] { object.member("./", hash) }
            for path in paths where ![index, worker, cover].contains(path) {
                object.member(path, hashes[path] ?? "")
            }
        }
        let shell = JSONText.object { object in
            object.member("version", version)
            object.member("files", list)
        }
        return Array("const SHELL = ".utf8) + shell.bytes + Array(";\n".utf8)
    }

    private static func hash(_ contents: [UInt8]) -> String {
        String(decoding: EntityTag(contents: contents).opaque, as: UTF8.self)
    }

    // MARK: - Security

    /// The content security policy.
    ///
    /// - Parameter html: `index.html`, whose first `<style>` element the policy allows by its hash.
    private static func policy(styleOf html: [UInt8]) -> String {
        let style = firstStyle(in: html).map { " 'sha256-\(base64($0))'" } ?? ""
        return """
            default-src 'none'; script-src 'self'; style-src 'self'\(style); img-src 'self' data:; \
            media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
            form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker
            """
    }

    /// What is between the first `<style>` and its `</style>`, which is what a browser hashes.
    private static func firstStyle(in html: [UInt8]) -> ArraySlice<UInt8>? {
        let lower = html.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        guard let open = lower.firstRange(of: Array("<style".utf8)),
            let end = lower[open.upperBound...].firstIndex(of: UInt8(ascii: ">")),
            let close = lower[end...].firstRange(of: Array("</style".utf8))
        else { return nil }
        return html[(end + 1)..<close.lowerBound]
    }

    /// The SHA-256 as a policy has it: in base 64 with the two other characters, and padded.
    private static func base64(_ contents: ArraySlice<UInt8>) -> String {
        let text = Base64URL.text(of: EntityTag.digest(Array(contents)))
        return text.replacing("-", with: "+").replacing("_", with: "/") + "="
    }
}
