/// Makes the levels of a waveform out of samples as they come, in memory that is small beside the recording: two bytes for each 160
/// samples.
struct WaveformBuilder {
    private var peaks: [Waveform.Peak] = []
    private var least = Int16.max
    private var greatest = Int16.min
    private var samplesInPiece = 0
    /// The first byte of a sample of which the second has not come yet.
    private var half: UInt8?

    /// Of a longer recording there is no waveform, in hours.
    static let hourLimit = 12
    private let pieceLimit: Int

    /// - Parameter pieceLimit: How many of the finest pieces a recording may have.
    init(pieceLimit: Int = hourLimit * 3600 * Waveform.sampleRate / Waveform.finestPiece) {
        self.pieceLimit = pieceLimit
    }

    /// Whether more has come than is accepted; what comes then is not kept.
    var isTooLong: Bool { peaks.count > pieceLimit }

    /// Takes samples of 16 bits, the lower byte first; a sample may be cut in two.
    mutating func add(_ bytes: [UInt8]) {
        guard !isTooLong else { return }
        var index = bytes.startIndex
        if let low = half, let high = bytes.first {
            add(low, high)
            half = nil
            index += 1
        }
        while index + 1 < bytes.endIndex {
            add(bytes[index], bytes[index + 1])
            index += 2
        }
        if index < bytes.endIndex { half = bytes[index] }
    }

    private mutating func add(_ low: UInt8, _ high: UInt8) {
        let sample = Int16(bitPattern: UInt16(high) << 8 | UInt16(low))
        least = min(least, sample)
        greatest = max(greatest, sample)
        samplesInPiece += 1
        if samplesInPiece == Waveform.finestPiece { endPiece() }
    }

    private mutating func endPiece() {
        guard samplesInPiece > 0 else { return }
        // As audiowaveform does it: towards zero.
        peaks.append(Waveform.Peak(least: Int8(least / 256), greatest: Int8(greatest / 256)))
        (least, greatest, samplesInPiece) = (.max, .min, 0)
    }

    /// The levels of what has come, by their numbers. The last piece of each may be shorter than the others; half a sample is none.
    mutating func finish() -> [Int: Waveform] {
        endPiece()
        half = nil
        var level = Waveform(peaks: peaks, samplesPerPeak: Waveform.finestPiece)
        var levels: [Int: Waveform] = [:]
        for number in Waveform.levels {
            // Each has pieces four times as long as the one before.
            if number > 1 { level = level.coarser(by: 4) }
            levels[number] = level
        }
        return levels
    }
}
