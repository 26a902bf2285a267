import HTTPTypes
import Testing
import TraceText

@testable import TraceServer

/// A browser's cookie works for our own page alone.
struct OriginRuleTests {
    private static let cookie = Authorization(token: "a", isFromCookie: true)

    private func isTaken(
        _ method: HTTPRequest.Method = .post, site: [String] = [], origin: [String] = [],
        authorization: Authorization? = Self.cookie, host: String = "studio.local:8722",
        isSecure: Bool = false,
        publicAddress: String? = nil
    ) -> Bool {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Sec-Fetch-Site") { fields[values: name] = site }
        fields[values: .origin] = origin
        do throws(ProtocolError) {
            try OriginRule(publicAddress: publicAddress).check(
                method, fields, authorization: authorization, host: host, isSecure: isSecure)
            return true
        } catch {
            #expect(error.code == .originForeign && error.code.meaning.http == 403)
            return false
        }
    }

    @Test(arguments: [
        (["same-origin"], true), (["same-site"], false), (["cross-site"], false), (["none"], false),
        ([""], false),
        (["Same-Origin"], false), (["same-origin", "cross-site"], false),
        (["same-origin", "same-origin"], false),
    ])
    func `a browser says whose page sends it`(site: [String], expected: Bool) {
        #expect(isTaken(site: site) == expected)
        #expect(isTaken(.put, site: site, origin: ["http://studio.local:8722"]) == expected)
        #expect(isTaken(.delete, site: site, origin: ["http://evil.example"]) == expected)
    }

    @Test(
        arguments: [
            (["http://studio.local:8722"], true), (["HTTP://STUDIO.local:8722"], true), ([], false),
            (["null"], false),
            (["http://studio.local"], false), (["http://studio.local:8723"], false),
            (["https://studio.local:8722"], false),
            (["http://evil.example"], false), (["http://studio.local:8722.evil.example"], false),
            (["http://studio.local:8722/"], false), (["http://a@studio.local:8722"], false),
            (["studio.local:8722"], false),
            (["http:studio.local:8722"], false),
            (["http://studio.local:8722", "http://studio.local:8722"], false),
            (["file://studio.local:8722"], false), ([""], false), (["http://"], false),
        ] as [([String], Bool)])
    func `an old browser says which origin its page has`(origin: [String], expected: Bool) {
        #expect(isTaken(origin: origin) == expected)
    }

    @Test(arguments: [
        ("https://a.example", "a.example", true, true), ("https://a.example", "a.example:443", true, true),
        ("https://a.example:443", "a.example", true, true), ("http://a.example", "a.example:80", false, true),
        ("http://a.example", "a.example", true, false), ("https://a.example", "a.example:80", true, false),
        ("http://[::1]:1", "[0:0:0:0:0:0:0:1]:1", false, true),
        ("http://127.0.0.1:1", "localhost:1", false, false),
    ])
    func `the port of a scheme need not be written`(
        origin: String, host: String, isSecure: Bool, expected: Bool
    ) {
        #expect(isTaken(origin: [origin], host: host, isSecure: isSecure) == expected)
    }

    @Test func `the public address is ours too`() {
        for address in [
            "https://trace.example.org", "https://trace.example.org/music/", "https://trace.example.org:443",
        ] {
            #expect(isTaken(origin: ["https://trace.example.org"], publicAddress: address))
            #expect(!isTaken(origin: ["http://trace.example.org"], publicAddress: address))
        }
        #expect(!isTaken(origin: ["null"], publicAddress: "nonsense"))
    }

    @Test func `what reads, and what no browser sends by itself, needs no origin`() {
        for method in [HTTPRequest.Method.get, .head, .options] {
            #expect(isTaken(method, site: ["cross-site"], origin: ["http://evil.example"]))
        }
        let field = Authorization(token: "a", isFromCookie: false)
        #expect(isTaken(site: ["cross-site"], authorization: field))
        #expect(isTaken(site: ["cross-site"], authorization: nil))
        #expect(!isTaken(.patch, site: ["cross-site"]))
        #expect(!isTaken(HTTPRequest.Method("PURGE") ?? .post, site: ["cross-site"]))
    }

    @Test(
        arguments: [
            ([], [], true), (["same-origin"], [], true), (["same-origin"], ["http://proxy.example"], true),
            (["cross-site"], [], false), (["none"], [], false), ([], ["http://studio.local:8722"], true),
            ([], ["http://proxy.example"], false), ([], ["https://studio.local:8722"], false),
            ([], ["app://localhost"], true), ([], ["null"], true),
        ] as [([String], [String], Bool)])
    func `a browser is paired only where its cookie would count`(
        site: [String], origin: [String], expected: Bool
    ) {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Sec-Fetch-Site") { fields[values: name] = site }
        fields[values: .origin] = origin
        let rule = OriginRule()
        var isPaired = true
        do throws(ProtocolError) {
            try rule.checkPairing(fields, host: "studio.local:8722", isSecure: false)
        } catch {
            #expect(error.code == .originForeign)
            isPaired = false
        }
        #expect(isPaired == expected)
        // What is paired can write, as far as it is a browser.
        if expected, !(site + origin).isEmpty, origin.allSatisfy({ $0.hasPrefix("http") }) {
            #expect(isTaken(site: site, origin: origin))
        }
    }
}
