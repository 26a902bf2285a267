package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceStore
package import TraceText

/// What a recording holds, compared with what it says of itself.
package struct RecordingLook: Sendable {
    package let probe: FFmpeg.Probe
    /// How long it is: what it says where that can be believed, else what all of it comes to; nil if neither is known.
    package let length: SessionOffset?
    /// What a person should know who adds it as it is.
    package let warnings: [ErrorReport]
}

extension FFmpeg {
    /// Looks into a file, and goes through all of it if what it says of its length can't be believed.
    ///
    /// - Parameters:
    ///   - isMeasured: Whether that is done; if not, the length is what the file says.
    ///   - onProgress: Gets how much of it has been gone through, as far as that is known.
    /// - Returns: Nil if `ffprobe` is not there or can't read the file.
    /// - Throws: ``StoreError`` with `.stopped`.
    package func look(
        at file: FilePath, isMeasured: Bool = true, onProgress: @escaping (Double?) -> Void = { _ in }
    ) throws -> RecordingLook? {
        guard let probe = try probe(file) else { return nil }
        var length = probe.duration
        if isMeasured, !probe.saysLength { length = try measure(file, probe, onProgress) ?? length }
        var warnings: [ErrorReport] = []
        if let sound = probe.sound {
            warnings.append(
                ErrorReport(
                    place: file.escaped, message: sound.message, cure: sound.cure))
        }
        if probe.tracks.count > 1, let first = probe.tracks.first {
            let isSilent = try isSilent(first, of: file, lasting: length)
            let others = counted(probe.tracks.count, "audio track")
            warnings.append(
                ErrorReport(
                    place: file.escaped,
                    message: "it has \(others); most players play the first, \(first)"
                        + (isSilent ? ", which seems to be silent" : ""),
                    cure: "\(verb: "media add-review-audio --track N") makes review audio of another"))
        }
        return RecordingLook(probe: probe, length: length, warnings: warnings)
    }

    /// How long a file is, by going through all of it; nil if that fails.
    ///
    /// - Throws: ``StoreError`` with `.stopped`.
    /// - Complexity: O(size of the file); nothing is decoded.
    private func measure(
        _ file: FilePath, _ probe: Probe, _ onProgress: @escaping (Double?) -> Void
    ) throws -> SessionOffset? {
        let source = try open(file)
        var progress = ProgressReading()
        var last: SessionOffset?
        let stated = probe.duration.map { Double(max(1, $0.milliseconds)) }
        let stream = probe.tracks.isEmpty ? "0:v:0" : "0:a:0"
        let outcome = try run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-progress", "pipe:1", "-nostats"] + source.options
                + ["-map", stream, "-c", "copy", "-f", "null", "-"],
            on: [source.file],
            onOutput: { piece in
                guard let place = progress.add(piece) else { return }
                last = place
                onProgress(stated.map { Double(place.milliseconds) / $0 })
            })
        if outcome.end == .stopped { throw StoreError.stopped }
        guard outcome.end == .exited(0), let last, last > .zero else { return nil }
        return last
    }

    // MARK: - Silence

    /// Below this, of 32,768, there is only noise: -60 dB.
    private static let silence = 32
    /// At so many places a track is listened to, a second each.
    private static let sampleCount = 8

    /// Whether a track has no sound at a number of places all over its length.
    ///
    /// - Parameter length: That of the file; if it is not known, only its beginning is listened to.
    /// - Returns: False also where that can't be found out.
    /// - Throws: ``StoreError`` with `.stopped`.
    /// - Complexity: O(1) in the length; the first sound ends it.
    package func isSilent(_ track: AudioTrack, of file: FilePath, lasting length: SessionOffset?) throws
        -> Bool
    {
        let source = try open(file)
        let spread = length.map { Double($0.milliseconds) / 1000 / Double(Self.sampleCount) }
        let places =
            spread.map { spread in (0..<Self.sampleCount).map { (Double($0) + 0.5) * spread } } ?? [0]
        var heard = 0
        for place in places {
            var loudness = Loudness()
            let outcome = try run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-ss", "\(place)"] + source.options
                    + [
                        "-t", "1", "-vn", "-sn", "-dn", "-map", "0:a:\(track.index)", "-f", "s16le", "-c:a",
                        "pcm_s16le", "-",
                    ],
                on: [source.file], timeout: .seconds(30), onOutput: { loudness.add($0) })
            if outcome.end == .stopped, shouldStop() { throw StoreError.stopped }
            guard outcome.end == .exited(0) else { return false }
            if loudness.peak > Self.silence { return false }
            heard += loudness.count
        }
        return heard > 0
    }

    /// The loudest of samples of 16 bits.
    private struct Loudness {
        private(set) var peak = 0
        private(set) var count = 0
        private var half: UInt8?

        mutating func add(_ piece: [UInt8]) {
            for byte in piece {
                guard let low = half else {
                    half = byte
                    continue
                }
                half = nil
                count += 1
                peak = max(peak, Int(Int16(bitPattern: UInt16(byte) << 8 | UInt16(low)).magnitude))
            }
        }
    }
}

/// A stream of sound of a recording.
package struct AudioTrack: Sendable, Equatable, CustomStringConvertible {
    /// Among the streams of sound, from 0.
    package let index: Int
    /// As ffmpeg calls it.
    let codec: String
    /// What the recorder calls it, if it does.
    let title: String?

    /// `2 'Mic'`: people count from 1.
    package var description: String {
        "\(index + 1)" + (title.map { " '\(SingleLine($0, limit: 40).text)'" } ?? "")
    }
}
