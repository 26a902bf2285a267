import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// TLS with certificates that openssl makes, asked by curl, openssl and Python.
///
/// Source: docs/operations.md#a-certificate-of-your-own.
struct EncryptionOverTheWireTests {
    /// A daemon that encrypts, and the files with which it does.
    private final class Encrypted {
        let scratch: Scratch
        let sample: ServedSample
        var certificate: String { "\(scratch.path)/cert.pem" }
        var key: String { "\(scratch.path)/key.pem" }
        /// The certificates that clients are to trust.
        var authorities: String { "\(scratch.path)/authorities.pem" }

        init(
            _ environment: [String: String] = [:], key: String = "ec -pkeyopt ec_paramgen_curve:P-256"
        ) throws {
            let scratch = try Scratch()
            self.scratch = scratch
            try Self.make("first", in: scratch, key: key)
            try Self.make("second", in: scratch)
            for name in ["cert", "key"] {
                try FileManager.default.copyItem(
                    atPath: "\(scratch.path)/first-\(name).pem", toPath: "\(scratch.path)/\(name).pem")
            }
            _ = try scratch.shell("cat first-cert.pem second-cert.pem > authorities.pem")
            sample = try ServedSample(
                [
                    "TRACE_HTTP_CERTIFICATE": "\(scratch.path)/cert.pem",
                    "TRACE_HTTP_KEY": "\(scratch.path)/key.pem",
                ].merging(environment) { $1 })
        }

        /// Makes a pair that is its own authority.
        static func make(
            _ name: String, in scratch: Scratch, key: String = "ec -pkeyopt ec_paramgen_curve:P-256"
        ) throws {
            let outcome = try scratch.shell(
                """
                openssl req -x509 -newkey \(key) -nodes -days 30 -subj /CN=localhost \\
                  -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout \(name)-key.pem -out \(name)-cert.pem
                """)
            try #require(outcome.status == 0, "\(outcome)")
        }

        /// Puts a file of the scratch directory in the place of the certificate or the key, as programs that renew them do.
        func put(_ source: String, at place: String) throws {
            let outcome = try scratch.shell("cp \(source) new.pem && mv new.pem \(place)")
            try #require(outcome.status == 0, "\(outcome)")
        }

        func serial(of file: String) throws -> String {
            let outcome = try scratch.shell("openssl x509 -noout -serial -in \(file)")
            return String(
                outcome.output.trimmingCharacters(in: .whitespacesAndNewlines).dropFirst("serial=".count))
        }

        /// What curl prints, after its arguments for the certificate.
        func curl(_ arguments: String) throws -> Outcome {
            try scratch.shell(
                "curl -sS --cacert authorities.pem -H 'Authorization: Bearer \(sample.token)' \(arguments)")
        }

        func address(_ path: String) -> String { "https://localhost:\(sample.port)\(path)" }

        func problems() throws -> String { try Binaries.trace(["status"], in: sample.copy.directory) }
    }

    @Test func `a certificate makes network addresses speak TLS of today, and nothing else`() throws {
        let socket = "/tmp/trace-wire-\(UUID().uuidString.prefix(8)).sock"
        defer { unlink(socket) }
        let server = try Encrypted(["TRACE_HTTP_LISTEN": "127.0.0.1:0, unix:\(socket)"])
        let answer = try server.curl("-i \(server.address("/api/v1/sessions"))")
        #expect(answer.output.hasPrefix("HTTP/1.1 200"), "\(answer)")
        // What is not encrypted gets no answer; on the socket in the file system nobody listens in.
        let plain = try WireClient(port: server.sample.port)
        try plain.send(Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        #expect(try !String(decoding: plain.rest(), as: UTF8.self).contains("HTTP/1.1 200"))
        #expect(try WireClient(unix: socket).request("GET", "/api/v1/sessions").status == 200)
        for (option, isTaken) in [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)] {
            let outcome = try server.scratch.shell(
                """
                echo | openssl s_client -connect 127.0.0.1:\(server.sample.port) -CAfile authorities.pem -verify_return_error \(option) \\
                  -alpn h2,http/1.1 2>&1
                """)
            #expect(outcome.output.contains("ALPN protocol: http/1.1") == isTaken, "\(option): \(outcome)")
        }
    }

