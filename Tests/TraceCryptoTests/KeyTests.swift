import Testing
import TraceCrypto

struct KeyTests {
    /// Source: RFC 4231, cases 1, 2, 3 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `HMAC-SHA-256 gives the published codes`(key: [UInt8], message: [UInt8], code: String) throws {
        let key = SymmetricKey(data: key)
        let found = try MessageAuthentication.code(for: message, using: key)
        #expect(hexadecimal(found) == code)
        #expect(MessageAuthentication.isValid(found, for: message, using: key))
    }

    @Test func `an empty key and an empty message have a code, and none of them is another's`() throws {
        let none = try MessageAuthentication.code(for: [], using: SymmetricKey(data: []))
        // Source: a second implementation.
        #expect(
            hexadecimal(none) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        #expect(!MessageAuthentication.isValid(none, for: [0], using: SymmetricKey(data: [])))
        #expect(
            !MessageAuthentication.isValid(Array(none.dropLast()), for: [], using: SymmetricKey(data: [])))
        #expect(!MessageAuthentication.isValid([], for: [], using: SymmetricKey(data: [])))
    }

    private static let key = SymmetricKey(data: (0..<32).map { UInt8($0) })
    private static let nonce = (0..<12).map { UInt8($0) }

    /// Source: a second implementation of RFC 8439, with the key 00…1f and the nonce 00…0b.
    @Test(arguments: [
        ("", "295a498b8841a1c5f55d4d606f731159"), ("a", "e89d2eb5cca1f239b4c878d9ddaf7dab1b"),
        (
            "Ladies and Gentlemen, ♫",
            "c59a6c694c648521d9e71fb4fd737a0fac1dd7897d544f204daa7c9a59babeb855e7eaa67f8c121c9b"
        ),
    ])
    func `what is sealed is what others seal, and is opened again`(text: String, sealed: String) throws {
        let found = try ChaChaPoly.seal(Array(text.utf8), using: Self.key, nonce: Self.nonce)
        #expect(found == Self.nonce + bytes(sealed))
        #expect(try ChaChaPoly.open(found, using: Self.key) == Array(text.utf8))
    }

    @Test func `no text is sealed twice in the same way`() throws {
        let (first, second) = (
            try ChaChaPoly.seal([1, 2], using: Self.key), try ChaChaPoly.seal([1, 2], using: Self.key)
        )
        #expect(first != second)
    }

    @Test func `with any bit changed, cut at any byte or longer, nothing is opened`() throws {
        let sealed = try ChaChaPoly.seal(Array("a marker".utf8), using: Self.key)
        for bit in 0..<(sealed.count * 8) {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: CryptoFailure.self) { try ChaChaPoly.open(changed, using: Self.key) }
        }
        for count in 0..<sealed.count {
            #expect(throws: CryptoFailure.self) {
                try ChaChaPoly.open(Array(sealed.prefix(count)), using: Self.key)
            }
        }
        #expect(throws: CryptoFailure.self) { try ChaChaPoly.open(sealed + [0], using: Self.key) }
        #expect(throws: CryptoFailure.self) {
            try ChaChaPoly.open(sealed, using: SymmetricKey(byteCount: 32))
        }
    }

    @Test func `keys and nonces of another length are refused`() {
        #expect(throws: CryptoFailure.self) { try ChaChaPoly.seal([1], using: SymmetricKey(byteCount: 16)) }
        #expect(throws: CryptoFailure.self) { try ChaChaPoly.seal([1], using: Self.key, nonce: [1]) }
    }

    @Test func `a key stands in no description`() {
        let key = SymmetricKey(data: Array("secret".utf8))
        #expect("\(key)" == "a key")
        #expect(String(reflecting: key) == "a key")
        #expect(Mirror(reflecting: key).children.isEmpty)
        #expect(key.withUnsafeBytes { Array($0) } == Array("secret".utf8))
    }
}
