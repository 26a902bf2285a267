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

    /// A rate as OpenTimelineIO has it: `24`, `23.976023976…`.
    init?(perSecond rate: Double) {
        guard rate >= 1, rate <= 240 else { return nil }
        self.init(rate == rate.rounded() ? "\(Int64(rate))" : "\((rate * 1000).rounded() / 1000)")
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

    /// Whether there is a time code that leaves numbers out of this rate: 29.97, 59.94 and their multiples.
    var canDropFrames: Bool { denominator == 1001 && nominal % 30 == 0 }

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
        guard let numbers = numbers(text), numbers[1] < 60, numbers[2] < 60, numbers[3] < rate.nominal else {
            return nil
        }
        return frame(numbers, rate, dropsFrames: dropsFrames || text.contains(";"))
    }

    /// The frame of hours, minutes, seconds and frames.
    static func frame(_ numbers: [Int64], _ rate: FrameRate, dropsFrames: Bool) -> Int64 {
        let minutes = numbers[0] * 60 + numbers[1]
        let frame = (minutes * 60 + numbers[2]) * rate.nominal + numbers[3]
        guard dropsFrames, rate.canDropFrames else { return frame }
        return frame - rate.nominal / 15 * (minutes - minutes / 10)
    }

    /// The four numbers of a time code, whether or not there is such a one; nil if it has others.
    static func numbers(_ text: some StringProtocol) -> [Int64]? {
        let parts = text.split(omittingEmptySubsequences: false) { ":;.".contains($0) }
        guard parts.count == 4 else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.count <= 4 && !part.isEmpty && part.utf8.allSatisfy(\.isASCIIDigit) ? Int64(part) : nil
        }
        return numbers.count == 4 ? numbers : nil
    }
}

/// The time code at which a timeline begins, as it is typed.
struct StartCode: Sendable, Hashable {
    /// Hours, minutes, seconds and frames.
    private let numbers: [Int64]
    /// Whether it was typed as one that drops frames.
    let dropsFrames: Bool

    init(hours: Int64) { self.init([hours, 0, 0, 0], dropsFrames: false) }

    private init(_ numbers: [Int64], dropsFrames: Bool) {
        self.numbers = numbers
        self.dropsFrames = dropsFrames
    }

    /// Reads `01:00:00:00`, `01:00:00;00`, `1:00:00` and `0`.
    private init?(_ text: String) {
        if text == "0" {
            self.init(hours: 0)
            return
        }
        let isWhole = text.count { $0 == ":" } == 2 && !text.contains { ";.".contains($0) }
        guard let numbers = TimeCode.numbers(isWhole ? text + ":00" : text), numbers[0] < 24, numbers[1] < 60,
            numbers[2] < 60
        else { return nil }
        self.init(numbers, dropsFrames: text.contains(";"))
    }

    /// A start as it was typed; nil for none.
    ///
    /// - Throws: ``ExchangeError`` with `.startMalformed`.
    static func typed(_ text: String?) throws(ExchangeError) -> StartCode? {
        guard let text else { return nil }
        guard let code = StartCode(text) else {
            throw ExchangeError(
                .startMalformed, about: "start", "'\(text.oneLine)' is not a time code",
                cure: "write 01:00:00:00, or 0 for a timeline that begins there")
        }
        return code
    }

    /// The frame of it, counted from midnight in the timeline's own way.
    func frame(_ rate: FrameRate, dropsFrames: Bool) -> Int64 {
        TimeCode.frame(numbers, rate, dropsFrames: dropsFrames)
    }

    /// As a timeline shows it.
    func text(dropsFrames: Bool) -> String {
        var text: [UInt8] = []
        for (place, number) in numbers.enumerated() {
            if place > 0 { text.append(UInt8(ascii: place == 3 && dropsFrames ? ";" : ":")) }
            text.append(number: number, width: 2)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
