import HTTPTypes
import Testing
import TraceText

@testable import TraceServer

/// By which names the server may be called.
struct HostRuleTests {
    private static let rule = HostRule(
        addresses: ["192.168.1.5", "fd00::5", "0.0.0.0", "::"].compactMap { IPAddress($0) },
        hostName: "Studio",
        configured: ["trace.example.org", "music.example:443", "[fd00::6]", "not a name"])

    private func code(_ values: [String], _ rule: HostRule = Self.rule) -> ProtocolError.Code? {
        do throws(ProtocolError) {
            try rule.check(values)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        "localhost", "localhost:8722", "LOCALHOST", "127.0.0.1", "127.0.0.1:8722", "[::1]", "[::1]:8722",
        "[0:0:0:0:0:0:0:1]:1", "[::ffff:127.0.0.1]", "192.168.1.5:8722", "[fd00::5]", "[FD00::5]:80",
        "studio",
        "STUDIO:8722", "studio.local", "trace.example.org", "trace.example.org:65535", "music.example",
        "[fd00::6]",
        "localhost:0",
    ])
    func `ours are taken, with any port`(value: String) {
        #expect(code([value]) == nil)
    }

    @Test func `the address at which the connection arrived is one of ours`() throws {
        let address = try #require(IPAddress("10.1.2.3"))
        func isOurs(_ host: String) -> Bool { (try? Self.rule.check([host], calledAt: address)) != nil }
        for host in ["10.1.2.3", "10.1.2.3:8722", "[::ffff:10.1.2.3]:1"] { #expect(isOurs(host), "\(host)") }
        for host in ["10.1.2.4", "10.1.2.3.nip.io", "evil.example", "0.0.0.0"] {
            #expect(!isOurs(host), "\(host)")
        }
    }

    @Test(arguments: [
        "evil.example", "192.168.1.6", "localhost.", "studio.local.", "127.0.0.1.nip.io", "127.0.0.1.",
        "127.0.0.2",
        "127.1", "2130706433", "0x7f000001", "0.0.0.0", "[::]", "[::2]", "localhost.evil.example",
        "evil-localhost",
        "null", "studio.example", "xn--studio", "local", "not",
    ])
    func `others are not`(value: String) {
        #expect(code([value]) == .hostUnknown)
    }

    @Test(
        arguments: [
            [], [""], ["localhost", "localhost"], ["localhost", "evil.example"], [" "], ["user@localhost"],
            ["localhost/x"], ["localhost:"], ["localhost:x"], ["localhost:65536"], ["localhost:-1"],
            ["localhost:80:80"],
            ["::1"], ["[::1"], ["[::1]x"], ["[localhost]"], ["[127.0.0.1]"], ["[::1%25lo]"],
            ["localhost, evil"],
            ["http://localhost"], [":8722"], ["localhost\u{0}"], ["lócalhost"], ["localhost "],
            ["localhost:08722x"],
        ] as [[String]])
    func `none, several and what is not a name are malformed`(values: [String]) {
        #expect(code(values) == .hostMalformed)
    }

    @Test func `a name that could be anything is not let in by the name of the machine`() {
        let named = HostRule(addresses: [], hostName: "studio.example.org", configured: [])
        #expect(code(["studio.example.org"], named) == nil)
        #expect(code(["studio.local"], named) == nil)
        #expect(code(["studio"], named) == .hostUnknown)
        for hostName in ["localhost", "", "a b", nil] {
            let rule = HostRule(addresses: [], hostName: hostName, configured: [])
            #expect(code(["localhost.local"], rule) == .hostUnknown)
            #expect(code(["a"], rule) == .hostUnknown)
            #expect(code(["127.0.0.1"], rule) == nil)
        }
    }

    @Test func `the statuses are those of a misdirected and of a malformed request`() {
        #expect(ProtocolError.Code.hostUnknown.meaning.http == 421)
        #expect(ProtocolError.Code.hostMalformed.meaning.http == 400)
    }

    @Test func `all lines are found again where the first was taken out as the authority`() {
        var request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")
        #expect(HostRule.values(of: request) == ["localhost"])
        request.headerFields = HTTPFields(
            [HTTPField.Name("Host")].compactMap { $0.map { HTTPField(name: $0, value: "evil.example") } })
        #expect(HostRule.values(of: request) == ["localhost", "evil.example"])
        request.authority = nil
        #expect(HostRule.values(of: request) == ["evil.example"])
    }

    @Test(arguments: [
        ("studio", true), ("[::1]", true), ("10.0.0.1", true), ("a b", false), ("", false), ("*", false),
    ])
    func `a configured name is checked in the same way`(text: String, isHost: Bool) {
        #expect(HostRule.isHost(text) == isHost)
    }
}
