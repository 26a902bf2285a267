import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// Sockets that the service manager has opened.
struct SocketActivationTests {
    private let copy: SampleCopy
    private let port: Int

    init() throws {
        copy = try SampleCopy()
        port = try FreePort.find()
    }

    /// A daemon that starts with the first connection, or the first packet.
    ///
    /// - Parameter wrapper: A program with its arguments that becomes the daemon in the end, such as `unshare`.
    private func activated(
        _ options: [String] = [], at address: String = "127.0.0.1", _ environment: [String: String] = [:],
        under wrapper: [String] = []
    ) throws -> DaemonProcess {
        let names = Binaries.environment(for: copy.directory).merging(environment) { $1 }.keys.sorted()
        return try DaemonProcess(
            in: copy.directory, environment: environment,
            under: ["/bin/sh", "-c", Self.keepingDescriptors, "sh"]
                + ["/usr/bin/systemd-socket-activate", "-l", "\(address):\(port)"] + options
                + names.flatMap { ["-E", $0] } + wrapper, awaitReady: false)
    }

    /// Foundation learns that a program has ended when the program's end of a socket is closed, and then waits for it, with all other
    /// programs waiting behind. `systemd-socket-activate` closes what it inherits, so somebody else keeps that end until the program
    /// has ended.
    private static let keepingDescriptors =
        #"(while [ -e /proc/$$/exe ]; do sleep 0.05; done) & exec "$@""#

    @Test func `a socket that is handed over is served without any setting`() throws {
        let daemon = try activated()
        try soon("it answers: \(daemon.log)") {
            guard let client = try? WireClient(port: port),
                let answer = try? client.request("GET", "/healthz")
            else { return false }
            return answer.status == 200
        }
        #expect(daemon.log.contains("listening address=127.0.0.1:\(port)"))
    }

    /// As `PrivateNetwork=yes` of the packaged unit does it; packaging/deb/test-booted looks at that.
    @Test func `a daemon without a network serves the socket, and reaches nothing itself`() throws {
        let daemon = try activated(under: ["/usr/bin/unshare", "--map-root-user", "--net"])
        func ask() -> Int? {
            try? WireClient(port: port).request("GET", "/healthz", [("Connection", "close")]).status
        }
        try soon("it answers: \(daemon.log)") { ask() == 200 }
        let routes = try String(contentsOfFile: "/proc/\(daemon.id)/net/route", encoding: .utf8)
        #expect(routes.split(separator: "\n").dropFirst().isEmpty, "a route: \(routes)")
        // What it would get if a request made it connect somewhere: not even this machine, on whose port it answers.
        let attempt = try Scratch().run(
            "/usr/bin/nsenter",
            ["--target", "\(daemon.id)", "--user", "--preserve-credentials", "--net", "curl", "--silent"]
                + ["--max-time", "20", "http://127.0.0.1:\(port)/healthz"])
        #expect(attempt.status == 7, "curl could connect: \(attempt)")
        #expect(ask() == 200)
    }

