import FileHarness
import Foundation
import SystemPackage
import TestSupport
import Testing
import TraceFiles

@testable import TraceMedia

/// Waveforms out of samples, and their files.
struct WaveformTests {
    private static func bytes(_ samples: [Int16]) -> [UInt8] {
        samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func levels(_ samples: [Int16]) -> [Int: Waveform] {
        var builder = WaveformBuilder()
        builder.add(bytes(samples))
        return builder.finish()
    }

    /// Swells and sinks, with both extremes.
    private static func sound(_ count: Int) -> [Int16] {
        (0..<count).map { Int16(truncatingIfNeeded: $0 &* 7919) }
    }

    @Test(arguments: [
        (0, [0, 0, 0, 0]), (1, [1, 1, 1, 1]), (159, [1, 1, 1, 1]), (160, [1, 1, 1, 1]), (161, [2, 1, 1, 1]),
        (640, [4, 1, 1, 1]), (641, [5, 2, 1, 1]), (2560, [16, 4, 1, 1]), (2561, [17, 5, 2, 1]),
        (10240, [64, 16, 4, 1]), (10241, [65, 17, 5, 2]), (100_000, [625, 157, 40, 10]),
    ])
    func `each level has a piece for each begun part of the recording`(samples: Int, counts: [Int]) {
        let levels = Self.levels(Self.sound(samples))
        #expect(Waveform.levels.map { levels[$0]?.peaks.count } == counts)
        #expect(Waveform.levels.map { levels[$0]?.samplesPerPeak } == [160, 640, 2560, 10240])
    }

    @Test func `each piece of each level has the least and the greatest of its samples`() throws {
        let samples = Self.sound(25_000)
        for (_, waveform) in Self.levels(samples) {
            let starts = stride(from: 0, to: samples.count, by: waveform.samplesPerPeak)
            for (start, peak) in zip(starts, waveform.peaks) {
                let piece = samples[start..<min(start + waveform.samplesPerPeak, samples.count)]
                #expect(peak.least == Int8(try #require(piece.min()) / 256))
                #expect(peak.greatest == Int8(try #require(piece.max()) / 256))
            }
        }
    }

    @Test(
        arguments: [
            (Int16.min, Int8.min), (-257, -1), (-256, -1), (-255, 0), (0, 0), (255, 0), (256, 1),
            (Int16.max, 127),
        ] as [(Int16, Int8)])
    func `of a sample the upper bits count, towards zero`(sample: Int16, kept: Int8) {
        #expect(Self.levels([sample])[1]?.peaks == [.init(least: kept, greatest: kept)])
    }

    @Test func `samples come in pieces of any size, and half a sample at the end is none`() {
        let samples = Self.sound(3000)
        let whole = Self.levels(samples)
        var builder = WaveformBuilder()
        var rest = (Self.bytes(samples) + [0x7F])[...]
        var size = 0
        while !rest.isEmpty {
            builder.add(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            size = (size + 1) % 8
        }
        #expect(builder.finish() == whole)
    }

    @Test(arguments: [(320, false), (321, true), (100_000, true)])
    func `a recording may be as long as the limit, and what is longer takes no memory`(
        samples: Int, isTooLong: Bool
    ) {
        var builder = WaveformBuilder(pieceLimit: 2)
        for sample in Self.sound(samples) { builder.add(Self.bytes([sample])) }
        let levels = builder.finish()
        #expect(builder.isTooLong == isTooLong)
        #expect((levels[1]?.peaks.count ?? 0) <= 3)
    }

    @Test(arguments: [(1, 1), (511 * 160, 1), (100_000, 1), (600 * 640, 4), (11_520_000, 64)])
    func `a picture is drawn from the coarsest level that has enough pieces`(samples: Int, level: Int) {
        let count = (samples + 159) / 160
        let peaks = [Waveform.Peak](repeating: .init(least: -1, greatest: 1), count: count)
        var asked: [Int] = []
        let picture = Waveform.picture { number in
            asked.append(number)
            return Waveform(peaks: peaks, samplesPerPeak: 160).coarser(by: number)
        }
        #expect(asked.last == level)
        #expect(picture.map { $0.peaks.count < 1024 } == true)
        if count >= 512 { #expect(picture.map { $0.peaks.count >= 512 } == true) }
        let length = (picture?.millisecondsPerPeak ?? 0) * Double(picture?.peaks.count ?? 0)
        #expect(abs(length - Double(samples) / 8) <= picture?.millisecondsPerPeak ?? 0)
    }

    @Test func `silence and nothing have a shape too`() {
        #expect(Self.levels([])[1]?.loudest == 1)
        #expect(Self.levels([0, 0])[1]?.loudest == 1)
        #expect(Self.levels([.min])[64]?.loudest == 128)
    }

    // MARK: - Files

    /// Reads a file as audiowaveform's documentation describes it, with nothing of ours.
    private static let reader = """
        import json, struct, sys
        data = sys.stdin.buffer.read()
        version, flags, rate, per_pixel, length = struct.unpack("<iIiiI", data[:20])
        channels, = struct.unpack("<i", data[20:24])
        assert flags & 1 == 1 and len(data) == 24 + 2 * length * channels
        pairs = list(struct.unpack("<%db" % (2 * length), data[24:]))
        print(json.dumps([version, flags, rate, per_pixel, length, channels] + pairs))
        """

    @Test func `other programs read the files`() throws {
        let samples = Self.sound(700)
        let levels = Self.levels(samples)
        for (level, length) in [(1, 5), (4, 2), (16, 1), (64, 1)] {
            let waveform = try #require(levels[level])
            let python = Process()
            let (input, output) = (Pipe(), Pipe())
            python.executableURL = URL(filePath: "/usr/bin/python3")
            python.arguments = ["-c", Self.reader]
            (python.standardInput, python.standardOutput) = (input, output)
            try python.run()
            try input.fileHandleForWriting.write(contentsOf: Data(waveform.file))
            try input.fileHandleForWriting.close()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            python.waitUntilExit()
            let numbers = try #require(JSONSerialization.jsonObject(with: data) as? [Int])
            #expect(numbers.prefix(6) == [2, 1, 8000, 160 * level, length, 1])
            #expect(
                Array(numbers.dropFirst(6)) == waveform.peaks.flatMap { [Int($0.least), Int($0.greatest)] })
            #expect(Waveform(file: waveform.file) == waveform)
        }
    }

    @Test func `a damaged file is none`() throws {
        let file = try #require(Self.levels(Self.sound(500))[1]).file
        for count in [0, 1, 23, 24, file.count - 1] {
            #expect(Waveform(file: Array(file.prefix(count))) == nil, "\(count)")
        }
        #expect(Waveform(file: file + [0]) == nil)
        for place in [0, 4, 8, 16, 19, 20] {
            var damaged = file
            damaged[place] ^= 0x80
            #expect(Waveform(file: damaged) == nil, "\(place)")
        }
    }
}

/// The directory in which waveforms are kept.
struct WaveformsTests {
    private static func identity(_ number: UInt64) -> FileIdentity {
        FileIdentity(
            device: 1, inode: number, size: 3, modified: SystemTime(seconds: 0, nanoseconds: 4),
            changed: SystemTime(seconds: 0, nanoseconds: 5))
    }

    private static var levels: [Int: Waveform] {
        var builder = WaveformBuilder()
        builder.add([UInt8](repeating: 7, count: 20_000))
        return builder.finish()
    }

    private static func names(_ scratch: ScratchDirectory) throws -> [String] {
        var names: [String] = []
        try OpenDirectory(scratch("state").appending("waveforms")).forEachName { names.append($0.string) }
        return names.sorted()
    }

    @Test func `what was kept is found again, for that state of that file alone`() throws {
        let scratch = try ScratchDirectory()
        let waveforms = Waveforms(state: scratch("state"))
        var identity = Self.identity(1)
        #expect(!waveforms.exists(for: identity) && waveforms.picture(of: identity) == nil)
        try waveforms.keep(Self.levels, of: identity)
        #expect(waveforms.exists(for: identity))
        #expect(waveforms.picture(of: identity) == Self.levels[1])
        try waveforms.keep(Self.levels, of: identity)
        #expect(try Self.names(scratch).count == 4, "it is the same one")
        identity.changed = SystemTime(seconds: 0, nanoseconds: 6)
        #expect(!waveforms.exists(for: identity) && waveforms.picture(of: identity) == nil)
    }

    @Test func `one with a level missing or damaged is made again`() throws {
        let scratch = try ScratchDirectory()
        let waveforms = Waveforms(state: scratch("state"))
        let identity = Self.identity(1)
        try waveforms.keep(Self.levels, of: identity)
        let (directory, name) = try #require(waveforms.file(1, of: identity))
        try directory.path(of: name).write("half")
        #expect(waveforms.picture(of: identity) == nil)
        try directory.unlink(name)
        #expect(!waveforms.exists(for: identity))
        try waveforms.keep(Self.levels, of: identity)
        #expect(waveforms.picture(of: identity) == Self.levels[1])
    }

    @Test func `the least recently used go, and so does what a killed process has left`() throws {
        let scratch = try ScratchDirectory()
        let size = Int64(Self.levels.values.reduce(0) { $0 + $1.file.count })
        // Room for three, one of which is the next.
        let waveforms = Waveforms(state: scratch("state"), byteLimit: 3 * size, headroom: size)
        try waveforms.keep(Self.levels, of: Self.identity(1))
        let directory = scratch("state").appending("waveforms")
        try directory.appending("left.dat.tmp").write("half")
        for name in try Self.names(scratch) { try scratch.age(directory.appending(name), by: .seconds(7200)) }
        try waveforms.keep(Self.levels, of: Self.identity(2))
        #expect(try Self.names(scratch).count == 8, "the leftover is gone")
        for number in Waveform.levels { #expect(waveforms.file(number, of: Self.identity(1)) != nil) }
        for number in Waveform.levels {
            let (place, name) = try #require(waveforms.file(number, of: Self.identity(2)))
            try scratch.age(place.path(of: name), by: .seconds(3000))
        }
        try waveforms.keep(Self.levels, of: Self.identity(3))
        try waveforms.keep(Self.levels, of: Self.identity(4))
        for number in [1, 3, 4] { #expect(waveforms.exists(for: Self.identity(UInt64(number)))) }
        #expect(!waveforms.exists(for: Self.identity(2)), "it was used longest ago")
    }
}

extension ScratchDirectory {
    /// Has a file look as if it was last written some time ago.
    fileprivate func age(_ path: FilePath, by time: Duration) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -(time / .seconds(1)))], ofItemAtPath: path.string)
    }
}
