internal import RecordFormat
internal import TraceText

/// How many frames a second has: a whole number, or 1000/1001 of one as in NTSC video.
package struct FrameRate: Sendable, Hashable {
    /// Frames in ``denominator`` seconds.
    let numerator: Int64
    let denominator: Int64

    /// Reads `25`, `29.97`, `23.976` or `30000/1001`, up to 240 frames a second.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let above = Int64(parts[0]), let below = Int64(parts[1]), above > 0, below > 0,
            above <= 1_000_000, below <= 1_000_000
        {
            (numerator, denominator) = (above, below)
        } else if let whole = Int64(text) {
            (numerator, denominator) = (whole, 1)
        } else if let rate = ExchangeTime.seconds(text)?.milliseconds {
            let nominal = (rate + 999) / 1000
            // 23.976 and 23.98, 29.97, 59.94.
            guard abs(nominal * 1_000_000 / 1001 - rate) <= 5 else { return nil }
            (numerator, denominator) = (nominal * 1000, 1001)
        } else {
            return nil
        }
        guard numerator >= denominator, numerator <= 240 * denominator else { return nil }
    }

    /// The frame at a time, the nearest one.
    func frame(at offset: SessionOffset) -> Int64 {
        Self.rounded(offset.milliseconds, numerator, 1000 * denominator)
    }

    /// Where a frame begins, to the nearest millisecond.
    func offset(of frame: Int64) -> SessionOffset {
        SessionOffset(milliseconds: Self.rounded(frame, 1000 * denominator, numerator))
    }

    /// The whole number of frames that a second of the time code has.
    var nominal: Int64 { (numerator + denominator - 1) / denominator }

    /// Frames a second, as OpenTimelineIO has them.
    var perSecond: Double { Double(numerator) / Double(denominator) }

    private static func rounded(_ value: Int64, _ factor: Int64, _ divisor: Int64) -> Int64 {
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        guard !overflow, product < .max - divisor, product > .min + divisor else {
            let exact = (Double(value) * Double(factor) / Double(divisor)).rounded()
            return Int64(exactly: exact) ?? (exact < 0 ? .min : .max)
        }
        let half = divisor / 2
        return (product >= 0 ? product + half : product - half) / divisor
    }
}

/// A place as `hh:mm:ss:ff`, which counts frames.
enum TimeCode {
    /// Of a frame, without dropped numbers.
    static func append(_ frame: Int64, _ rate: FrameRate, to text: inout [UInt8]) {
        let seconds = frame / rate.nominal
        for (number, separator) in [(seconds / 3600, ":"), (seconds / 60 % 60, ":"), (seconds % 60, ":")] {
            text.append(number: number, width: 2)
            text += separator.utf8
        }
        text.append(number: frame % rate.nominal, width: 2)
    }

    /// The frame of a time code; with a semicolon, or where `dropsFrames`, numbers are left out of it as in NTSC's drop-frame
    /// code: the first two (four at 60) of each minute but every tenth.
    ///
    /// Source: SMPTE ST 12-1, "Drop frame compensation".
    static func frame(_ text: some StringProtocol, _ rate: FrameRate, dropsFrames: Bool) -> Int64? {
        let parts = text.split(omittingEmptySubsequences: false) { ":;.".contains($0) }
        guard parts.count == 4 else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.count <= 4 && !part.isEmpty && part.utf8.allSatisfy(\.isASCIIDigit) ? Int64(part) : nil
        }
        guard numbers.count == 4, numbers[1] < 60, numbers[2] < 60, numbers[3] < rate.nominal else {
            return nil
        }
        let minutes = numbers[0] * 60 + numbers[1]
        let frame = (minutes * 60 + numbers[2]) * rate.nominal + numbers[3]
        guard dropsFrames || text.contains(";"), rate.denominator == 1001 else { return frame }
        return frame - rate.nominal / 15 * (minutes - minutes / 10)
    }
}