    @Test func `one that is not a listening stream is reported, and the daemon goes on`() throws {
        let daemon = try activated(["--datagram"])
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try soon("it is ready all the same: \(daemon.log)") {
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(descriptor, "x", 1, 0, $0, length)
                }
            }
            return daemon.log.contains(" ready ")
        }
        let words = "it is not a listening stream socket; write ListenStream= in the socket unit"
        #expect(daemon.log.contains(words))
        try soon("the status says so") {
            try Binaries.trace(["status"], in: copy.directory).contains(
                "http:     file descriptor 3: \(words)")
        }
    }

    @Test func `one that other machines reach is not served until the network is said to be trusted`() throws
    {
        let file = copy.directory.appending(path: "config.yaml")
        func configure(_ text: String) throws {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        try configure("http_plain_network: no\n")
        let daemon = try activated(at: "0.0.0.0", ["TRACE_CONFIG": file.path])
        var waiting: WireClient?
        try soon("it is ready all the same: \(daemon.log)") {
            if waiting == nil { waiting = try? WireClient(port: port) }
            return daemon.log.contains(" ready ")
        }
        let words = "0.0.0.0:\(port): the socket is reached by other machines, and nothing is encrypted"
        try soon("the status says so, with the cure") {
            let status = try Binaries.trace(["status"], in: copy.directory)
            return status.contains("http:     \(words)") && status.contains("http_plain_network")
        }
        #expect(daemon.log.contains("[listen-failed]") && daemon.log.contains("http_plain_network"))
        #expect(!daemon.log.contains(" listening "))

        // Whoever has connected meanwhile was not let in, and is once the setting is there.
        let client = try #require(waiting)
        try client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        try configure("http_plain_network: yes\n")
        kill(daemon.id, SIGHUP)
        #expect(try client.answer().status == 200)
        #expect(daemon.log.contains(" listening address=0.0.0.0:\(port)"))
        try soon("the status does not say so any more") {
            try !Binaries.trace(["status"], in: copy.directory).contains("nothing is encrypted")
        }
        let failures = daemon.log.split(separator: "\n").count { $0.contains("[listen-failed]") }
        #expect(failures == 1, "the same is not said again and again")
    }

    /// "A certificate of your own" in `docs/operations.md`: mkcert is run as it says, and a device that trusts the authority asks by the
    /// name, over a socket that any machine reaches. Only the names of places, the address and the port are other ones.
    @Test
    func
        `a certificate of one's own lets devices in over the socket of all addresses, and nobody without TLS`()
        throws
    {
        let page = try String(
            contentsOf: SampleCopy.sample.appending(path: "../docs/operations.md"), encoding: .utf8)
        let section = try #require(
            page.components(separatedBy: "#### A certificate of your own\n").dropFirst().first)
        func block(_ language: String) throws -> String {
            try #require(
                section.components(separatedBy: "```\(language)\n").dropFirst().first?
                    .components(separatedBy: "```").first)
        }
        let scratch = try Scratch()
        let command = try #require(block("sh").split(separator: "\n").first { $0.hasPrefix("mkcert ") })
        let made = try scratch.shell(
            "export CAROOT=\"$PWD/authority\" && mkdir authority && "
                + command.replacing("192.168.1.20", with: "127.0.0.1"))
        try #require(made.status == 0, "'make test' installs mkcert: \(made)")
        let settings = try block("yaml").replacing("/etc/trace/tls", with: scratch.path)
            .replacing("8722", with: "\(port)")
        try scratch.write(settings, to: "config.yaml")
        let unit = try block("ini")
        #expect(unit.contains("\nListenStream=\nListenStream=0.0.0.0:8722\n"), "\(unit)")

        let daemon = try activated(at: "0.0.0.0", ["TRACE_CONFIG": "\(scratch.path)/config.yaml"])
        let address = "https://SERVER.local:\(port)/healthz"
        func ask(_ arguments: String) throws -> Outcome {
            try scratch.shell(
                "curl -sS --resolve SERVER.local:\(port):127.0.0.1 -w '%{http_code}' \(arguments)"
            )
        }
        // The first connection starts it.
        var answer = Outcome()
        try soon("it answers: \(answer) \(daemon.log)") {
            answer = try ask("--cacert authority/rootCA.pem -o answer \(address)")
            return answer.output == "200"
        }
        #expect(daemon.log.contains(" listening address=0.0.0.0:\(port)"), "\(daemon.log)")
        // By the address, too; not by a name that is neither, nor for those who do not know the authority.
        let byAddress = try ask("--cacert authority/rootCA.pem -o answer https://127.0.0.1:\(port)/healthz")
        #expect(byAddress.output == "200", "\(byAddress)")
        let byOther = try ask(
            "--cacert authority/rootCA.pem --resolve other.local:\(port):127.0.0.1 https://other.local:\(port)/"
        )
        #expect(byOther.status == 60, "\(byOther)")
        #expect(try ask(address).status == 60)
        let plain = try ask("http://SERVER.local:\(port)/healthz")
        #expect(plain.status != 0 && plain.output == "000", "\(plain)")
    }
}
