import Testing
import TraceCrypto

struct HashTests {
    /// Source: the examples of FIPS 180-4.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 gives the published digests`(text: String, digest: String) {
        #expect(hexadecimal(SHA256.hash(data: Array(text.utf8))) == digest)
    }

    @Test func `a million letters have the published SHA-256`() {
        let digest = SHA256.hash(data: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        #expect(hexadecimal(digest) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// Source: RFC 1321, A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func `MD5 gives the published digests`(text: String, digest: String) {
        #expect(hexadecimal(InsecureMD5.hash(data: Array(text.utf8))) == digest)
    }

    @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 200])
    func `bytes that come in pieces have the digest of the whole`(split: Int) {
        let bytes = (0..<200).map { UInt8($0) }
        var hash = SHA256()
        hash.update(data: bytes[..<split])
        hash.update(data: bytes[split...].reversed().reversed())
        #expect(hash.finalize() == SHA256.hash(data: bytes))
    }

    @Test func `a copy continues on its own, and a digest can be asked for in between`() {
        var hash = SHA256()
        hash.update(text: "ab")
        var copy = hash
        copy.update(text: "d")
        _ = hash.finalize()
        hash.update(text: "c")
        #expect(hash.finalize() == SHA256.hash(data: Array("abc".utf8)))
        #expect(copy.finalize() == SHA256.hash(data: Array("abd".utf8)))
    }
}

/// Two lowercase digits a byte.
func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// The bytes of hexadecimal digits.
func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}
