import FileHarness
import Glibc
import RecordFormat
import SystemPackage
import Testing
import TraceFiles
import TraceText
import TraceStore

@testable import TraceMedia

/// Recordings that would have ffmpeg open another file: whatever reads them, nothing of that file comes out.
struct StrangersRecordingTests {
    let scratch: ScratchDirectory
    /// What nobody is to hear: eight seconds.
    private let secret: FilePath
    private static let secretLength: Int64 = 8000

    init() throws {
        scratch = try ScratchDirectory()
        secret = scratch("secret.m4a")
        try Self.ffmpeg(["-f", "lavfi", "-i", "sine=duration=8", "-c:a", "aac", secret.string])
    }

    private static func ffmpeg(_ arguments: [String]) throws {
        var program = try ChildProgram(
            "ffmpeg", arguments: (["-nostdin", "-v", "error", "-y"] + arguments).map { FilePath($0) },
            options: ChildProgram.Options(gathersErrors: true))
        let outcome = try program.run { false }
        try #require(
            outcome.end == .exited(0), "\(arguments): \(String(decoding: outcome.errors, as: UTF8.self))")
    }

    /// What such a file is made of.
    enum Lure: String, CaseIterable {
        case dash, hls, concat

        func text(naming path: FilePath) -> String {
            switch self {
            case .dash:
                """
                <?xml version="1.0"?>
                <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" \
                mediaPresentationDuration="PT8S" minBufferTime="PT1S"><Period><AdaptationSet mimeType="audio/mp4" \
                contentType="audio"><Representation id="0" bandwidth="128000" codecs="mp4a.40.2" mimeType="audio/mp4">\
                <BaseURL>\(path)</BaseURL></Representation></AdaptationSet></Period></MPD>
                """
            case .hls:
                "#EXTM3U\n#EXT-X-TARGETDURATION:8\n#EXTINF:8,\n\(path)\n#EXT-X-ENDLIST\n"
            case .concat: "ffconcat version 1.0\nfile '\(path.lastComponent?.string ?? "")'\n"
            }
        }
    }

    /// What is in front of it, so that it is taken for a container.
    private static let heads: [[UInt8]] = [
        Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0],
        Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0, 0xFF, 0xFB, 0x90, 0],
        [0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0], Array("OggS".utf8), Array("fLaC".utf8),
        Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8), [0x1A, 0x45, 0xDF, 0xA3], [0xFF, 0xF1],
        Array("FLV\u{1}".utf8),
    ]

    /// Which roads lead to something that could be heard.
    private func leaks(_ file: FilePath, _ sources: FFmpeg.Sources) throws -> [String] {
        let ffmpeg = FFmpeg(for: "a test", opening: sources)
        var heard: [String] = []
        if let length = try ffmpeg.probe(file)?.duration?.milliseconds, length > Self.secretLength / 2 {
            heard.append("the duration: \(length)")
        }
        if let levels = try? ffmpeg.waveform(of: file), levels.values.contains(where: { $0.peaks.count > 25 })
        {
            heard.append("the waveform")
        }
        try scratch.write(";FFMETADATA1\n", to: "chapters")
        let roads: [(FilePath.Component, (FilePath) throws -> Void)] = [
            ("copy.m4a", { try ffmpeg.makePlayable(from: file, to: $0) }),
            ("review.m4a", { _ = try ffmpeg.extractAudio(from: file, to: $0, probe: nil) { _ in } }),
            ("input.wav", { try ffmpeg.makeSpeechInput(from: file, to: $0) }),
            ("made.mka", { try ffmpeg.embed(chapters: scratch("chapters"), in: file, to: $0) { _ in } }),
        ]
        for (name, run) in roads {
            // What it has written before it failed counts as well.
            try? run(scratch(name))
            if try isHeard(name) { heard.append(name.string) }
        }
        return heard
    }

    /// Whether more than an instant was written.
    private func isHeard(_ name: FilePath.Component) throws -> Bool {
        guard let bytes = try? scratch.bytes(of: name), !bytes.isEmpty else { return false }
        let length = try FFmpeg(for: "a test", opening: .any).probe(scratch(name))?.duration
        return length.map { $0.milliseconds > 1000 } ?? false
    }

    @Test(arguments: Lure.allCases)
    func `a file that is taken for a container is read as that and as nothing else`(lure: Lure) throws {
        for (number, head) in Self.heads.enumerated() {
            try scratch.write(head + Array(lure.text(naming: secret).utf8), to: "lure")
            try? FFmpeg(for: "a test", opening: .recognised).makePlayable(
                from: scratch("lure"), to: scratch("copy"))
            #expect(try !isHeard("copy"), "head \(number)")
        }
    }

    @Test func `by no road is more heard`() throws {
        try scratch.write(Self.heads[0] + Array(Lure.dash.text(naming: secret).utf8), to: "lure")
        #expect(try leaks(scratch("lure"), .recognised) == [])
    }

    @Test(arguments: Lure.allCases)
    func `a file of none of the containers is not opened for others`(lure: Lure) throws {
        try scratch.write(lure.text(naming: secret), to: "lure")
        #expect {
            try FFmpeg(for: "a test", opening: .recognised).makePlayable(
                from: scratch("lure"), to: scratch("copy"))
        } throws: { error in
            (error as? StoreError)?.message == "it is not in a container that is opened here"
        }
        #expect(try FFmpeg(for: "a test", opening: .recognised).probe(scratch("lure")) == nil)
    }

    @Test(.enabled(if: Landlock.state == .available, "the kernel has no Landlock"), arguments: Lure.allCases)
    func `opened for its owner, it leads to no other file`(lure: Lure) throws {
        try scratch.write(lure.text(naming: secret), to: "lure")
        try? FFmpeg(for: "a test", opening: .any).makePlayable(from: scratch("lure"), to: scratch("copy"))
        #expect(try !isHeard("copy"))
    }

    /// AVI, of which ffmpeg finds out itself what it is.
    private func unknown(_ name: FilePath.Component) throws -> FilePath {
        try Self.ffmpeg(
            ["-f", "lavfi", "-i", "sine=duration=8", "-c:a", "pcm_s16le", "-f", "avi", scratch(name).string])
        return scratch(name)
    }

    @Test func `a file of none of the containers is heard by its owner`() throws {
        #expect(try FFmpeg(for: "a test", opening: .any).probe(unknown("take"))?.audioCodec != nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a file of none of the containers that belongs to somebody else is not opened for root either`()
        throws
    {
        let file = try unknown("take")
        try #require(chown(file.string, 65_534, 65_534) == 0)
        #expect {
            try FFmpeg(for: "a test", opening: .any).makePlayable(from: file, to: scratch("copy"))
        } throws: { ($0 as? StoreError)?.message.hasSuffix("belongs to another user") == true }
        #expect(try leaks(file, .any) == [])
        // What is recognised is read all the same.
        try #require(chown(secret.string, 65_534, 65_534) == 0)
        #expect(try leaks(secret, .any).count == 6)
    }

    @Test func `what is one of the containers is heard by every road`() throws {
        #expect(try leaks(secret, .recognised).count == 6)
    }

    @Test func `an error names the recording, not the number under which it is open`() throws {
        try scratch.write([0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0], to: "no.m4a")
        #expect {
            try FFmpeg(for: "a test", opening: .recognised).makePlayable(
                from: scratch("no.m4a"), to: scratch("copy"))
        } throws: { error in
            let message = (error as? StoreError)?.message ?? ""
            return message.contains("\(scratch("no.m4a"))") && !message.contains("/proc/")
        }
    }

    // MARK: - Containers

    /// How ffmpeg is asked for each, and what it is then.
    static let made: [(options: [String], container: MediaContainer)] = [
        (["-c:a", "aac", "-f", "mp4"], .mp4), (["-c:a", "aac", "-f", "ipod"], .mp4),
        (["-c:a", "aac", "-f", "mov"], .mp4), (["-c:a", "libopus", "-f", "webm"], .matroska),
        (["-c:a", "flac", "-f", "matroska"], .matroska), (["-c:a", "libvorbis", "-f", "ogg"], .ogg),
        (["-c:a", "libopus", "-f", "opus"], .ogg), (["-f", "wav"], .wav),
        (["-f", "wav", "-rf64", "always"], .wav), (["-f", "flac"], .flac), (["-f", "mp3"], .mp3),
        (["-f", "mp3", "-id3v2_version", "0", "-write_xing", "0"], .mp3), (["-f", "adts"], .aac),
        (["-f", "aiff"], .aiff), (["-c:a", "pcm_s16le", "-f", "caf"], .caf),
        (["-c:a", "aac", "-f", "flv"], .flv),
        (["-c:a", "aac", "-f", "mpegts"], .transportStream),
    ]

    @Test(arguments: made)
    func `each container is recognised, and read by its demuxer`(
        options: [String], container: MediaContainer
    ) throws {
        try Self.ffmpeg(["-f", "lavfi", "-i", "sine=duration=1"] + options + [scratch("take").string])
        #expect(try MediaContainer(of: HandedFile(reading: scratch("take"))) == container)
        let probe = try #require(try FFmpeg(for: "a test", opening: .recognised).probe(scratch("take")))
        #expect(probe.audioCodec != nil)
        #expect(
            abs((probe.duration?.milliseconds ?? 0) - 1000) < 200, "\(String(describing: probe.duration))")
    }

    @Test func `every container is among those that were tried`() {
        #expect(Set(Self.made.map(\.container)) == Set(MediaContainer.allCases))
    }

    @Test(arguments: [
        (["-f", "adts"], MediaContainer.aac), (["-f", "flac"], .flac), (["-f", "mp3"], .mp3),
    ])
    func `a tag of MP3 in front of another stream hides nothing`(
        options: [String], container: MediaContainer
    ) throws {
        try Self.ffmpeg(["-f", "lavfi", "-i", "sine=duration=1"] + options + [scratch("plain").string])
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0x48]
        try scratch.write(
            tag + [UInt8](repeating: 0, count: 200) + scratch.bytes(of: "plain"), to: "take")
        #expect(try MediaContainer(of: HandedFile(reading: scratch("take"))) == container)
        #expect(
            try FFmpeg(for: "a test", opening: .recognised).probe(scratch("take"))?.audioCodec != nil)
    }

    @Test func `docs/media.md lists the containers`() throws {
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let page = try #require(try OpenDirectory(root.appending("docs")).readFile("media.md")).contents
        let demuxers = String(decoding: page, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.wholeMatch(of: #/\| .* \| `(\w+)` \|/#).map { String($0.1) }
        }
        #expect(demuxers == MediaContainer.allCases.map(\.demuxer))
    }
}
