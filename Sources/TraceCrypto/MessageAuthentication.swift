internal import CLibcrypto

/// HMAC-SHA-256.
///
/// Source: RFC 2104.
package enum MessageAuthentication {
    /// The code of a message, 32 bytes.
    ///
    /// - Throws: ``CryptoFailure`` if libcrypto has no memory for it.
    package static func code(for message: [UInt8], using key: SymmetricKey) throws(CryptoFailure) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        let isDone = key.withUnsafeBytes { key in
            clibcrypto_hmac_sha256(key.baseAddress, key.count, message, message.count, &code)
        }
        guard isDone == 1 else { throw CryptoFailure() }
        return code
    }

    /// Whether a code is that of a message; compared in constant time.
    package static func isValid(_ code: [UInt8], for message: [UInt8], using key: SymmetricKey) -> Bool {
        guard let right = try? self.code(for: message, using: key), code.count == right.count else {
            return false
        }
        return clibcrypto_equal(code, right, right.count) == 1
    }
}

/// What libcrypto could not do for want of memory.
package struct CryptoFailure: Error {
    init() {}
}
