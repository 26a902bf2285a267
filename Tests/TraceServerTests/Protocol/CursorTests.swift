import HTTPTypes
import Testing
import TraceText

@testable import TraceServer

/// Cursors of lists, and the link that holds one.
struct CursorTests {
    private func isRefused(_ text: String) -> Bool {
        do throws(ProtocolError) {
            _ = try Cursor(text)
            return false
        } catch {
            return error.code == .cursorMalformed && error.code.meaning.http == 400
        }
    }

    @Test(
        arguments: [
            [], [.integer(0)], [.integer(.min), .integer(.max), .integer(-1)], [.bytes([])],
            [.bytes([0, 0xFF, 0x0A])],
            [.integer(120_000), .bytes(Array("01M7".utf8))], [.bytes([UInt8](repeating: 7, count: 127))],
            [.bytes([UInt8](repeating: 7, count: 128))], [.bytes([UInt8](repeating: 7, count: 3000))],
            [.bytes([]), .bytes([]), .integer(5)],
        ] as [[Cursor.Field]])
    func `a cursor is the same when it comes back`(fields: [Cursor.Field]) throws {
        let text = Cursor(fields).text
        #expect(try Cursor(text).fields == fields)
        #expect(text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x5F })
    }

    @Test func `the text is a contract with clients that keep one for a while`() {
        #expect(
            Cursor([.integer(120_000), .bytes(Array("01M7".utf8))]).text == "AQAAAAAAAAHUwAEEMDFNNw3Wv84")
    }

    @Test func `any change of a character is seen`() {
        let text = Array(Cursor([.integer(120_000), .bytes(Array("01M7".utf8))]).text.utf8)
        for index in text.indices {
            for character in "AZaz09-_=+/ \u{0}é".utf8 where character != text[index] {
                var changed = text
                changed[index] = character
                #expect(isRefused(String(decoding: changed, as: UTF8.self)))
            }
            #expect(isRefused(String(decoding: text[..<index], as: UTF8.self)))
            #expect(isRefused(String(decoding: text[(index + 1)...], as: UTF8.self)))
        }
        #expect(isRefused(String(decoding: text, as: UTF8.self) + "A"))
        #expect(isRefused(String(decoding: text, as: UTF8.self) + "="))
    }

    /// The text of bytes with a right checksum behind them.
    private func text(_ bytes: [UInt8]) -> String {
        let checksum = CyclicChecksum.crc32(bytes)
        return Base64URL.text(of: bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) })
    }

    @Test(
        arguments: [
            [], [0], [2], [1, 2], [1, 0], [1, 0, 1, 2, 3], [1, 1], [1, 1, 1], [1, 1, 0x80], [1, 1, 0x80, 0],
            [1, 1, 0x81, 0, 7],
            [1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [1, 1, 0xFF, 0x7F], [1, 3, 0],
        ] as [[UInt8]])
    func `a right checksum makes no cursor of other bytes`(bytes: [UInt8]) {
        #expect(isRefused(text(bytes)))
    }

    @Test func `the checksum that the other test makes is the right one`() {
        #expect(!isRefused(text([1])))
        #expect(CyclicChecksum.crc32("123456789".utf8) == 0xCBF4_3926)
    }

    @Test func `a long text is not looked at`() {
        #expect(isRefused(Cursor([.bytes([UInt8](repeating: 7, count: 4000))]).text))
        #expect(isRefused(String(repeating: "A", count: 1 << 20)))
    }

    @Test func `a list takes the fields that it has put in, and no others`() throws {
        var reader = Cursor([.integer(5), .bytes([1])]).reader
        #expect(try reader.integer() == 5)
        #expect(try reader.bytes() == [1])
        try reader.finish()

        func code(_ body: () throws(ProtocolError) -> Void) -> ProtocolError.Code? {
            do throws(ProtocolError) {
                try body()
                return nil
            } catch { return error.code }
        }
        let cursor = Cursor([.integer(5)])
        #expect(
            code { () throws(ProtocolError) in
                var reader = cursor.reader
                _ = try reader.bytes()
            } == .cursorMalformed)
        #expect(
            code { () throws(ProtocolError) in
                var reader = Cursor([]).reader
                _ = try reader.integer()
            } == .cursorMalformed)
        #expect(code { () throws(ProtocolError) in try cursor.reader.finish() } == .cursorMalformed)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `base 64 is that of RFC 4648`(bytes: String, text: String) {
        #expect(Base64URL.text(of: Array(bytes.utf8)) == text)
        #expect(Base64URL.bytes(of: text) == Array(bytes.utf8))
    }

    @Test func `base 64 has one text for the same bytes`() {
        #expect(Base64URL.text(of: [0xFB, 0xFF]) == "-_8")
        for text in ["Zh", "Z", "Zg==", "Zg=", "Zm+v", "Zm/v", "Zm9vY", "Zm9\n", " Zg", "Zm9vYm"] + ["-_9"] {
            #expect(Base64URL.bytes(of: text) == nil)
        }
    }

    @Test func `a link to the next page is the same address with another query`() {
        #expect(
            LinkHeader.next([("limit", "100"), ("after", "AQ-_")]) == "<?limit=100&after=AQ-_>; rel=\"next\"")
        #expect(
            LinkHeader.next([("q", "a&b=c>; rel=\"x\"\r\né +")])
                == "<?q=a%26b%3Dc%3E%3B%20rel%3D%22x%22%0D%0A%C3%A9%20%2B>; rel=\"next\"")
    }

    @Test func `the query of a link is read as it was written`() throws {
        let value = "a&b=c>; \"\r\né +%41"
        let link = LinkHeader.next([("q", value)])
        let query = link.dropFirst().prefix { $0 != ">" }
        #expect(try RequestTarget("/\(query)", method: .get).query.value(of: "q") == value)
    }
}
