import RecordFormat
import SystemPackage
import TestSupport
import Testing

@testable import TraceIndex

/// What is kept of the markers of sessions answers as a pass over all of their rows does.
@Suite struct StripCacheTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    private let index: JournalIndex
    private let cache = StripCache()

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
    }

    private func reconcile(_ verification: Verification = .quick) throws {
        _ = try index.reconcile(
            journal: folder.path, in: scratch.root, settleTime: .zero, verification: verification)
    }

    private static let stretches: [(Int64?, Int64?)] = [
        (nil, nil), (0, 999), (250, nil), (nil, 100), (400, 400), (5000, 9000), (0, .max),
    ]

    /// Compares what is kept with a full count, in all of the session and in parts of it.
    private func expectSame(_ what: String, by cache: StripCache? = nil) throws {
        for (first, last) in Self.stretches {
            for cells in [1, 7, 100] {
                func strip(_ cache: StripCache?) throws -> MarkerStrip {
                    try index.markerStrip(
                        of: folder.path, from: first.map { SessionOffset(milliseconds: $0) },
                        to: last.map { SessionOffset(milliseconds: $0) }, cells: cells, keptIn: cache)
                }
                let stretch = "\(what): \(cells) cells from \(first ?? -1) to \(last ?? -1)"
                #expect(try strip(cache ?? self.cache) == strip(nil), "\(stretch)")
            }
        }
    }

    private static let tags = [
        "", #","tags":["highlight"]"#, #","tags":["texture_sample","fix-review"]"#, #","tags":["bass"]"#,
        #","tags":["HIGHLIGHT","structure"]"#,
    ]

    private static func marker(_ number: Int, _ random: inout SeededRandom) -> String {
        SessionFolder.marker(
            number, at: Int.random(in: 0..<1000, using: &random), more: random.element(of: tags))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `after any edits the kept markers are those of the file`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var lines: [String] = []
        try reconcile()
        try expectSame("without markers")
        for step in 0..<40 {
            let action = Int.random(in: 0..<10, using: &random)
            switch action {
            case 0 where !lines.isEmpty:
                // A line is edited where it stands.
                let place = Int.random(in: 0..<lines.count, using: &random)
                lines[place] = Self.marker(place, &random)
                try folder.write(lines.joined(), to: "markers.jsonl")
            case 1 where !lines.isEmpty:
                lines.removeLast(Int.random(in: 1...lines.count, using: &random))
                try folder.write(lines.joined(), to: "markers.jsonl")
            case 2:
                lines.shuffle(using: &random)
                try folder.replace("markers.jsonl", with: Array(lines.joined().utf8))
            case 3 where !lines.isEmpty:
                // A later line of the same id supersedes one that was counted.
                let line = Self.marker(Int.random(in: 0..<lines.count, using: &random), &random)
                lines.append(line)
                try folder.append(line)
            case 4:
                // Both lines of an id come together.
                let number = lines.count + 1000 + step
                let two = [Self.marker(number, &random), Self.marker(number, &random)]
                lines += two
                try folder.append(two.joined())
            default:
                let new = (0..<Int.random(in: 1...20, using: &random)).map {
                    Self.marker(lines.count + $0, &random)
                }
                lines += new
                try folder.append(new.joined())
            }
            try reconcile()
            try expectSame("step \(step), action \(action)")
        }
    }

    @Test func `a file that is removed, and another in its place, leave nothing behind`() throws {
        try folder.append(SessionFolder.marker(1, at: 100) + SessionFolder.marker(2, at: 200))
        try reconcile()
        try expectSame("two")
        try folder.file("markers.jsonl").unlink()
        try reconcile()
        try expectSame("none")
        try folder.write(
            SessionFolder.marker(3, at: 900) + SessionFolder.marker(4, at: 901), to: "markers.jsonl")
        try reconcile()
        try expectSame("two others")
        // The rows of another index have the same numbers.
        try scratch.database.unlink()
        try folder.write(
            SessionFolder.marker(5, at: 10) + SessionFolder.marker(6, at: 20), to: "markers.jsonl")
        try reconcile()
        try expectSame("in another index")
    }

    @Test func `what can't be kept is counted all the same`() throws {
        try folder.append(SessionFolder.marker(1, at: 100) + SessionFolder.marker(2, at: 1 << 32))
        try reconcile()
        try expectSame("49 days")
        #expect(cache.contents.bytes < 10_000)
    }

    @Test func `no more memory is taken than is allowed`() throws {
        let small = StripCache(byteLimit: 4096)
        try folder.append((0..<500).map { SessionFolder.marker($0, at: $0) }.joined())
        try reconcile()
        try expectSame("a session that is too large", by: small)
        #expect(small.contents.bytes <= 4096)
        for number in 0..<10 {
            let other = try scratch.session(try #require(FilePath.Component("other-\(number)")))
            _ = try index.reconcile(journal: other.path, in: scratch.root, settleTime: .zero)
            _ = try index.markerStrip(of: other.path, cells: 1, keptIn: small)
            #expect(small.contents.sessions <= 4)
        }
    }
}
