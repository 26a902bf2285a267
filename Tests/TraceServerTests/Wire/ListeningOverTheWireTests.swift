import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// Where the daemon listens, and where it does not.
struct ListeningOverTheWireTests {
    private let copy: SampleCopy

    init() throws { copy = try SampleCopy() }

    private func outcome(_ environment: [String: String]) throws -> (status: Int32, log: String) {
        let daemon = try DaemonProcess(in: copy.directory, environment: environment, awaitReady: false)
        return (daemon.waitForExit(), daemon.log)
    }

    /// A socket that listens on a free port of 127.0.0.1.
    private func listen(at port: Int = 0) throws -> (descriptor: Int32, port: Int) {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 1) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        return (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
    }

    @Test func `an address that can't be served safely ends the daemon, with the cure`() throws {
        for address in ["0.0.0.0:0", "[::]:0", "10.0.0.1:8722", "127.0.0.1:0, 0.0.0.0:0"] {
            let (status, log) = try outcome(["TRACE_HTTP_LISTEN": address])
            #expect(status == 78, "\(address): \(log)")
            #expect(log.contains("http_plain_network"), "\(log)")
        }
        for address in [
            "unix:/tmp/\(String(repeating: "x", count: 108))", "127.0.0.1", "127.0.0.1:65536", "127.0.0.1:-1",
            "x:1",
        ] {
            let (status, log) = try outcome(["TRACE_HTTP_LISTEN": address])
            #expect(status == 78, "\(address): \(log)")
            #expect(log.contains("http_listen") || log.contains("HTTP_LISTEN"))
            #expect(log.contains("hint:"), "\(log)")
        }
        let daemon = try DaemonProcess(
            in: copy.directory,
            environment: ["TRACE_HTTP_LISTEN": "0.0.0.0:0", "TRACE_HTTP_PLAIN_NETWORK": "yes"])
        try soon("it listens: \(daemon.log)") { daemon.log.contains(" listening address=0.0.0.0:") }
    }

    @Test(arguments: ["0.0.0.0", "[::]"])
    func `at every address it is called by each of its own, and knows this machine's clients`(
        _ address: String
    ) throws {
        let daemon = try DaemonProcess(
            in: copy.directory,
            environment: ["TRACE_HTTP_LISTEN": "\(address):0", "TRACE_HTTP_PLAIN_NETWORK": "yes"])
        var port = 0
        try soon("it listens: \(daemon.log)") {
            port = daemon.log.firstMatch(of: #/ listening address=\S+:(\d+)/#).flatMap { Int($0.1) } ?? 0
            return port > 0
        }
        func status(at called: String, _ host: String) throws -> String {
            try Scratch().run(
                "/usr/bin/curl",
                ["--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--max-time", "60"]
                    + ["--header", "Host: \(host)", "http://\(called):\(port)/healthz"]
            ).output
        }
        #expect(try status(at: "127.0.0.2", "127.0.0.2:\(port)") == "200")
        #expect(try status(at: "127.0.0.2", "[::ffff:127.0.0.2]:\(port)") == "200")
        for other in ["127.0.0.3", "10.1.2.3", "0.0.0.0", "[::]", "evil.example"] {
            #expect(try status(at: "127.0.0.2", other) == "421", "\(other)")
        }
        // More connections than one of another machine may have, in whatever form its address comes.
        let clients = try (0..<70).map { _ in try WireClient(port: port) }
        for client in clients { #expect(try client.request("GET", "/healthz").status == 200) }
    }

    @Test func `while its port is taken the daemon lives and says so, and listens once it is free`() throws {
        let (descriptor, port) = try listen()
        let daemon = try DaemonProcess(
            in: copy.directory, environment: ["TRACE_HTTP_LISTEN": "127.0.0.1:\(port)"])
        try soon("it says so: \(daemon.log)") { daemon.log.contains("[listen-failed]") }
        #expect(daemon.log.contains("another program listens there"))
        let status = try Binaries.trace(["status"], in: copy.directory)
        #expect(status.contains("127.0.0.1:\(port)") && status.contains("another program"), "\(status)")
        #expect(daemon.isRunning)
        close(descriptor)
        try soon("it listens: \(daemon.log)") { daemon.log.contains(" listening address=127.0.0.1:\(port)") }
        #expect(try WireClient(port: port).request("GET", "/healthz").status == 200)
        let failures = daemon.log.split(separator: "\n").count { $0.contains("[listen-failed]") }
        #expect(failures == 1, "the same is not said again and again")
    }

    @Test func `a reload opens what is new, closes what is gone, and leaves the rest`() throws {
        var ports: [Int] = []
        var taken: [Int32] = []
        for _ in 0..<2 {
            let (descriptor, port) = try listen()
            ports.append(port)
            taken.append(descriptor)
        }
        for descriptor in taken { close(descriptor) }
        let socket = "/tmp/trace-wire-\(UUID().uuidString.prefix(8)).sock"
        defer { unlink(socket) }
        let file = copy.directory.appending(path: "config.yaml")
        func configure(_ addresses: String) throws {
            try "http_listen: [\(addresses)]\n".write(to: file, atomically: true, encoding: .utf8)
        }
        try configure("127.0.0.1:\(ports[0]), \"unix:\(socket)\"")
        let daemon = try DaemonProcess(in: copy.directory, environment: ["TRACE_CONFIG": file.path])
        try soon("it listens: \(daemon.log)") {
            daemon.log.contains("address=127.0.0.1:\(ports[0])")
                && daemon.log.contains("address=unix:\(socket)")
        }
        // Whoever may open the socket may run trace, and needs no token.
        let local = try WireClient(unix: socket)
        #expect(try local.request("GET", "/api/v1/sessions").rows.count == 3)
        var status = stat()
        try #require(stat(socket, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o660)
        let first = try WireClient(port: ports[0])
        #expect(try first.request("GET", "/healthz").status == 200)

        try configure("127.0.0.1:\(ports[1]), \"unix:\(socket)\"")
        kill(daemon.id, SIGHUP)
        try soon("it listens there too: \(daemon.log)") {
            daemon.log.contains(" listening address=127.0.0.1:\(ports[1])")
                && daemon.log.contains("stopped listening address=127.0.0.1:\(ports[0])")
        }
        #expect(try WireClient(port: ports[1]).request("GET", "/healthz").status == 200)
        #expect(throws: POSIXError.self) { try WireClient(port: ports[0]) }
        // The connections of what stays, and those that were open, go on.
        #expect(try local.request("GET", "/api/v1/sessions").status == 200)
        #expect(try first.request("GET", "/healthz").status == 200)
        #expect(daemon.terminate().status == 0)
        #expect(access(socket, F_OK) != 0, "the socket's file is gone")
    }
}
