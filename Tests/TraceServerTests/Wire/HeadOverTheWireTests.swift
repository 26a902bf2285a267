import HTTPTypes
import ProgramHarness
import TestSupport
import Testing

@testable import TraceServer

/// `HEAD`, which is served wherever `GET` is.
struct HeadOverTheWireTests {
    @Test func `HEAD of every address that has GET says what GET says, without a body`() throws {
        let sample = try ServedSample()
        _ = try FilledRoutes.prepare(sample)
        let endpoints = Endpoint.routed.filter { $0.method == .get }
        #expect(endpoints.count > 20)
        let feed = try sample.newToken("--scope", "feed")
        for endpoint in endpoints {
            let path = FilledRoutes.path(of: endpoint, feed: feed)
            var whole = try sample.ask("GET", path)
            var (client, head) = try Self.head(path, sample)
            // Between the two the index may have come to rest, which gives the answer another tag.
            try soon("\(endpoint.id): HEAD says what GET says: \(head), \(whole)") {
                whole = try sample.ask("GET", path)
                (client, head) = try Self.head(path, sample)
                return Self.lasting(head, endpoint) == Self.lasting(whole, endpoint)
            }
            #expect(whole.status == 200, "\(endpoint.id): \(whole)")
            #expect(head.status == whole.status, "\(endpoint.id)")
            // Bytes of a body would be taken for the beginning of the next answer.
            let next = try client.request("GET", "/healthz", [("Connection", "close")])
            #expect(next.status == 200, "\(endpoint.id): \(next)")
            #expect(try client.rest().isEmpty, "\(endpoint.id)")
        }
    }

    /// Asks for the head alone, until the token may ask: asking for the whole first would take each turn that it gets.
    private static func head(_ path: String, _ sample: ServedSample) throws -> (WireClient, WireAnswer) {
        let fields = [("Authorization", "Bearer \(sample.token)")]
        var used: WireClient?
        let head = try sample.patiently("HEAD") {
            let client = try sample.connect()
            used = client
            return try client.request("HEAD", String(path.dropFirst()), fields)
        }
        return (try #require(used), head)
    }

    /// The fields of an answer that do not depend on when it was asked for.
    private static func lasting(_ answer: WireAnswer, _ endpoint: Endpoint) -> [String] {
        // The figures of a server, and how long it has run, have as many digits as they have.
        let isFigures = endpoint.id == "getMetrics" || endpoint.id == "getStatus"
        let changing = ["date", "trace-time"] + (isFigures ? ["content-length"] : [])
        return answer.fields.filter { !changing.contains($0.0) }.map { "\($0.0): \($0.1)" }.sorted()
    }
}
