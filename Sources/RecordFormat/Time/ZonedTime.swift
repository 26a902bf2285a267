extension Timestamp {
    /// A time with an offset from UTC, written in UTC with `Z`: the same moment, every digit of its fraction kept.
    ///
    /// - Parameter text: RFC 3339 with an offset (`+01:00`, also `+0100` or `z`); the date and the time are separated by `T`, `t`
    ///   or a space.
    /// - Returns: Nil for any other text, for a time that no calendar has, for a leap second, and where the moment is outside
    ///   the years 0000–9999 in UTC.
    package static func spelledInUTC(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count > 19, "Tt ".utf8.contains(bytes[10]), !bytes[17..<19].elementsEqual("60".utf8)
        else { return nil }
        var fraction = bytes[19..<19]
        if bytes[19] == UInt8(ascii: ".") {
            fraction = bytes[19..<(20 + bytes[20...].prefix { $0.isASCIIDigit }.count)]
            guard fraction.count > 1 else { return nil }
        }
        let local = Array(bytes[..<10]) + Array("T".utf8) + bytes[11..<19] + Array("Z".utf8)
        guard let minutes = minutesEast(bytes[fraction.endIndex...]),
            let there = Timestamp(String(decoding: local, as: UTF8.self))
        else { return nil }
        let moment = there.subtracting(SessionOffset(milliseconds: minutes * 60_000))
        guard moment.clamped == moment else { return nil }
        return moment.description.prefix(19) + String(decoding: fraction, as: UTF8.self) + "Z"
    }

    /// How many minutes a zone is ahead of UTC: `Z`, `z`, `±hh:mm` or `±hhmm`.
    private static func minutesEast(_ zone: ArraySlice<UInt8>) -> Int64? {
        guard let sign = zone.first else { return nil }
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return zone.count == 1 ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var digits = Array(zone.dropFirst())
        if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
        guard digits.count == 4, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        let values = digits.map { Int64($0 - UInt8(ascii: "0")) }
        let (hours, minutes) = (values[0] * 10 + values[1], values[2] * 10 + values[3])
        guard hours < 24, minutes < 60 else { return nil }
        return (sign == UInt8(ascii: "+") ? 1 : -1) * (hours * 60 + minutes)
    }
}
