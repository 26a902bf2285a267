import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// The configurations of proxies in `docs/operations.md`, run by the programs themselves; only ports, names of files and the
/// certificate are other ones.
struct ProxiesTests {
    enum Proxy: String, CaseIterable {
        case caddy, nginx
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardized

    private static func isInstalled(_ name: String) -> Bool {
        ["/usr/bin", "/usr/sbin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// A daemon behind a proxy.
    private final class Proxied {
        let scratch: Scratch
        let sample: ServedSample
        let port: Int
        private let proxy: ChildProcess

        /// - Parameter asksForPassword: Whether it has what the documentation says of a password in front; the user is `ann:x`.
        init(_ kind: Proxy, asksForPassword: Bool = false) throws {
            scratch = try Scratch()
            sample = try ServedSample([
                "TRACE_HTTP_PUBLIC_URL": "https://trace.example.org",
                "TRACE_HTTP_TRUSTED_PROXIES": "127.0.0.1",
            ])
            port = try FreePort.find()
            let made = try scratch.shell(
                """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=trace.example.org \\
                  -addext subjectAltName=DNS:trace.example.org -keyout key.pem -out cert.pem
                """)
            try #require(made.status == 0, "\(made)")
            let documentation = try String(
                contentsOf: ProxiesTests.root.appending(path: "docs/operations.md"), encoding: .utf8)
            let blocks = documentation.components(separatedBy: "```\(kind.rawValue)\n").dropFirst().compactMap
            {
                $0.components(separatedBy: "```").first
            }
            var text = try #require(blocks.first)
            if asksForPassword {
                try #require(blocks.count == 3)
                try "ann:{PLAIN}x\n".write(
                    toFile: "\(scratch.path)/users", atomically: true, encoding: .utf8)
                let asking = blocks[2].replacing("/etc/nginx/trace-users", with: "\(scratch.path)/users")
                text = blocks[1] + text.replacing("location / {\n", with: "location / {\n\(asking)")
            }
            text = text.replacing("127.0.0.1:8722", with: "127.0.0.1:\(sample.port)")
                .replacing(#/\/var\/log\/\w+/#, with: scratch.path)
            switch kind {
            case .nginx:
                text = text.replacing("listen 443 ssl", with: "listen 127.0.0.1:\(port) ssl")
                    .replacing(#/\/etc\/letsencrypt\S*\/fullchain.pem/#, with: "\(scratch.path)/cert.pem")
                    .replacing(#/\/etc\/letsencrypt\S*\/privkey.pem/#, with: "\(scratch.path)/key.pem")
                text = "events {}\nhttp {\n\(text)}\n"
            case .caddy:
                text = text.replacing(
                    "{\n\t#", with: "{\n\tadmin off\n\tauto_https disable_redirects\n\t#", maxReplacements: 1
                ).replacing(
                    "trace.example.org {",
                    with:
                        "https://trace.example.org:\(port) {\n\ttls \(scratch.path)/cert.pem \(scratch.path)/key.pem"
                )
            }
            try text.write(toFile: "\(scratch.path)/proxy.conf", atomically: true, encoding: .utf8)
            let command =
                switch kind {
                case .nginx:
                    "exec nginx -p \(scratch.path) -c \(scratch.path)/proxy.conf -e stderr -g 'daemon off; master_process off; pid nginx.pid;'"
                case .caddy: "exec caddy run --config proxy.conf --adapter caddyfile"
                }
            proxy = try scratch.start(
                "PATH=$PATH:/usr/sbin HOME=$PWD XDG_DATA_HOME=$PWD XDG_CONFIG_HOME=$PWD; export PATH HOME XDG_DATA_HOME XDG_CONFIG_HOME; \(command)",
                log: "proxy-output.log")
            try soon("\(kind) serves: \(scratch.text("proxy-output.log"))") {
                try self.curl("-u ann:x -o answer -w '%{http_code}' \(address("/healthz"))").output == "200"
            }
        }

        deinit { proxy.end() }

        func address(_ path: String) -> String { "'https://trace.example.org:\(port)\(path)'" }

        func curl(_ arguments: String) throws -> Outcome {
            try scratch.shell(command(arguments))
        }

        func command(_ arguments: String) -> String {
            "exec curl -sS --cacert cert.pem --resolve trace.example.org:\(port):127.0.0.1 \(arguments)"
        }
    }

    @Test(arguments: Proxy.allCases)
    func `a client behind the proxy is served as one without it`(kind: Proxy) throws {
        try #require(Self.isInstalled(kind.rawValue), "'make test' installs it")
        let server = try Proxied(kind)
        let bearer = "-H 'Authorization: Bearer \(server.sample.token)'"
        let list = try server.curl("\(bearer) \(server.address("/api/v1/sessions"))")
        #expect(list.output.contains(ServedSample.lateSetID), "\(list)")

        // The browser's own connection is encrypted, whatever the one to the daemon is.
        let pairing = try Binaries.trace(["pair", "--json"], in: server.sample.copy.directory)
        let code = try #require(pairing.firstMatch(of: #/"code":\s*"([^"]+)"/#)?.1)
        let paired = try server.curl(
            "-i -H 'Content-Type: application/json' -H 'Origin: https://trace.example.org' "
                + "-d '{\"code\":\"\(code)\",\"name\":\"phone\"}' \(server.address("/api/v1/pair"))")
        #expect(paired.output.contains("__Host-trace="), "\(paired)")

        // An event comes through at once.
        let stream = try server.scratch.start(
            server.command(
                "-N --max-time 60 \(bearer) \(server.address("/api/v1/events?session=\(ServedSample.lateSetID)"))"
            ),
            log: "events.txt")
        defer { stream.end() }
        try soon("the stream has begun") { server.scratch.text("events.txt").contains("retry:") }
        let marked = try server.curl(
            "\(bearer) -H 'Content-Type: application/json' -X PUT -d '\(ServedSample.marker("by proxy"))' "
                + server.address("/api/v1\(ServedSample.markerPath("01KJ2NSG40V5Q0J8VY9E3M4C2D"))"))
        #expect(marked.output.contains("applied"), "\(marked)")
        try soon("the event comes: \(server.scratch.text("events.txt"))") {
            server.scratch.text("events.txt").contains("by proxy")
        }

        // What has come of an upload that stalls is at the daemon, and not held back until the rest comes.
        let sound = Data([0, 0, 0, 24]) + Data("ftypM4A ".utf8) + Data(count: 3_000_000)
        try sound.write(to: URL(filePath: "\(server.scratch.path)/sound"))
        let audio = "/api/v1\(ServedSample.voiceNotePath("01KJ2NSG40V5Q0J8VY9E3M4C2E"))/audio"
        let upload = try server.scratch.start(
            server.command(
                "\(bearer) --limit-rate 200k -H 'Content-Type: audio/mp4' -T sound \(server.address(audio))"),
            log: "upload.txt")
        try soon("a part is kept: \(server.scratch.text("upload.txt"))") {
            let part = try server.sample.ask("HEAD", String(audio.dropFirst("/api/v1".count)))
            return part["upload-offset"].flatMap { Int($0) } ?? 0 > 100_000
        }
        upload.end()
    }

    @Test func `a proxy that asks for a password lets browsers and programs through`() throws {
        try #require(Self.isInstalled("nginx"), "'make test' installs it")
        let server = try Proxied(.nginx, asksForPassword: true)
        func status(_ arguments: String) throws -> String {
            try server.curl("-o answer -w '%{http_code}' \(arguments)").output
        }
        let sessions = server.address("/api/v1/sessions")
        #expect(try status(sessions) == "401")
        #expect(try server.curl("-i \(sessions)").output.contains("Basic realm=\"home\""))
        #expect(try !server.curl("-i \(sessions)").output.lowercased().contains("trace-time"))

        let pairing = try Binaries.trace(
            ["pair", "--scope", "mark", "--json"], in: server.sample.copy.directory)
        let code = try #require(pairing.firstMatch(of: #/"code":\s*"([^"]+)"/#)?.1)
        let browser =
            "-u ann:x -b jar -c jar -H 'Sec-Fetch-Site: same-origin' -H 'Content-Type: application/json'"
        let body = "{\"code\":\"\(code)\",\"name\":\"phone\"}"
        #expect(try status("\(browser) -d '\(body)' \(server.address("/api/v1/pair"))") == "201")
        #expect(try status("\(browser) \(sessions)") == "200")
        let marker = server.address("/api/v1\(ServedSample.markerPath("01KJ2NSG40V5Q0J8VY9E3M4C2G"))")
        let marked = try server.curl("\(browser) -X PUT -d '\(ServedSample.marker("behind it"))' \(marker)")
        #expect(marked.output.contains("applied"), "\(marked)")

        // Programs, feeds and players know no password.
        #expect(try status("-H 'Authorization: Bearer \(server.sample.token)' \(sessions)") == "200")
        let feed = try server.sample.newToken("--scope", "feed")
        #expect(try status(server.address("/feeds/\(feed)/feed.xml")) == "200")
        let path = "/sessions/\(ServedSample.lateSetID)/media/\(ServedSample.lateSetMedia)"
        let link = try #require(
            try server.sample.ask("POST", "\(path)/link").object["url"] as? String)
        let query = try #require(link.split(separator: "?").last)
        #expect(try status(server.address("/api/v1\(path)?\(query)")) == "200")
        #expect(try status(server.address("/api/v1\(path)")) == "401")
    }

    @Test(arguments: Proxy.allCases)
    func `no log of the proxy has a secret in it`(kind: Proxy) throws {
        try #require(Self.isInstalled(kind.rawValue), "'make test' installs it")
        let server = try Proxied(kind)
        func ask() throws {
            for path in [
                "/feeds/sEcReT/feed.xml", "/waterline/t/sEcReT",
                "/api/v1/sessions/last/media/x?exp=1&sig=sEcReT",
                "/%66eeds/sEcReT/x/y.m4a",
            ] {
                _ = try server.curl(
                    "-o answer -H 'Authorization: Bearer sEcReT' -H 'Cookie: __Host-trace=sEcReT' \(server.address(path))"
                )
            }
        }
        try ask()
        server.sample.daemon.kill()
        // Now the proxy has an error to log with each of them.
        try ask()
        let found = try server.scratch.shell("ls *.log; cat *.log")
        #expect(found.output.contains("trace.log"), "\(found)")
        #expect(found.output.contains("..."), "\(found)")
        #expect(!found.output.contains("sEcReT"), "\(found)")
    }

    @Test(arguments: Proxy.allCases)
    func `proxy and daemon agree where a request ends`(kind: Proxy) throws {
        try #require(Self.isInstalled(kind.rawValue), "'make test' installs it")
        let server = try Proxied(kind)
        let id = "01KJ2NSG40V5Q0J8VY9E3M4C2F"
        let marker = ServedSample.marker("smuggled")
        let hidden =
            "PUT /api/v1\(ServedSample.markerPath(id)) HTTP/1.1\r\nHost: trace.example.org\r\n"
            + "Authorization: Bearer \(server.sample.token)\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(marker.utf8.count)\r\n\r\n\(marker)"
        let start = "POST /api/v1/logout HTTP/1.1\r\nHost: trace.example.org\r\n"
        // In each, one reading has the second request in the body of the first, and the other has it behind.
        let size = hidden.utf8.count
        for head in [
            "Content-Length: \(size)\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "Content-Length: \(size)\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
            "Content-Length: \(size)\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
            "Content-Length: \(size)\r\nTransfer-Encoding:\u{B}chunked\r\n\r\n",
            "Content-Length: 0\r\nContent-Length: \(size)\r\n\r\n",
            "Content-Length: \(size)\r\nContent-Length: 0\r\n\r\n",
            "Content-Length: +\(size)\r\n\r\n", "Content-Length: \(size), 0\r\n\r\n",
            "X: y\r\n Content-Length: \(size)\r\n\r\n",
            "Transfer-Encoding: chunked, identity\r\nContent-Length: \(size)\r\n\r\n0\r\n\r\n",
        ] {
            try Data((start + head + hidden).utf8).write(to: URL(filePath: "\(server.scratch.path)/request"))
            _ = try server.scratch.shell(
                """
                timeout 2 openssl s_client -quiet -connect 127.0.0.1:\(server.port) -servername trace.example.org \
                  < request > answer 2> /dev/null
                """)
            let answer = server.scratch.text("answer")
            // Either the first is refused, or both ends take the second for what it is: never one of them alone.
            let passed = try server.sample.ask("GET", ServedSample.markerPath(id)).status == 200
            #expect(
                !passed || answer.components(separatedBy: "HTTP/1.1 ").count > 2,
                "\(head.debugDescription): \(answer)")
            if passed { _ = try server.sample.ask("DELETE", ServedSample.markerPath(id) + "?force=true") }
        }
        #expect(try server.curl("-o answer -w '%{http_code}' \(server.address("/healthz"))").output == "200")
    }
}

extension Scratch {
    /// What a file in it holds so far.
    fileprivate func text(_ name: String) -> String {
        (try? String(decoding: Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)) ?? ""
    }
}
