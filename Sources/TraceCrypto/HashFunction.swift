internal import CLibcrypto

/// A hash that takes its input piece by piece. A value: a copy continues on its own.
package protocol HashFunction: Sendable {
    /// A hash of no bytes yet.
    init()

    /// Adds bytes to those that are hashed.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)

    /// The digest of all bytes so far; the hash itself can be continued.
    func finalize() -> [UInt8]
}

extension HashFunction {
    /// The digest of bytes.
    package static func hash(data: some Sequence<UInt8>) -> [UInt8] {
        var hash = Self()
        hash.update(data: data)
        return hash.finalize()
    }

    /// Adds bytes to those that are hashed.
    package mutating func update(data: some Sequence<UInt8>) {
        if data.withContiguousStorageIfAvailable({ update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil
        {
            Array(data).withUnsafeBytes { update(bufferPointer: $0) }
        }
    }

    /// Adds a text in UTF-8.
    package mutating func update(text: String) {
        var text = text
        text.withUTF8 { update(bufferPointer: UnsafeRawBufferPointer($0)) }
    }
}

/// SHA-256: digests of 32 bytes.
///
/// Source: FIPS 180-4.
package struct SHA256: HashFunction {
    private var state = SHA256_CTX()

    package init() { clibcrypto_sha256_begin(&state) }

    package mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        clibcrypto_sha256_add(&state, bufferPointer.baseAddress, bufferPointer.count)
    }

    package func finalize() -> [UInt8] {
        var state = state
        return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
            clibcrypto_sha256_end(&state, digest.baseAddress)
            count = 32
        }
    }
}

/// MD5, for ids that were made with it; it protects nothing. Digests of 16 bytes.
///
/// Source: RFC 1321.
package struct InsecureMD5: HashFunction {
    private var state = MD5_CTX()

    package init() { clibcrypto_md5_begin(&state) }

    package mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        clibcrypto_md5_add(&state, bufferPointer.baseAddress, bufferPointer.count)
    }

    package func finalize() -> [UInt8] {
        var state = state
        return [UInt8](unsafeUninitializedCapacity: 16) { digest, count in
            clibcrypto_md5_end(&state, digest.baseAddress)
            count = 16
        }
    }
}
