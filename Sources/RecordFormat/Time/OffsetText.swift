internal import TraceText

extension [UInt8] {
    /// Appends `m:ss.mmm`, or `h:mm:ss.mmm` from an hour on: as ``SessionOffset/description``.
    package mutating func append(clock offset: SessionOffset) {
        append(wholeClock: offset)
        append(UInt8(ascii: "."))
        append(number: abs(offset.milliseconds % 1000), width: 3)
    }

    /// Appends `m:ss`, or `h:mm:ss` from an hour on: as ``SessionOffset/clock``.
    package mutating func append(wholeClock offset: SessionOffset) {
        let seconds = Int64(offset.milliseconds.magnitude / 1000)
        if offset.milliseconds < 0 { append(UInt8(ascii: "-")) }
        if seconds >= 3600 {
            append(number: seconds / 3600)
            append(UInt8(ascii: ":"))
            append(number: seconds / 60 % 60, width: 2)
        } else {
            append(number: seconds / 60)
        }
        append(UInt8(ascii: ":"))
        append(number: seconds % 60, width: 2)
    }
}
