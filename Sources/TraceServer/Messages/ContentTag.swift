internal import TraceCrypto

extension EntityTag {
    /// The strong tag of these very bytes.
    init(contents bytes: [UInt8]) { self.init(hash: SHA256.hash(data: bytes).prefix(12)) }

    /// The SHA-256 of these bytes.
    static func digest(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(data: bytes) }
}
