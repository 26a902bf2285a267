/// How loud a recording is, moment by moment: the least and the greatest sample of each of equal pieces, at one level of detail.
///
/// A file of it is one of audiowaveform, whose format other programs read too: a header of 24 bytes, then two bytes a piece.
///
/// Source: docs/http.md#waveforms; audiowaveform's data format, version 2.
package struct Waveform: Sendable, Hashable {
    /// The least and the greatest sample of a piece, of which the upper eight bits are kept.
    package struct Peak: Sendable, Hashable {
        package var least: Int8
        package var greatest: Int8

        package init(least: Int8, greatest: Int8) {
            self.least = least
            self.greatest = greatest
        }
    }

    /// The pieces in order. The last one may be shorter.
    package let peaks: [Peak]
    /// Of how many samples a piece consists.
    let samplesPerPeak: Int

    /// Samples a second.
    static let sampleRate = 8000
    /// How many samples a piece of the finest level has: a fiftieth of a second.
    static let finestPiece = 160
    /// The levels of detail: how many of the finest pieces each piece has.
    package static let levels = [1, 4, 16, 64]

    package init(peaks: [Peak], samplesPerPeak: Int) {
        self.peaks = peaks
        self.samplesPerPeak = max(1, samplesPerPeak)
    }

    /// The same with longer pieces.
    ///
    /// - Parameter count: How many pieces become one, > 0.
    func coarser(by count: Int) -> Waveform {
        let joined = stride(from: 0, to: peaks.count, by: count).map { start in
            peaks[start..<min(start + count, peaks.count)].reduce(into: peaks[start]) { joined, peak in
                joined.least = min(joined.least, peak.least)
                joined.greatest = max(joined.greatest, peak.greatest)
            }
        }
        return Waveform(peaks: joined, samplesPerPeak: samplesPerPeak * count)
    }

    /// How long a piece is, in milliseconds.
    package var millisecondsPerPeak: Double { Double(samplesPerPeak) * 1000 / Double(Self.sampleRate) }

    /// The loudest sample, at least 1.
    package var loudest: Double {
        max(1, peaks.map { max(abs(Double($0.least)), abs(Double($0.greatest))) }.max() ?? 1)
    }

    // MARK: - A picture

    /// How many pieces a picture has at most; it has at least half as many, if the recording is long enough.
    private static let pictureLimit = 1024

    /// The waveform for a picture of fixed width: the coarsest level that is fine enough, with neighbours joined until there are less
    /// than 1,024 pieces.
    ///
    /// - Parameter level: Gives a level.
    /// - Returns: Nil if a level that is needed is not there.
    static func picture(of level: (Int) -> Waveform?) -> Waveform? {
        for number in levels.reversed() {
            guard var waveform = level(number) else { return nil }
            guard waveform.peaks.count >= pictureLimit / 2 || number == levels.first else { continue }
            while waveform.peaks.count >= pictureLimit { waveform = waveform.coarser(by: 2) }
            return waveform
        }
        return nil
    }

    // MARK: - A file

    /// The bytes of a file.
    var file: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerSize + 2 * peaks.count)
        for number in [
            Self.version, Self.eightBits, UInt32(Self.sampleRate), UInt32(clamping: samplesPerPeak),
            UInt32(clamping: peaks.count), Self.channels,
        ] {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        for peak in peaks {
            bytes.append(UInt8(bitPattern: peak.least))
            bytes.append(UInt8(bitPattern: peak.greatest))
        }
        return bytes
    }

    /// The waveform in the bytes of a file; nil if it is damaged, or not one that ``file`` makes.
    init?(file bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize else { return nil }
        let header = stride(from: 0, to: Self.headerSize, by: 4).map { start in
            bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard header[0] == Self.version, header[1] == Self.eightBits, header[2] == UInt32(Self.sampleRate),
            header[3] > 0, header[5] == Self.channels,
            bytes.count == Self.headerSize + 2 * Int(header[4])
        else { return nil }
        samplesPerPeak = Int(header[3])
        peaks = stride(from: Self.headerSize, to: bytes.count, by: 2).map { place in
            Peak(least: Int8(bitPattern: bytes[place]), greatest: Int8(bitPattern: bytes[place + 1]))
        }
    }

    private static let headerSize = 24
    private static let version: UInt32 = 2
    private static let eightBits: UInt32 = 1
    private static let channels: UInt32 = 1
}
