import Testing

@testable import TraceServer

/// What is sent, of several forms that there are.
struct AcceptHeaderTests {
    private static let offered = ["application/json", "text/markdown", "text/html"]

    @Test(
        arguments: [
            ([], "application/json"), (["*/*"], "application/json"), (["text/html"], "text/html"),
            (["TEXT/HTML"], "text/html"), (["text/*"], "text/markdown"),
            (["text/html, text/markdown"], "text/markdown"),
            (["text/html, text/markdown;q=0.9"], "text/html"),
            (["text/html;q=0.5", "text/markdown;q=0.6"], "text/markdown"),
            (["*/*;q=0.1, text/html"], "text/html"), (["text/*;q=0.9, text/html;q=0.1"], "text/markdown"),
            (["*/*, application/json;q=0"], "text/markdown"),
            (["application/json; charset=utf-8"], "application/json"),
            (["text/html;level=\"a,b\";q=0.4, text/markdown;q=0.3"], "text/html"),
            (["text/html;q=1.000"], "text/html"),
            (["text/html;q=0."], nil), (["image/png"], nil), (["text/html;q=0"], nil), (["*/*;q=0"], nil),
            (["application/xml, image/*"], nil), (["text/*;q=0, application/*;q=0"], nil),
            // As browsers ask for a page.
            (["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"], "text/html"),
            // Malformed elements don't count; if there are no others, nor does the field.
            ([""], "application/json"), (["nonsense"], "application/json"),
            (["nonsense, text/html"], "text/html"),
            (["text/html;q=2"], "application/json"), (["text/html;q=x, text/markdown"], "text/markdown"),
            (["text/html;q=0.1234"], "application/json"), (["*/html"], "application/json"),
            (["text/html;q=-1"], "application/json"),
            (["text/html;x=\"unclosed, text/markdown"], "application/json"),
            (["*; q=.2, */*; q=.2"], "application/json"), ([",,text/html,,"], "text/html"),
            (["text / html"], "application/json"),
        ] as [([String], String?)])
    func `the type that the client likes best is sent`(values: [String], expected: String?) {
        #expect(AcceptHeader(values).best(of: Self.offered) == expected)
    }

    @Test func `a range that says more counts more, wherever it is`() {
        for value in ["text/html;q=0.2, text/*;q=0.9", "text/*;q=0.9, text/html;q=0.2"] {
            #expect(AcceptHeader([value]).best(of: ["text/html", "text/plain"]) == "text/plain")
        }
        #expect(AcceptHeader(["text/html"]).best(of: []) == nil)
    }

    @Test(
        arguments: [
            ([], ContentCoding.identity), (["gzip"], .gzip), (["gzip, deflate, br"], .gzip),
            (["GZIP"], .gzip),
            (["x-gzip"], .gzip), (["*"], .gzip), (["deflate, br"], .identity), (["gzip;q=0"], .identity),
            (["gzip;q=0, *"], .identity), (["*;q=0"], .identity), (["identity"], .identity),
            (["gzip;q=0.001"], .gzip),
            (["gzip;q=0.5, identity"], .identity), (["gzip, identity"], .gzip), (["br", "gzip"], .gzip),
            ([""], .identity),
            (["identity;q=0"], .identity), (["identity;q=0, *"], .gzip), (["gzip;q=x"], .identity),
            (["gzip;q"], .identity),
            (["x, gzip"], .gzip), (["gzip deflate"], .identity),
        ] as [([String], ContentCoding)])
    func `what may be compressed is, where the client says so`(values: [String], expected: ContentCoding) {
        #expect(ContentCoding.preferred(by: values) == expected)
    }
}
