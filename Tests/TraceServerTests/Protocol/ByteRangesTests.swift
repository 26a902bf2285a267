import Testing

@testable import TraceServer

/// Which bytes a `Range` stands for.
struct ByteRangesTests {
    /// What a file has of a value of `Range`, as the status and the range that are answered.
    private func answer(_ value: String, size: Int64) -> String {
        guard let ranges = ByteRanges(value) else { return "200" }
        switch ranges.selection(of: size) {
        case .whole: return "200"
        case .part(let range): return "206 \(range.contentRange(of: size))"
        case .nothing: return "416 \(ByteRange.unsatisfiedContentRange(of: size))"
        }
    }

    @Test(arguments: [
        ("bytes=0-0", "206 bytes 0-0/1000"), ("bytes=0-", "206 bytes 0-999/1000"),
        ("bytes=0-1", "206 bytes 0-1/1000"), ("bytes=999-", "206 bytes 999-999/1000"),
        ("bytes=-500", "206 bytes 500-999/1000"), ("bytes=-5000", "206 bytes 0-999/1000"),
        ("bytes=-0", "416 bytes */1000"), ("bytes=1000-", "416 bytes */1000"), ("bytes=500-499", "200"),
        ("bytes=0-99,100-199", "206 bytes 0-199/1000"), ("bytes=0-0,-1", "200"), ("items=0-1", "200"),
        ("bytes=a-b", "200"), ("bytes=0-18446744073709551616", "206 bytes 0-999/1000"),
        ("bytes= 0-1 ", "206 bytes 0-1/1000"),
    ])
    func `a file of 1000 bytes`(value: String, expected: String) {
        #expect(answer(value, size: 1000) == expected)
    }

    @Test(arguments: [
        ("bytes=0-", "416 bytes */0"), ("bytes=0-0", "416 bytes */0"), ("bytes=-0", "416 bytes */0"),
        ("bytes=-1", "200"), ("bytes=0-,-1", "200"),
    ])
    func `an empty file has no range, but its last bytes are all of it`(value: String, expected: String) {
        #expect(answer(value, size: 0) == expected)
    }

    @Test(arguments: [
        ("bytes=100-199,0-99", "206 bytes 0-199/1000"), ("bytes=0-50,10-20,15-60", "206 bytes 0-60/1000"),
        ("bytes=0-9,11-20", "200"), ("bytes=0-9,1000-", "206 bytes 0-9/1000"),
        ("bytes=990-,-10", "206 bytes 990-999/1000"),
        ("bytes=2000-,3000-", "416 bytes */1000"), ("bytes=0-0,1-1,2-2", "206 bytes 0-2/1000"),
        ("bytes=0-9223372036854775807,5-6", "206 bytes 0-999/1000"),
    ])
    func `ranges that touch are joined, and those past the end don't count`(value: String, expected: String) {
        #expect(answer(value, size: 1000) == expected)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=--1", "bytes=0", "bytes=0--1", "bytes=+0-1",
        "bytes=0 -1",
        "bytes=0- 1", "bytes =0-1", "bytes=0-1;", "bytes=0-1 2-3", "bytes=0-1,x", "bytes=5-4,0-1", "=0-1",
        "bytes=0x0-1", "bytes=0-1\u{0}", "bytes=٠-١", "bytes:0-1",
    ])
    func `what breaks the grammar is ignored`(value: String) {
        #expect(ByteRanges(value) == nil)
    }

    @Test(arguments: [
        "BYTES=0-1", "bytes=,0-1", "bytes=0-1,,", "bytes=\t0-1 , ,", " bytes=0-1", "bytes=000-0001",
    ])
    func `case, white space and empty elements don't matter`(value: String) {
        #expect(answer(value, size: 1000) == "206 bytes 0-1/1000")
    }

    @Test func `a file may be as large as a number can be`() {
        #expect(
            answer("bytes=-1", size: .max)
                == "206 bytes 9223372036854775806-9223372036854775806/9223372036854775807")
        #expect(answer("bytes=99999999999999999999-", size: .max) == "416 bytes */9223372036854775807")
    }

    @Test(arguments: [65, 1000, 10_000])
    func `more ranges than anybody needs are ignored, even if they could be joined`(count: Int) {
        let one = "0-1"
        #expect(ByteRanges("bytes=" + Array(repeating: one, count: count).joined(separator: ",")) == nil)
        #expect(ByteRanges("bytes=" + Array(repeating: one, count: 64).joined(separator: ",")) != nil)
    }
}
