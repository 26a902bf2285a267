import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// Clients that are slow, silent or many at a time. How long a client may take is tested by a clock that is turned in
/// `ConnectionPulseTests`; how long others have to wait meanwhile, and a thousand of each, `make slow-clients` measures.
struct SlowClientsTests {
    private static let count = Torture.size(full: 300, sample: 30)

    @Test func `heads and bodies that come in trickles end the connection, and hold nobody up`() throws {
        let sample = try ServedSample()
        let clients = try (0..<Self.count).map { number in
            let client = try sample.connect()
            let head =
                number.isMultiple(of: 2)
                ? "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: "
                : "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 4096\r\n\r\n{"
            try client.send(head.utf8)
            return client
        }
        for number in 0..<20 {
            for client in clients { try? client.send("x".utf8) }
            let path = ServedSample.markerPath(ProgramHarness.number(number))
            #expect(try sample.ask("PUT", path, json: ServedSample.marker()).isWritten)
        }
        for client in clients { try client.waitForClose() }
        try soon("they have ended") { try connectionCount(sample) == 1 }
    }

    @Test func `of those that say nothing, as many are let in as may be, and the others are refused`() throws
    {
        let limit = 24
        let sample = try ServedSample(["TRACE_HTTP_CONNECTIONS": "\(limit)"])
        let first = try sample.connect()
        #expect(try first.request("GET", "/healthz").status == 200)
        var silent: [WireClient] = []
        for _ in 0..<Self.count + limit { silent.append(try sample.connect()) }
        func metrics() throws -> String {
            let fields = [("Authorization", "Bearer \(sample.token)")]
            return try first.request("GET", "/metrics", fields).text
        }
        try soon("those over the limit are refused") {
            try metrics().contains(
                "\ntrace_http_refused_total{reason=\"connections\"} \(Self.count + 1)\n")
        }
        #expect(try metrics().contains("\ntrace_http_connections \(limit)\n"))
        silent = []
        try soon("others are served again") {
            (try? sample.connect().request("GET", "/healthz").status) == 200
        }
    }

    @Test func `connections that are reset at once leave nothing behind`() throws {
        let sample = try ServedSample()
        for _ in 0..<Self.count * 10 { try sample.connect().resetWhenClosed() }
        #expect(try sample.ask("GET", "/sessions").status == 200)
        try soon("they have ended") { try connectionCount(sample) == 1 }
        #expect(sample.daemon.isRunning)
    }

    /// The socket has room for some megabytes, which are the kernel's; the daemon itself keeps little of what is not taken.
    @Test func `clients that take nothing cost little memory`() throws {
        let sample = try ServedSample()
        let file = sample.session(ServedSample.lateSet).appending(path: "media/large.wav")
        try Data().write(to: file)
        try #require(truncate(file.path, 1 << 30) == 0)
        let path = "/sessions/\(ServedSample.lateSetID)/files/media/large.wav"
        let one = try sample.connect()
        try one.send(sample.bytes("GET", path))
        #expect(try one.head().status == 200)
        try waitForRest(sample.daemon)
        let before = try #require(sample.daemon.residentBytes)
        let clients = try (0..<Self.count).map { _ in try sample.connect() }
        for client in clients { try client.send(sample.bytes("GET", path)) }
        for client in clients { #expect(try client.head().status == 200) }
        try waitForRest(sample.daemon)
        let growth = try #require(sample.daemon.residentBytes) - before
        #expect(
            growth < Self.count * (512 << 10) + (16 << 20), "\(growth >> 20) MiB for \(Self.count) clients")
    }

    /// Waits until the daemon has read nothing for a hundred looks in turn.
    private func waitForRest(_ daemon: DaemonProcess) throws {
        var last = 0
        var sameCount = 0
        try soon("all of them wait") {
            let now = daemon.bytesRead
            sameCount = now == last ? sameCount + 1 : 0
            last = now
            return sameCount == 100
        }
    }

    private func connectionCount(_ sample: ServedSample) throws -> Int {
        let text = try sample.ask("GET", "//metrics").text
        return try #require(text.firstMatch(of: #/\ntrace_http_connections (\d+)/#).flatMap { Int($0.1) })
    }
}
