import FileHarness
import Glibc
import RecordFormat
import SystemPackage
import Testing
import TraceFiles
import TraceStore
import TraceText

@testable import TraceMedia

/// Recordings that say something else of themselves than what is in them.
struct RecordingLookTests {
    let scratch: ScratchDirectory
    private let ffmpeg = FFmpeg(for: "a test", opening: .recognised)

    init() throws { scratch = try ScratchDirectory() }

    private func make(_ arguments: [String], _ name: FilePath.Component) throws -> FilePath {
        var program = try ChildProgram(
            "ffmpeg",
            arguments: (["-nostdin", "-v", "error", "-y"] + arguments + [scratch(name).string]).map {
                FilePath($0)
            },
            options: ChildProgram.Options(gathersErrors: true))
        let outcome = try program.run { false }
        try #require(
            outcome.end == .exited(0), "\(arguments): \(String(decoding: outcome.errors, as: UTF8.self))")
        return scratch(name)
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A second of 8 kHz, one channel, 16 bits is 16,000 bytes.
    private func wav(
        seconds: Int, named: Int, before: [UInt8] = [], after: [UInt8] = [], riff: String = "RIFF"
    ) throws -> FilePath {
        let sound = (0..<seconds * 8000).flatMap { number(($0 % 50 - 25) * 300, 2) }
        var bytes = Array(riff.utf8) + number(named + 36, 4) + Array("WAVE".utf8) + before
        bytes += Array("fmt ".utf8) + number(16, 4) + number(1, 2) + number(1, 2) + number(8000, 4)
        bytes += number(16_000, 4) + number(2, 2) + number(16, 2)
        bytes += Array("data".utf8) + number(named, 4) + sound + after
        try scratch.write(bytes, to: "take.wav")
        return scratch("take.wav")
    }

