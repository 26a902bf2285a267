/// Wording shared by the parts of repair.
enum RepairWording {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// How many bytes of byte order marks a text begins with.
    static func lengthOfByteOrderMark(_ bytes: [UInt8]) -> Int {
        var length = 0
        while bytes[length...].starts(with: byteOrderMark) { length += 3 }
        return length
    }
}
