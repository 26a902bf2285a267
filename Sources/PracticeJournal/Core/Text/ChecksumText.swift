extension StringProtocol {
    /// Whether it is a SHA-256 as we write it: 64 hexadecimal digits in lower case.
    var isChecksum: Bool {
        utf8.count == 64 && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
