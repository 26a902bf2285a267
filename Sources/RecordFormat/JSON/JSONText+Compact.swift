extension JSONText {
    /// A JSON text without the white space between its tokens, and so without line breaks.
    package static func compacted(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var inString = false
        var escaped = false
        for byte in text {
            if inString {
                inString = escaped || byte != UInt8(ascii: "\"")
                escaped = !escaped && byte == UInt8(ascii: "\\")
            } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
                continue
            } else {
                inString = byte == UInt8(ascii: "\"")
            }
            result.append(byte)
        }
        return result
    }
}
