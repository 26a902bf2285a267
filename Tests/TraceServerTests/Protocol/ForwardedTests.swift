import HTTPTypes
import Testing

@testable import TraceServer

/// Who is behind the proxies.
struct ForwardedTests {
    private static let proxies = Set(["127.0.0.1", "10.0.0.1", "fd00::1"].compactMap { IPAddress($0) })

    private func forwarded(
        _ peer: String?, for values: [String], proto: [String] = [], isSecure: Bool = false
    ) -> Forwarded {
        var fields = HTTPFields()
        if let name = HTTPField.Name("X-Forwarded-For") { fields[values: name] = values }
        if let name = HTTPField.Name("x-forwarded-proto") { fields[values: name] = proto }
        return Forwarded(
            peer: peer.flatMap { IPAddress($0) }, isSecure: isSecure, fields, trusting: Self.proxies)
    }

    @Test(arguments: [
        ("127.0.0.1", [], "127.0.0.1"), ("127.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["198.51.100.1, 203.0.113.7, 10.0.0.1"], "203.0.113.7"),
        ("127.0.0.1", ["198.51.100.1", "203.0.113.7", "10.0.0.1"], "203.0.113.7"),
        ("127.0.0.1", ["10.0.0.1, 127.0.0.1"], "10.0.0.1"),
        ("127.0.0.1", ["203.0.113.7:4711"], "203.0.113.7"),
        ("127.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7"), ("127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        ("127.0.0.1", ["203.0.113.7, unknown"], "127.0.0.1"),
        ("127.0.0.1", ["203.0.113.7, unknown, 10.0.0.1"], "10.0.0.1"),
        ("127.0.0.1", ["203.0.113.7,"], "203.0.113.7"), ("::ffff:127.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("203.0.113.9", ["127.0.0.1"], "203.0.113.9"), ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("127.0.0.1", ["\"203.0.113.7\""], "127.0.0.1"), ("127.0.0.1", ["\t203.0.113.7 "], "203.0.113.7"),
    ])
    func `the client is the last address that is not a trusted proxy`(
        peer: String, values: [String], client: String
    ) {
        #expect(forwarded(peer, for: values).client?.description == client)
    }

    @Test(arguments: [
        ("127.0.0.1", ["https"], false, true), ("127.0.0.1", ["HTTPS"], false, true),
        ("127.0.0.1", ["http"], true, false),
        ("127.0.0.1", [], true, true), ("127.0.0.1", [], false, false),
        ("127.0.0.1", ["https, http"], false, false),
        ("127.0.0.1", ["http", "https"], false, true), ("127.0.0.1", ["wss"], false, false),
        ("203.0.113.9", ["https"], false, false), ("203.0.113.9", ["http"], true, true),
    ])
    func `a trusted proxy says whether the client is encrypted`(
        peer: String, proto: [String], isSecure: Bool, expected: Bool
    ) {
        #expect(forwarded(peer, for: [], proto: proto, isSecure: isSecure).isSecure == expected)
    }

    @Test func `nobody at a unix socket is a proxy`() {
        #expect(forwarded(nil, for: ["203.0.113.7"], proto: ["https"]) == forwarded(nil, for: []))
        #expect(forwarded(nil, for: []).client == nil)
    }
}
