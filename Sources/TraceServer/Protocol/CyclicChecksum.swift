/// CRC-32, which detects damage. It is no protection against forgery.
///
/// Source: ISO 3309 (the checksum of gzip and PNG); RFC 1952, section 8.
enum CyclicChecksum {
    /// - Complexity: O(n), eight steps a byte: meant for a few dozen bytes.
    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~checksum
    }
}
