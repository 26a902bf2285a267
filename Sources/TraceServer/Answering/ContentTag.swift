internal import Crypto

extension EntityTag {
    /// The strong tag of these very bytes.
    init(contents bytes: [UInt8]) { self.init(hash: SHA256.hash(data: bytes).prefix(12)) }
}
