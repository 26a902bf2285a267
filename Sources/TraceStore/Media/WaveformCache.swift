internal import Glibc
package import SystemPackage
package import TraceFiles

/// Waveforms that were made before, in a directory of their own below the state directory; it may be deleted at any time.
///
/// A waveform is that of one state of one file: a file that changed in any way is listened to again.
package struct WaveformCache {
    private let directory: FilePath
    private let limit: Int

    /// - Parameter limit: How many are kept; each has at most 4 KiB.
    package init(state: FilePath, limit: Int = 500) {
        directory = state.appending("waveforms")
        self.limit = limit
    }

    /// The waveform of a file in this state, if it is known.
    package func waveform(of identity: FileIdentity) -> Waveform? {
        guard let name = FilePath.Component(identity.cacheKey), let directory = try? OpenDirectory(directory),
            let file = try? directory.readFile(name, limit: 1 << 16)
        else { return nil }
        return Self.decoded(file.contents)
    }

    /// Keeps a waveform; that it can't be kept harms nobody.
    package func keep(_ waveform: Waveform, of identity: FileIdentity) {
        guard let name = FilePath.Component(identity.cacheKey), (try? OpenDirectory.make(directory)) != nil,
            let directory = try? OpenDirectory(directory)
        else { return }
        makeRoom(in: directory)
        _ = try? directory.replaceFile(name, with: Self.encoded(waveform), expecting: nil)
    }

    /// Forgets the oldest, where there are too many.
    private func makeRoom(in directory: OpenDirectory) {
        var names: [FilePath.Component] = []
        try? directory.forEachName { names.append($0) }
        guard names.count >= limit else { return }
        let ages = names.map { name in
            (
                name: name,
                time: (try? directory.status(of: name, followingLinks: false))?.identity.modified
            )
        }
        let oldest = ages.sorted {
            ($0.time ?? SystemTime(seconds: .min, nanoseconds: 0))
                < ($1.time ?? SystemTime(seconds: .min, nanoseconds: 0))
        }
        for entry in oldest.prefix(names.count - limit / 2) { try? directory.unlink(entry.name) }
    }

    // MARK: - What stands in a file

    /// The first bytes; the number counts up when anything behind them changes.
    private static let mark = Array("TRACE WAVEFORM 1\n".utf8)

    private static func encoded(_ waveform: Waveform) -> [UInt8] {
        var bytes = mark
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
        }
        append(UInt32(truncatingIfNeeded: waveform.samplesPerPeak))
        for peak in waveform.peaks {
            append(peak.least)
            append(peak.greatest)
        }
        return bytes
    }

    private static func decoded(_ bytes: [UInt8]) -> Waveform? {
        guard bytes.starts(with: mark), (bytes.count - mark.count) % 4 == 0, bytes.count >= mark.count + 4
        else { return nil }
        func number(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
        let places = Array(stride(from: mark.count, to: bytes.count, by: 4))
        let size = places.first.map { Int(number($0)) | Int(number($0 + 2)) << 16 } ?? 1
        let peaks = places.dropFirst().map { place in
            Waveform.Peak(
                least: Int16(bitPattern: number(place)), greatest: Int16(bitPattern: number(place + 2)))
        }
        return Waveform(peaks: peaks, samplesPerPeak: size)
    }
}

extension FileIdentity {
    /// Names what was made of one state of a file.
    var cacheKey: String {
        let parts: [Int64] = [
            Int64(bitPattern: device), Int64(bitPattern: inode), size, modified.stamp, changed.stamp,
        ]
        let key = UndoableWrite.checksum(of: Array(parts.map(String.init).joined(separator: " ").utf8))
        return String(key.prefix(32))
    }
}