    @Test(arguments: ["ec -pkeyopt ec_paramgen_curve:P-256", "rsa -pkeyopt rsa_keygen_bits:2048"])
    func `TLS 1.2 has ciphers with forward secrecy alone`(key: String) throws {
        let server = try Encrypted(key: key)
        for (ciphers, isTaken) in [
            ("kRSA", false), ("AES128-SHA", false), ("ECDHE+AESGCM", true), ("CHACHA20", true),
        ] {
            let outcome = try server.scratch.shell(
                """
                echo | openssl s_client -connect 127.0.0.1:\(server.sample.port) -CAfile authorities.pem -tls1_2 \\
                  -cipher '\(ciphers)@SECLEVEL=0' 2>&1
                """)
            #expect(outcome.output.contains("Cipher is ECDHE-") == isTaken, "\(ciphers): \(outcome)")
            #expect(outcome.output.contains("Cipher is (NONE)") != isTaken, "\(ciphers): \(outcome)")
        }
    }

    @Test func `a browser that is paired by TLS gets a cookie that it sends by TLS alone`() throws {
        let server = try Encrypted()
        let pairing = try Binaries.trace(["pair", "--json"], in: server.sample.copy.directory)
        let code = try #require(pairing.firstMatch(of: #/"code":\s*"([^"]+)"/#)?.1)
        let answer = try server.scratch.shell(
            """
            curl -sSi --cacert authorities.pem -H 'Content-Type: application/json' -H 'Sec-Fetch-Site: same-origin' \\
              -d '{"code":"\(code)","name":"phone"}' \(server.address("/api/v1/pair"))
            """)
        let cookie = try #require(
            answer.output.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie: ") },
            "\(answer)")
        #expect(cookie.contains("__Host-trace=") && cookie.contains("; Secure"), "\(cookie)")
    }

    @Test func `recordings and uploads pass through as they are`() throws {
        let server = try Encrypted()
        let media = "/api/v1/sessions/\(ServedSample.lateSetID)/media/\(ServedSample.lateSetMedia)"
        let plain = try Data(
            contentsOf: server.sample.session(ServedSample.lateSet).appending(
                path: "media/\(ServedSample.lateSetMedia)-review.m4a"))
        _ = try server.curl("-o got \(server.address(media))")
        #expect(try Data(contentsOf: URL(filePath: "\(server.scratch.path)/got")) == plain)
        let range = try server.curl("-r 100-299 -o part -w '%{http_code}' \(server.address(media))")
        #expect(range.output == "206", "\(range)")
        #expect(try Data(contentsOf: URL(filePath: "\(server.scratch.path)/part")) == plain[100..<300])
        // A body of several reads, which the server takes to its end before it says what it is.
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try body.write(to: URL(filePath: "\(server.scratch.path)/sound"))
        let path = "/api/v1\(ServedSample.voiceNotePath("01KJ2NSG40V5Q0J8VY9E3M4C2D"))/audio"
        let refused = try server.curl(
            "-w '%{http_code}' -o answer -X PUT -H 'Content-Type: audio/mp4' --data-binary @sound \(server.address(path))"
        )
        #expect(refused.output == "415", "\(refused)")
    }

    @Test func `files that are swapped one after the other under load fail no handshake`() throws {
        let server = try Encrypted()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../TLS/handshakes.py"
        ).standardized.path
        let load = try server.scratch.start(
            "exec python3 -B \(script) \(server.sample.port) authorities.pem stop", log: "handshakes.json")
        func says(_ words: String) throws {
            try soon("it says '\(words)': \(server.sample.daemon.log)") {
                server.sample.daemon.log.contains(words)
            }
        }
        // The key comes first, and fits nothing until its certificate is there.
        try server.put("second-key.pem", at: "key.pem")
        try says("is not the key of the certificate")
        try soon("the status says so") { try server.problems().contains("is not the key of the certificate") }
        // What can't be read is as good as no pair: a broken one, one that is gone, a pipe.
        try "nothing".write(toFile: server.key, atomically: true, encoding: .utf8)
        try says("no private key in PEM")
        _ = try server.scratch.shell("rm cert.pem")
        try says("does not exist")
        _ = try server.scratch.shell("mkfifo cert.pem")
        try says("not a regular file")
        // One that has expired is no renewal.
        let expired = try server.scratch.shell(
            """
            openssl req -new -key second-key.pem -subj /CN=localhost -out request.pem &&
              openssl x509 -req -in request.pem -signkey second-key.pem -days -1 -out expired.pem &&
              rm cert.pem && cp second-key.pem key.pem && cp expired.pem cert.pem
            """)
        try #require(expired.status == 0, "\(expired)")
        try says("the certificate has expired")
        try server.put("second-cert.pem", at: "cert.pem")
        try says("using another certificate")
        try soon("the status has nothing left to say") {
            let status = try server.problems()
            return !status.contains("cert.pem") && !status.contains("key.pem")
        }
        let new = try server.serial(of: "second-cert.pem")
        try soon("new connections get the new one") {
            try server.scratch.shell(
                "echo | openssl s_client -connect 127.0.0.1:\(server.sample.port) 2>/dev/null | openssl x509 -noout -serial"
            ).output.contains(new)
        }
        _ = try server.scratch.shell("touch stop")
        #expect(try load.wait(atMost: waitLimit) == 0)
        let told = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(filePath: "\(server.scratch.path)/handshakes.json")))
        let report = try #require(told as? [String: Any])
        #expect(report["failures"] as? [String] == [], "\(report)")
        #expect(try #require(report["count"] as? Int) > 20, "\(report)")
        #expect(
            report["serials"] as? [String] == [try server.serial(of: "first-cert.pem"), new], "\(report)")
    }

    @Test func `without a certificate that can be read the daemon lives, says so, and lets nobody in`() throws
    {
        let scratch = try Scratch()
        let sample = try ServedSample([
            "TRACE_HTTP_CERTIFICATE": "\(scratch.path)/first-cert.pem",
            "TRACE_HTTP_KEY": "\(scratch.path)/first-key.pem",
        ])
        try soon("it says so: \(sample.daemon.log)") {
            sample.daemon.log.contains("first-cert.pem: does not exist")
        }
        #expect((try? sample.connect().request("GET", "/healthz")) == nil)
        try Encrypted.make("first", in: scratch)
        try soon("it encrypts: \(sample.daemon.log)") {
            try scratch.shell(
                "curl -sS --cacert first-cert.pem https://localhost:\(sample.port)/healthz -o answer -w '%{http_code}'"
            ).output == "200"
        }
    }

    @Test(arguments: ["TRACE_HTTP_CERTIFICATE", "TRACE_HTTP_KEY"])
    func `one of the two files alone is an error of the configuration`(name: String) throws {
        let copy = try SampleCopy()
        let daemon = try DaemonProcess(
            in: copy.directory, environment: [name: "/tmp/x.pem", "TRACE_HTTP_LISTEN": "127.0.0.1:0"],
            awaitReady: false)
        #expect(daemon.waitForExit() == 78)
        #expect(daemon.log.contains("set both, or neither"), "\(daemon.log)")
    }

    @Test func `a handshake that stops is given up, and holds up nobody`() throws {
        let server = try Encrypted()
        let silent = try WireClient(port: server.sample.port)
        let halting = try WireClient(port: server.sample.port)
        // The head of a record that says 512 bytes follow, and some of them.
        try halting.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03])
        let began = ContinuousClock.now
        let answer = try server.curl("-o answer -w '%{http_code}' \(server.address("/healthz"))")
        #expect(answer.output == "200", "\(answer)")
        for client in [silent, halting] { _ = try client.rest() }
        #expect(ContinuousClock.now - began < .seconds(20))
    }
}
