/// How loud a recording is, moment by moment: the least and the greatest sample of each of at most 1,024 equal pieces.
///
/// It takes samples as they come and never holds more than that: where there are too many pieces, each two become one.
package struct Waveform: Sendable, Hashable {
    /// The minimum and maximum sample of a piece.
    package struct Peak: Sendable, Hashable {
        package var least: Int16
        package var greatest: Int16

        package init(least: Int16, greatest: Int16) {
            self.least = least
            self.greatest = greatest
        }

        fileprivate mutating func add(_ other: Peak) {
            least = min(least, other.least)
            greatest = max(greatest, other.greatest)
        }
    }

    /// Samples a second.
    package static let sampleRate = 8000
    private static let limit = 1024

    package private(set) var peaks: [Peak] = []
    /// Of how many samples a piece consists.
    package private(set) var samplesPerPeak = 256
    private var piece: Peak?
    private var samplesInPiece = 0
    /// The first byte of a sample of which the second has not come yet.
    private var half: UInt8?

    package init() {}

    /// A waveform that was made earlier.
    package init(peaks: [Peak], samplesPerPeak: Int) {
        self.peaks = peaks
        self.samplesPerPeak = max(1, samplesPerPeak)
    }

    /// Takes samples of 16 bits, the lower byte first; a sample may be cut in two.
    package mutating func add(_ bytes: [UInt8]) {
        var rest = bytes[...]
        if let low = half, let high = rest.popFirst() {
            add(low, high)
            half = nil
        }
        var index = rest.startIndex
        while index + 1 < rest.endIndex {
            add(rest[index], rest[index + 1])
            index += 2
        }
        if index < rest.endIndex { half = rest[index] }
    }

    private mutating func add(_ low: UInt8, _ high: UInt8) {
        let sample = Int16(bitPattern: UInt16(high) << 8 | UInt16(low))
        let one = Peak(least: sample, greatest: sample)
        if piece == nil { piece = one } else { piece?.add(one) }
        samplesInPiece += 1
        if samplesInPiece == samplesPerPeak { endPiece() }
    }

    private mutating func endPiece() {
        guard let piece else { return }
        peaks.append(piece)
        self.piece = nil
        samplesInPiece = 0
        guard peaks.count == Self.limit else { return }
        peaks = stride(from: 0, to: peaks.count, by: 2).map { index in
            var pair = peaks[index]
            pair.add(peaks[index + 1])
            return pair
        }
        samplesPerPeak *= 2
    }

    /// Takes in the last piece, which may be shorter than the others.
    package mutating func finish() {
        endPiece()
        half = nil
    }

    /// How long a piece is, in milliseconds.
    package var millisecondsPerPeak: Double { Double(samplesPerPeak) * 1000 / Double(Self.sampleRate) }

    /// The loudest sample, at least 1.
    package var loudest: Double {
        max(1, peaks.map { max(abs(Double($0.least)), abs(Double($0.greatest))) }.max() ?? 1)
    }
}
