extension UInt8 {
    /// Whether this byte is `0` ... `9`.
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
