import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Bodies that together are more than there is room for.
struct BodiesOverTheWireTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    @Test(arguments: ["/healthz", "/api/v1/sessions", "/api/v1/kinds"])
    func `an address that takes no body refuses one`(_ path: String) throws {
        let answer = try sample.ask("GET", "/" + path, json: "{}")
        #expect(answer.status == 413 && answer.code == "body-unexpected", "\(answer)")
        #expect(try sample.ask("GET", "/" + path).status == 200)
    }

    /// Begins a request and sends so much of its body.
    private func begin(_ count: Int, of length: Int) throws -> WireClient {
        let client = try sample.connect()
        let head = sample.bytes(
            "POST", "/queue", [("Content-Type", "application/jsonl"), ("Content-Length", "\(length)")])
        try client.send(head + [UInt8](repeating: 0x20, count: count))
        return client
    }

    /// Sends bodies until one of 100,000 bytes has no room: a large one and a small one at a time, for the body that asks may take what one of
    /// these would have had.
    private func fill() throws -> [WireClient] {
        var clients = try (0..<54).map { _ in try begin(1_040_000, of: 1_048_000) }
        let large = String(repeating: " ", count: 100_000)
        var answer = try sample.ask("PUT", "/queue/\(number(1))", json: large)
        try soon("there is no room: \(answer)") {
            // One that is refused can't send the rest.
            clients += [try? begin(1_040_000, of: 1_048_000), try? begin(90_000, of: 95_000)].compactMap(
                \.self)
            answer = try sample.ask("PUT", "/queue/\(number(1))", json: large)
            return answer.status == 503
        }
        #expect(answer.code == "too-many-bodies" && answer["retry-after"] != nil, "\(answer)")
        return clients
    }

    @Test
    func `a mark is taken while the bodies of others fill the memory, and a larger one is to come again`()
        throws
    {
        let clients = try fill()
        let mark = try sample.ask(
            "PUT", "/sessions/\(ServedSample.lateSet)/markers/\(number(2))", json: #"{"offset_ms":1000}"#)
        #expect(mark.isWritten, "\(mark)")
        withExtendedLifetime(clients) {}
    }

    @Test func `room is free again when those who took it have gone`() throws {
        var clients = try fill()
        clients.removeAll()
        let large = String(repeating: " ", count: 100_000)
        try soon("there is room") {
            try sample.ask("PUT", "/queue/\(number(1))", json: large).status == 422
        }
    }

    @Test func `a large body is in a file while it comes`() throws {
        let client = try begin(3_000_000, of: 4_000_000)
        let descriptors = "/proc/\(sample.daemon.id)/fd"
        try soon("a file without a name has it") {
            try FileManager.default.contentsOfDirectory(atPath: descriptors).contains { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(descriptors)/\(name)")
                return target?.hasPrefix(sample.daemon.state.path) == true
                    && target?.hasSuffix("(deleted)") == true
            }
        }
        try client.send([UInt8](repeating: 0x0A, count: 1_000_000))
        #expect(try client.answer(isHead: false).status == 200)
    }

    @Test func `who has no token sends no more than a few kilobytes`() throws {
        let code = #"{"code":"\#(String(repeating: "A", count: 5000))"}"#
        let answer = try sample.ask("POST", "/pair", token: "", json: code)
        #expect(answer.status == 413 && answer.code == "body-too-large", "\(answer)")
    }
}
