import Testing

@testable import TraceServer

/// Cookies, read and written.
struct CookiesTests {
    @Test(
        arguments: [
            ([], Cookies.Lookup.absent), (["trace=abc"], .value("abc")),
            (["a=1; trace=abc; b=2"], .value("abc")),
            (["a=1", "trace=abc"], .value("abc")), (["a=1;trace=abc"], .value("abc")),
            (["trace=\"abc\""], .value("abc")),
            ([" trace = abc "], .value("abc")), (["trace="], .value("")), (["trace=a=b=="], .value("a=b==")),
            (["Trace=abc"], .absent), (["xtrace=abc; trace2=d"], .absent), (["trace"], .absent),
            (["=trace"], .absent),
            (["trace=a; trace=b"], .ambiguous), (["trace=a; trace=a"], .ambiguous),
            (["trace=a", "trace=b"], .ambiguous),
            (["trace=a; trace=b c"], .ambiguous), (["trace=a b"], .malformed), (["trace=\"a"], .malformed),
            (["trace=a\""], .malformed), (["trace=a,b"], .malformed), (["trace=é"], .malformed),
            (["trace=a\u{0}"], .malformed),
            (["trace=a\\b"], .malformed), (["trace=a\nb"], .malformed), ([";;; ,=,; trace=a;;"], .value("a")),
            (["__Host-trace=abc"], .absent), (["tr ace=1; trace=a"], .value("a")),
        ] as [([String], Cookies.Lookup)])
    func `a cookie is found by its name`(values: [String], expected: Cookies.Lookup) {
        #expect(Cookies(values).lookup("trace") == expected)
    }

    @Test func `an encrypted connection has a cookie of its own`() {
        #expect(
            AccessCookie(isSecure: true).setting("trace_abc")
                == "__Host-trace=trace_abc; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure")
        #expect(
            AccessCookie(isSecure: false).setting("trace_abc")
                == "trace=trace_abc; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict")
    }

    @Test func `a browser is told to forget it`() {
        #expect(
            AccessCookie(isSecure: true).forgetting
                == "__Host-trace=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure")
    }

    @Test(arguments: ["", "a;b", "a b", "a\r\nSet-Cookie: x=y", "a\"b", "é", "a,b", "a\u{0}"])
    func `a token that could be anything else is not written`(token: String) {
        #expect(AccessCookie(isSecure: true).setting(token) == nil)
    }
}
