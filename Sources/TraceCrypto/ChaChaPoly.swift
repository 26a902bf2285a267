internal import CLibcrypto

/// Seals bytes with ChaCha20-Poly1305, without additional data: the nonce of 12 random bytes, the ciphertext, the tag of 16 bytes.
///
/// Source: RFC 8439, section 2.8.
package enum ChaChaPoly {
    private static let nonceCount = 12
    private static let tagCount = 16

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - nonce: 12 bytes, never used twice with a key.
    /// - Throws: ``CryptoFailure`` for a key or a nonce of another length, more than 2 GiB, or where libcrypto has no memory.
    package static func seal(
        _ plain: [UInt8], using key: SymmetricKey, nonce: [UInt8] = randomBytes(nonceCount)
    ) throws(CryptoFailure) -> [UInt8] {
        guard key.byteCount == 32, nonce.count == nonceCount else { throw CryptoFailure() }
        var sealed = [UInt8](repeating: 0, count: plain.count + tagCount)
        let isDone = key.withUnsafeBytes {
            clibcrypto_chachapoly_seal($0.baseAddress, nonce, plain, plain.count, &sealed)
        }
        guard isDone == 1 else { throw CryptoFailure() }
        return nonce + sealed
    }

    /// The bytes that were sealed.
    ///
    /// - Throws: ``CryptoFailure`` if these bytes were not sealed with this key, or were changed since.
    package static func open(_ sealed: [UInt8], using key: SymmetricKey) throws(CryptoFailure) -> [UInt8] {
        guard key.byteCount == 32, sealed.count >= nonceCount + tagCount else { throw CryptoFailure() }
        let (nonce, rest) = (Array(sealed.prefix(nonceCount)), Array(sealed.dropFirst(nonceCount)))
        // Has an address where nothing but a tag was sealed, too.
        var plain = [UInt8](repeating: 0, count: rest.count)
        let isDone = key.withUnsafeBytes {
            clibcrypto_chachapoly_open($0.baseAddress, nonce, rest, rest.count, &plain)
        }
        guard isDone == 1 else { throw CryptoFailure() }
        return Array(plain.dropLast(tagCount))
    }
}