    /// As ``wav(seconds:named:before:after:riff:)``: the highest byte of a number is the first, and its rate has 80 bits.
    private func aiff(seconds: Int, named: Int, frames: Int) throws -> FilePath {
        func number(_ value: Int, _ count: Int) -> [UInt8] { self.number(value, count).reversed() }
        let sound = (0..<seconds * 8000).flatMap { number(($0 % 50 - 25) * 300, 2) }
        var bytes = Array("FORM".utf8) + number(named + 46, 4) + Array("AIFF".utf8)
        bytes += Array("COMM".utf8) + number(18, 4) + number(1, 2) + number(frames, 4) + number(16, 2)
        bytes += [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
        bytes += Array("SSND".utf8) + number(named + 8, 4) + number(0, 8) + sound
        try scratch.write(bytes, to: "take.aiff")
        return scratch("take.aiff")
    }

    @Test(
        arguments: [
            ("as it is", 160_000, 80_000, 10_000, nil),
            ("cut off", 320_000, 160_000, 10_000, "names 320008 bytes of sound, but only 160008 are there"),
            (
                "never written", 0, 0, nil,
                "names 8 bytes of sound, but 160008 are there; no more than the header names is played"
            ),
        ] as [(String, Int, Int, Int64?, String?)])
    func `what the header of an AIFF names is compared with what is there`(
        name: String, named: Int, frames: Int, length: Int64?, warning: String?
    ) throws {
        let look = try #require(try ffmpeg.look(at: aiff(seconds: 10, named: named, frames: frames)))
        if let length { #expect(look.length == SessionOffset(milliseconds: length)) }
        #expect(look.warnings.count == (warning == nil ? 0 : 1))
        if let warning { #expect(look.warnings.first?.message.contains(warning) == true, "\(look.warnings)") }
    }

    @Test(
        arguments: [
            ("as it is", 160_000, 10_000, nil),
            (
                "what is left of a size beyond 32 bits", 60_000, 10_000,
                "names 60000 bytes of sound, but 160000 are there"
            ),
            ("never written", 0, 10_000, "names 0 bytes of sound, but 160000 are there"),
            ("cut off", 320_000, 10_000, "names 320000 bytes of sound, but only 160000 are there"),
            ("left open", 0xFFFF_FFFF, 10_000, "does not say how much sound there is"),
        ] as [(String, Int, Int64, String?)])
    func `all of a WAV counts, whatever its header names, and that is said`(
        what: String, named: Int, length: Int64, warning: String?
    ) throws {
        let look = try #require(try ffmpeg.look(at: wav(seconds: 10, named: named)))
        #expect(look.length?.milliseconds == length, "\(what)")
        #expect(look.warnings.count == (warning == nil ? 0 : 1), "\(look.warnings)")
        if let warning { #expect(look.warnings.first?.message.contains(warning) == true, "\(look.warnings)") }
    }

    @Test func `what other chunks of a WAV hold is no sound`() throws {
        let list = Array("LIST".utf8) + number(5, 4) + Array("INFO!\0".utf8)
        let path = try wav(seconds: 2, named: 32_000, before: list, after: list + list)
        #expect(try ffmpeg.look(at: path)?.warnings == [])
        #expect(try ffmpeg.look(at: path)?.length?.milliseconds == 2000)
        // RF64 has the true size in a chunk of its own.
        let sizes =
            Array("ds64".utf8) + number(28, 4) + number(32_080, 8) + number(32_000, 8)
            + number(16_000, 8) + number(0, 4)
        let large = try wav(seconds: 2, named: 0xFFFF_FFFF, before: sizes, riff: "RF64")
        #expect(try ffmpeg.look(at: large)?.warnings == [])
        #expect(try ffmpeg.look(at: large)?.length?.milliseconds == 2000)
    }

    @Test func `audio that is taken out of such a WAV is all of it`() throws {
        let source = try wav(seconds: 10, named: 60_000)
        let target = scratch("review.m4a")
        _ = try ffmpeg.extractAudio(from: source, to: target, probe: ffmpeg.probe(source)) { _ in }
        let length = try #require(try ffmpeg.probe(target)?.duration?.milliseconds)
        #expect((9900...10_200).contains(length))
    }

    // MARK: - A length that nothing says

    @Test(
        arguments: [
            (
                "vbr.mp3", ["-c:a", "libmp3lame", "-q:a", "0", "-write_xing", "0", "-id3v2_version", "0"],
                false
            ),
            (
                "tagged.mp3",
                ["-c:a", "libmp3lame", "-q:a", "0", "-write_xing", "0", "-metadata", "title=Take"], false
            ),
            ("table.mp3", ["-c:a", "libmp3lame", "-q:a", "0"], true),
            ("vbr.aac", ["-c:a", "aac"], false),
            ("take.flac", ["-c:a", "flac"], true),
        ] as [(FilePath.Component, [String], Bool)])
    func `a length that a file does not say is that of all that is in it`(
        name: FilePath.Component, codec: [String], says: Bool
    ) throws {
        // Loud at first, nearly silent then: what the beginning makes likely is wrong.
        let path = try make(
            ["-f", "lavfi", "-i", "aevalsrc='if(lt(t,6),0.8*random(0),0.001*sin(440*2*PI*t))':d=60:s=44100"]
                + codec,
            name)
        let probe = try #require(try ffmpeg.probe(path))
        #expect(probe.saysLength == says)
        let look = try #require(try ffmpeg.look(at: path))
        #expect(abs((look.length?.milliseconds ?? 0) - 60_000) < 100, "\(look)")
        if !says {
            #expect(abs((probe.duration?.milliseconds ?? 0) - 60_000) > 1000, "\(probe)")
            #expect(try ffmpeg.look(at: path, isMeasured: false)?.length == probe.duration)
        }
    }

    // MARK: - Tracks

    @Test func `of several tracks it is said which one players play, and whether it is silent`() throws {
        let path = try make(
            [
                "-f", "lavfi", "-i", "anullsrc=d=10", "-f", "lavfi", "-i", "sine=d=10", "-map", "0:a", "-map",
                "1:a",
                "-t", "10", "-c:a", "aac", "-metadata:s:a:0", "title=Desktop", "-metadata:s:a:1", "title=Mic",
            ], "tracks.mkv")
        let look = try #require(try ffmpeg.look(at: path))
        #expect(look.probe.tracks.map(\.description) == ["1 'Desktop'", "2 'Mic'"])
        #expect(
            look.warnings.map(\.message) == [
                "it has 2 audio tracks; most players play the first, 1 'Desktop', which seems to be silent"
            ])
        let target = scratch("review.m4a")
        for track in look.probe.tracks {
            _ = try ffmpeg.extractAudio(from: path, to: target, probe: look.probe, track: track.index) { _ in
            }
            let taken = try #require(try ffmpeg.probe(target)?.tracks.first)
            #expect(try ffmpeg.isSilent(taken, of: target, lasting: look.length) == (track.index == 0))
        }
    }

    @Test func `sound anywhere in a track is found, and without a length at its beginning`() throws {
        let path = try make(
            [
                "-f", "lavfi", "-i", "aevalsrc='if(gt(t,30),0.1*sin(440*2*PI*t),0)':d=60:s=8000", "-c:a",
                "aac",
            ],
            "late.m4a")
        let track = try #require(try ffmpeg.probe(path)?.tracks.first)
        #expect(try !ffmpeg.isSilent(track, of: path, lasting: SessionOffset(milliseconds: 60_000)))
        #expect(try ffmpeg.isSilent(track, of: path, lasting: nil))
    }
}
