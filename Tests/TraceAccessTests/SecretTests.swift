import Testing
import TestSupport
import TraceFiles
import TraceText

@testable import TraceAccess

struct SecretTests {
    private static func code(of text: String) -> AccessErrorCode? {
        do {
            _ = try TokenSecret(parsing: text.utf8)
            return nil
        } catch { return error.code }
    }

    @Test func `a token is read again, in upper and in lower case`() throws {
        for _ in 0..<100 {
            let secret = TokenSecret()
            #expect(secret.text.wholeMatch(of: #/trace_[0-9a-hjkmnp-tv-z]{38}/#) != nil)
            for text in [secret.text, secret.text.uppercased()] {
                let again = try TokenSecret(parsing: text.utf8)
                #expect(again.text == secret.text)
                #expect(again.sha256 == secret.sha256)
            }
        }
    }

    @Test func `tokens differ, and so do their hashes`() {
        let secrets = (0..<1000).map { _ in TokenSecret() }
        #expect(Set(secrets.map(\.text)).count == secrets.count)
        #expect(Set(secrets.map(\.sha256)).count == secrets.count)
    }

    @Test func `letters that look like digits are read as digits`() throws {
        let secret = "trace_00000000000000001111111111111111"
        let digits = try #require(SecretDigits(secret.dropFirst(6).utf8))
        let whole = secret + String(decoding: digits.checksum(count: 6).lowerCase, as: UTF8.self)
        let typed = "trace_OoOo0000000000001IiLl1111111111" + whole.dropFirst(37)
        #expect(try TokenSecret(parsing: typed.utf8).text == whole)
    }

    @Test func `the hash is that of the token as it is shown`() throws {
        // printf %s trace_… | sha256sum
        let digits = String(repeating: "0", count: 32)
        let checksum = try #require(SecretDigits(digits.utf8)).checksum(count: 6)
        let text = "trace_" + digits + String(decoding: checksum.lowerCase, as: UTF8.self)
        #expect(try TokenSecret(parsing: text.utf8).sha256 == secretHash(Array(text.utf8)))
        #expect(secretHash(Array("abc".utf8)).hasPrefix("ba7816bf8f01cfea"))
    }

    @Test func `each single typing error is told from another token`() throws {
        let text = TokenSecret().text
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        for index in 6..<text.count {
            for letter in alphabet {
                var typed = Array(text)
                guard typed[index] != letter else { continue }
                typed[index] = letter
                #expect(Self.code(of: String(typed)) == .tokenMistyped, "\(index) \(letter)")
            }
        }
        for index in 6..<text.count - 1 {
            var typed = Array(text)
            typed.swapAt(index, index + 1)
            let isSame = String(typed) == text
            #expect(Self.code(of: String(typed)) == (isSame ? nil : .tokenMistyped))
        }
    }

    @Test(arguments: [
        "", "trace_", "trace", "trace_0", "Bearer x", "\u{0}", "trace_" + String(repeating: "u", count: 38),
        "trace-" + String(repeating: "0", count: 38), "trace_" + String(repeating: "0", count: 37),
        "trace_" + String(repeating: "0", count: 39), " trace_" + String(repeating: "0", count: 37),
        "trace_" + String(repeating: "é", count: 19), "trace_" + String(repeating: "0", count: 100_000),
        "trace\u{7F}" + String(repeating: "0", count: 38),
    ])
    func `what can't be a token is malformed`(text: String) {
        #expect(Self.code(of: text) == .tokenMalformed)
    }

    @Test func `no bytes are too much for the parsers`() {
        var dice = Torture.dice(#function)
        for round in 0..<Torture.size(full: 200_000, sample: 5000) {
            let count = round % 5 == 0 ? 44 : Int.random(in: 0...120, using: &dice)
            var bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
            if round % 2 == 0 {
                bytes.replaceSubrange(0..<min(6, count), with: Array("trace_".utf8).prefix(count))
            }
            if let secret = try? TokenSecret(parsing: bytes) { #expect(secret.text.utf8.count == 44) }
            if let code = try? PairingCode(parsing: bytes) {
                #expect([9, 32].contains(code.text.utf8.count))
            }
        }
    }

    // MARK: - Codes

    @Test(arguments: [
        ("K7QF-2M9D", "K7QF-2M9D"), ("k7qf2m9d", "K7QF-2M9D"), (" k7qf - 2m9d ", "K7QF-2M9D"),
        ("-K-7-Q-F-2-M-9-D-", "K7QF-2M9D"), ("OoIi-LlAa", "0011-11AA"),
        ("0123456789ABCDEFGHJKMNPQRSTVWXYZ", "0123456789abcdefghjkmnpqrstvwxyz"),
    ])
    func `a code is read as people type it`(typed: String, text: String) throws {
        #expect(try PairingCode(parsing: typed.utf8).text == text)
    }

    @Test(arguments: [
        "", "-", "K7QF-2M9", "K7QF-2M9D0", "K7QF_2M9D", "K7QF-2M9U", "K7QF-2M9\u{0}", "K7QF\n2M9D",
        String(repeating: "0", count: 31), String(repeating: "0", count: 33),
        "K7QF2M9D" + String(repeating: "-", count: 100),
    ])
    func `what can't be a code is malformed`(typed: String) {
        do {
            _ = try PairingCode(parsing: typed.utf8)
            Issue.record("'\(typed)' was taken")
        } catch { #expect(error.code == .pairingCodeMalformed) }
    }

    // MARK: - Hiding

    @Test func `a secret is not in what is printed of it`() throws {
        let secret = TokenSecret()
        let code = PairingCode.long()
        func dumped(_ value: some Any) -> String {
            var text = ""
            dump(value, to: &text)
            return text
        }
        for shown in [
            "\(secret)", String(reflecting: secret), dumped(secret), "\([secret])", dumped((1, secret)),
            "\(code)", String(reflecting: code), dumped(code), "\(Optional(secret) as Any)",
        ] {
            let lower = shown.lowercased()
            #expect(!lower.contains(secret.text.dropFirst(6)), "\(shown)")
            #expect(!lower.contains(code.text), "\(shown)")
            #expect(!lower.contains("values"), "\(shown)")
        }
    }
}
