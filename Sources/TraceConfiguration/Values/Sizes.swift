internal import TraceText

extension SettingType<Int64> {
    /// A number of bytes within a range, at least a megabyte, with a unit: `64MiB`.
    static func size(_ range: ClosedRange<Int64>) -> SettingType {
        @Sendable func limits() -> String {
            "\(writtenSize(range.lowerBound)) to \(writtenSize(range.upperBound))"
        }
        return .single(
            "size, \(limits())",
            read: { (text, _) throws(SettingProblem) in
                guard let size = readSize(text) else {
                    throw SettingProblem(
                        .invalidValue, "\(quoted(text)) is not a size",
                        cure: "write a whole number with a unit (512KiB, 64MiB, 1GiB)")
                }
                guard range.contains(size) else {
                    throw SettingProblem(
                        .outOfRange, "\(quoted(text)) is out of range", cure: "write \(limits())")
                }
                return size
            }, write: writtenSize)
    }
}

/// The units of size, the largest first.
private let units: [(name: String, bytes: Int64)] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]

/// Reads `64MiB`, `512 KiB`; a bare number is bytes.
///
/// - Returns: nil if the text is something else, or more than can be counted.
private func readSize(_ text: [UInt8]) -> Int64? {
    let digits = text.prefix { (0x30...0x39).contains($0) }
    let name = String(decoding: text.dropFirst(digits.count).drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    let factor = name.isEmpty ? 1 : units.first { $0.name.lowercased() == name.lowercased() }?.bytes
    guard let factor, let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
    let (size, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : size
}

/// Writes a size as ``readSize(_:)`` reads it, in the largest unit that divides it.
private func writtenSize(_ size: Int64) -> String {
    let unit = units.first { size >= $0.bytes && size % $0.bytes == 0 }
    return unit.map { "\(size / $0.bytes)\($0.name)" } ?? "\(size)"
}
