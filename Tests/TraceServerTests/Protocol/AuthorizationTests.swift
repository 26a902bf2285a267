import HTTPTypes
import Testing
import TraceText

@testable import TraceServer

/// Which token a request presents.
struct AuthorizationTests {
    private func presented(
        _ authorization: [String], _ cookies: [String] = [], isSecure: Bool = false
    ) throws(ProtocolError) -> Authorization? {
        var fields = HTTPFields()
        fields[values: .authorization] = authorization
        for cookie in cookies { fields.append(HTTPField(name: .cookie, value: cookie)) }
        return try Authorization.presented(in: fields, cookie: AccessCookie(isSecure: isSecure))
    }

    @Test(arguments: [
        ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER abc", "abc"), ("Bearer   abc", "abc"),
        (" Bearer abc ", "abc"), ("Bearer trace_A-._~+/==", "trace_A-._~+/=="),
    ])
    func `a token is read whatever the case of its scheme`(value: String, token: String) throws {
        #expect(try presented([value]) == Authorization(token: token, isFromCookie: false))
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Bearer bearer x", "Bearer a b", "Bearerabc", "Token YTpi", "abc",
        "Basically YTpi", "Bearer é",
        "Bearer =abc", "Bearer a=b", "Bearer \"abc\"", "Bearer a,b", "Bearer: abc", "Bearer\tabc",
        "Bearer " + String(repeating: "a", count: 1024),
    ])
    func `anything but one token is refused, even if there is a cookie`(value: String) {
        #expect { try presented([value], ["trace=abc"]) } throws: {
            ($0 as? ProtocolError)?.code == .credentialMalformed
        }
    }

    @Test(arguments: ["Basic YTpi", "basic", "BASIC YTpi", "Digest username=\"a\"", "Negotiate x", "NTLM x"])
    func `a password that the browser sends for a proxy is none of ours, and the cookie counts`(
        value: String
    ) throws {
        #expect(try presented([value], ["trace=abc"]) == Authorization(token: "abc", isFromCookie: true))
        #expect(try presented([value]) == nil)
        #expect { try presented([value, "Bearer a"], ["trace=abc"]) } throws: {
            ($0 as? ProtocolError)?.code == .credentialMalformed
        }
        #expect { try presented([value], ["trace=a", "trace=b"]) } throws: {
            ($0 as? ProtocolError)?.code == .credentialMalformed
        }
    }

    @Test func `two fields are refused`() {
        #expect { try presented(["Bearer a", "Bearer a"]) } throws: {
            ($0 as? ProtocolError)?.code.meaning.http == 401
        }
    }

    @Test func `the field wins over the cookie`() throws {
        #expect(try presented(["Bearer a"], ["trace=b"]) == Authorization(token: "a", isFromCookie: false))
        #expect(
            try presented(["Bearer a"], ["trace=b", "trace=c"])
                == Authorization(token: "a", isFromCookie: false))
        #expect(try presented([], ["trace=b"]) == Authorization(token: "b", isFromCookie: true))
        #expect(try presented([]) == nil)
        #expect(try presented([], ["other=b"]) == nil)
    }

    @Test(arguments: [["trace=a", "trace=b"], ["trace=a; trace=a"], ["trace="], ["trace=a b"]])
    func `cookies that hold no token, or two, are refused`(cookies: [String]) {
        #expect { try presented([], cookies) } throws: {
            ($0 as? ProtocolError)?.code == .credentialMalformed
        }
    }

    @Test func `a cookie of a plain connection is none of an encrypted one, and the other way round`() throws
    {
        #expect(try presented([], ["trace=a"], isSecure: true) == nil)
        #expect(try presented([], ["__Host-trace=a"], isSecure: false) == nil)
        #expect(try presented([], ["trace=a; __Host-trace=b"], isSecure: true)?.token == "b")
    }

    @Test func `no error tells the token`() {
        #expect { try presented(["Bearer secret secret"]) } throws: { !"\($0)".contains("secret") }
        #expect { try presented([], ["trace=secret; trace=secret"]) } throws: { !"\($0)".contains("secret") }
    }
}
