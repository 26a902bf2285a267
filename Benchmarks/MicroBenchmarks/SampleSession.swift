internal import Benchmark
internal import Foundation
internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// A session of many markers in a scratch directory, the same for a seed.
struct SampleSession {
    let directory: URL
    let markerCount: Int

    var root: URL { directory.appending(path: "sessions") }
    var state: URL { directory.appending(path: "state") }
    var path: FilePath { FilePath(root.appending(path: "sample").path) }

    /// Ten hours, in milliseconds.
    static let length: Int64 = 36_000_000
    private static let linesAtOnce = 10_000

    /// Makes the session.
    ///
    /// - Throws: Where it could not be written.
    init(markerCount: Int, seed: UInt64 = 1) throws {
        self.markerCount = markerCount
        directory = FileManager.default.temporaryDirectory.appending(path: "trace-benchmarks-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        _ = try SessionWriter.create(
            at: path, title: "Sample", start: Timestamp(milliseconds: 1_770_238_030_480))
        var random = SeededRandom(seed: seed)
        let file = try FileHandle(forWritingTo: URL(filePath: path.appending("markers.jsonl").string))
        for start in stride(from: 0, to: markerCount, by: Self.linesAtOnce) {
            var lines = ""
            for number in start..<min(start + Self.linesAtOnce, markerCount) {
                lines += Self.line(number, using: &random)
            }
            try file.write(contentsOf: Data(lines.utf8))
        }
        try file.close()
    }

    func remove() { try? FileManager.default.removeItem(at: directory) }

    private static func line(_ number: Int, using random: inout SeededRandom) -> String {
        let offset = Int64.random(in: 0..<length, using: &random)
        let tag = Marker.categories.randomElement(using: &random) ?? "highlight"
        let note = String(repeating: "listen to this part again ", count: 4)
        return """
            {"id":"\(id(of: number))","offset_ms":\(offset),"created_at":"2026-02-04T20:47:10.480Z",\
            "source":"user","label":"Theme \(number)","note":"\(note)","tags":["\(tag)"]}

            """
    }

    /// The id of a marker.
    static func id(of number: Int) -> ULID {
        var generator = ULIDGenerator()
        var random = SeededRandom(seed: UInt64(number))
        return generator.next(milliseconds: 1_770_238_030_480 + Int64(number), using: &random)
    }
}

/// SplitMix64.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
