import Foundation
import Glibc
import ProgramHarness
import Synchronization
import TestSupport
import Testing

/// Which files of a session are served: regular ones below it that have a place there, under any name, and nothing else.
struct FileNamesOverTheWireTests {
    private let sample: ServedSample
    private let media: String
    private let files = "/sessions/\(ServedSample.lateSetID)/files/"

    init() throws {
        sample = try ServedSample()
        media = sample.session(ServedSample.lateSet).appending(path: "media").path
    }

    private func percentEncoded(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.utf8.count == 1 ? "0" + digits : digits)
        }.joined()
    }

    /// What stands behind `…/files/` and leads out of the session, or to what has no place in it.
    static let leadingOut = [
        "../session.json", "../../outside.m4a", "media/../../outside.m4a", "%2e%2e/session.json",
        "%2E%2E%2Fsession.json", "media/%2e%2e/session.json", "..%5csession.json", "..%2fsession.json",
        "%252e%252e/session.json", "%252e%252e%252fsession.json", "media/%00", "session.json%00.m4a",
        "/etc/passwd", "//etc/passwd", "media//x.m4a", "%2fetc%2fpasswd", ".", "..", "media/.", "media",
        "media/",
        "session.json/", "session.json/x", "session.json%20", "Session.json", "private.txt",
        String(repeating: "a", count: 4096), String(repeating: "a", count: 300),
        "media/\(String(repeating: "a", count: 300))", "media/\(String(repeating: "%61", count: 300))",
        "%c0%ae%c0%ae/session.json", "media/%c0%ae%c0%ae/session.json", "media/%e0%80%ae", "%ff",
        "media/%", "media/%4", "media/%zz", "",
    ]

    /// One after the other, with one daemon.
    @Test func `the files of a session are served, and no others`() throws {
        try `no address leads out of a session, or to a file that has no place in it`()
        try `no link is followed, and nothing but a regular file is opened`()
        try `a file that is exchanged for a link all the time is sent as itself, or not at all`()
        try `a path or a type in session.json leads nowhere and means nothing`()
        try `a file is served under any name, which the answer escapes`()
    }

    private func `no address leads out of a session, or to a file that has no place in it`() throws {
        try "outside".write(
            to: sample.copy.directory.appending(path: "sessions/outside.m4a"), atomically: true,
            encoding: .utf8)
        try "hidden".write(toFile: "\(media)/../private.txt", atomically: true, encoding: .utf8)
        for rest in Self.leadingOut {
            let answer = try sample.ask("GET", files + rest)
            #expect([400, 404].contains(answer.status), "\(rest): \(answer)")
            for word in ["outside", "hidden", "root:", "Late set"] {
                #expect(!answer.text.contains(word), "\(rest): \(answer)")
            }
        }
    }

    private func `no link is followed, and nothing but a regular file is opened`() throws {
        let secret = sample.copy.directory.appending(path: "secret.m4a")
        try "secret".write(to: secret, atomically: true, encoding: .utf8)
        let links = [
            "inside": "01KGN78MX99GRPVT40K82R6N1F-review.m4a", "outside": secret.path, "device": "/dev/zero",
            "dangling": "nowhere", "itself": "itself.m4a", "to-pipe": "pipe.m4a",
        ]
        for (name, target) in links {
            try #require(symlink(target, "\(media)/\(name).m4a") == 0)
        }
        try #require(mkfifo("\(media)/pipe.m4a", 0o644) == 0)
        try #require(symlink("..", "\(media)/up") == 0)
        try #require(mkdir("\(media)/directory.m4a", 0o755) == 0)
        for name in links.keys.sorted() {
            let answer = try sample.ask("GET", "\(files)media/\(name).m4a")
            #expect(answer.status == 404, "\(name): \(answer)")
            #expect(answer.code == "leaves-session", "\(name)")
        }
        for (rest, code) in [
            ("media/up/session.json", "leaves-session"), ("media/pipe.m4a", "not-regular-file"),
            ("media/directory.m4a", "not-regular-file"),
        ] {
            let answer = try sample.ask("GET", files + rest)
            #expect(answer.status == 404 && answer.code == code, "\(rest): \(answer)")
        }

        // A session whose parts are links themselves.
        let linked = sample.session(ServedSample.active)
        let elsewhere = sample.copy.directory
        for part in ["media", "markers.jsonl"] {
            try FileManager.default.moveItem(
                at: linked.appending(path: part), to: elsewhere.appending(path: part))
            try #require(
                symlink(elsewhere.appending(path: part).path, linked.appending(path: part).path) == 0)
        }
        let own = "/sessions/\(ServedSample.activeID)/files/"
        for rest in ["markers.jsonl", "media/01KH6YR93PA9GSCWKPC4MCDKME.m4a"] {
            let answer = try sample.ask("GET", own + rest)
            #expect(answer.status == 404 && answer.code == "leaves-session", "\(rest): \(answer)")
        }
        #expect(try sample.ask("GET", "\(own)session.json").status == 200)
    }

    private func `a file that is exchanged for a link all the time is sent as itself, or not at all`() throws
    {
        let (file, next) = ("\(media)/exchanged.m4a", "\(media)/next.tmp")
        let secret = sample.copy.directory.appending(path: "secret.m4a").path
        try "itself".write(toFile: file, atomically: true, encoding: .utf8)
        let isDone = Mutex(false)
        let exchanging = Thread {
            while !isDone.withLock({ $0 }) {
                guard symlink(secret, next) == 0, rename(next, file) == 0 else { return }
                guard (try? Data("itself".utf8).write(to: URL(filePath: next))) != nil,
                    rename(next, file) == 0
                else { return }
            }
        }
        exchanging.start()
        defer { isDone.withLock { $0 = true } }
        let client = try sample.connect()
        let request = sample.bytes("GET", "\(files)media/exchanged.m4a")
        var codes: [Int: Int] = [:]
        for _ in 0..<200 {
            try client.send(request)
            let answer = try client.answer()
            codes[answer.status, default: 0] += 1
            #expect(
                answer.status == 200 ? answer.text == "itself" : answer.code == "leaves-session", "\(answer)")
        }
        #expect(Set(codes.keys).isSubset(of: [200, 404]), "\(codes)")
    }

    private func `a path or a type in session.json leads nowhere and means nothing`() throws {
        let path = "media/v.m4a"
        let cases: [(path: String, mime: String, type: String?)] = [
            ("media/../../x", "audio/mp4", nil), ("/etc/shadow", "audio/mp4", nil),
            ("../\(ServedSample.lateSet)/session.json", "audio/mp4", nil),
            ("media/a/b/../c", "audio/mp4", nil),
            ("session.json", "audio/mp4", nil), ("media", "audio/mp4", nil), ("", "audio/mp4", nil),
            ("media/gone.m4a", "audio/mp4", nil),
            ("media/page.html", "text/html", "application/octet-stream"),
            ("media/image.svg", "image/svg+xml", "application/octet-stream"),
            (path, "text/html", "audio/mp4"), (path, "audio/mp4\r\nSet-Cookie: x=y", "audio/mp4"),
        ]
        let items: [[String: Any]] = cases.enumerated().map { index, item in
            [
                "id": number(index + 1), "kind": "audio", "path": item.path, "mime": item.mime,
                "created_at": "2026-02-01T18:00:00.000Z",
            ]
        }
        try sample.addSession(Array("odd".utf8), ["id": number(100), "media": items])
        let directory = sample.session("odd").appending(path: "media")
        try FileManager.default.createDirectory(
            at: directory.appending(path: "a/b"), withIntermediateDirectories: true)
        for name in ["page.html", "image.svg", "v.m4a", "a/c"] {
            try "<script>".write(to: directory.appending(path: name), atomically: true, encoding: .utf8)
        }
        for (index, item) in cases.enumerated() {
            let answer = try sample.ask("GET", "/sessions/\(number(100))/media/\(number(index + 1))")
            guard let type = item.type else {
                #expect(answer.status == 404, "\(item): \(answer)")
                continue
            }
            #expect(answer.status == 200, "\(item): \(answer)")
            #expect(answer["content-type"] == type, "\(item)")
            let isSaved = type == "application/octet-stream"
            #expect(answer["content-disposition"]?.hasPrefix(isSaved ? "attachment;" : "inline;") == true)
            #expect(answer["set-cookie"] == nil)
            #expect(answer["x-content-type-options"] == "nosniff")
            #expect(answer["content-security-policy"]?.contains("sandbox") == true)
        }
    }

    private func `a file is served under any name, which the answer escapes`() throws {
        let names: [(name: [UInt8], type: String)] = [
            (Array("x.m4a.html".utf8), "application/octet-stream"),
            (Array("x.zip".utf8), "application/octet-stream"),
            (Array(";rm -rf .m4a".utf8), "audio/mp4"),
            (Array("a\"b\\.m4a".utf8).filter { $0 != 0x5C }, "audio/mp4"),
            (Array("new\nline\r.m4a".utf8), "audio/mp4"), (Array("Übung.M4A".utf8), "audio/mp4"),
            (Array(repeating: UInt8(ascii: "a"), count: 251) + Array(".m4a".utf8), "audio/mp4"),
            ([0xFF, 0xFE] + Array(".m4a".utf8), "audio/mp4"), (Array("100%41.m4a".utf8), "audio/mp4"),
            (Array(".m4a".utf8), "application/octet-stream"),
            (Array("none".utf8), "application/octet-stream"),
        ]
        for (name, type) in names {
            try ServedSample.write("bytes".utf8, to: Array("\(media)/".utf8) + name)
            let answer = try sample.ask("GET", "\(files)media/\(percentEncoded(name))")
            let what = "\(String(decoding: name, as: UTF8.self)): \(answer)"
            #expect(answer.status == 200, "\(what)")
            #expect(answer.text == "bytes")
            #expect(answer["content-type"] == type, "\(what)")
            #expect(answer["x-content-type-options"] == "nosniff")
            let disposition = try #require(answer["content-disposition"])
            #expect(disposition.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(what)")
            #expect(
                disposition.split(separator: "\"", omittingEmptySubsequences: false).count == 3, "\(what)")
            let isSaved = type == "application/octet-stream"
            #expect(disposition.hasPrefix(isSaved ? "attachment;" : "inline;"), "\(what)")
        }
    }
}
