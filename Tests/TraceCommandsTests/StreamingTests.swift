import TestSupport
import Testing

/// Answers that are printed as they are found: their memory, and that they are the same as those of a simple model.
struct StreamingTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        scratch.patience = .seconds(600)
    }

    // MARK: - Memory

    /// The few are enough to fill SQLite's caches, whose bound is no matter of lines.
    private static let sizes = (few: 20_000, many: 60_000)
    /// What pieces under way on all cores take, in one run more than in another.
    private static let slack = 6 << 20

    /// So many markers, in no order of their offsets.
    private static func markers(of id: Int, _ count: Int) -> String {
        let note = "\"note\":\"\(String(repeating: "la ", count: 30))\","
        return (0..<count).map { marker(id * 1_000_000 + $0, at: $0 &* 7919 % count, note) }.joined()
    }

    /// Made once for all tests, which takes as long as most of them.
    private static let few = markers(of: 1, sizes.few)
    private static let many = markers(of: 2, sizes.many)

    /// How many bytes more each line of the larger session takes.
    private func growth(_ arguments: (_ session: String) -> [String]) throws -> Int {
        try scratch.session("few", id: 1, markers: Self.few)
        try scratch.session("many", id: 2, markers: Self.many)
        let few = try scratch.peakMemory(arguments("sessions/few"))
        let many = try scratch.peakMemory(arguments("sessions/many"))
        return max(0, many - few - Self.slack) / (Self.sizes.many - Self.sizes.few)
    }

    @Test(arguments: [
        [], ["--json"], ["--format", "csv"], ["--format", "jsonl"], ["--tag", "no"],
        ["--offset-min", "500", "--offset-max", "600"],
    ])
    func `a list of markers without an index takes at most 32 bytes a line`(options: [String]) throws {
        #expect(
            try growth { ["markers", "list", $0, "--root", "/nowhere", "--quiet"] + options } <= 32)
    }

    @Test func `a list of markers with an index takes no more`() throws {
        try scratch.session("few", id: 1, markers: Self.few)
        try scratch.session("many", id: 2, markers: Self.many)
        // The index is current then: what filling it takes is not the list's.
        _ = try scratch.trace("sessions")
        let few = try scratch.peakMemory(["markers", "list", "sessions/few"])
        let many = try scratch.peakMemory(["markers", "list", "sessions/many"])
        #expect((many - few - Self.slack) / (Self.sizes.many - Self.sizes.few) <= 32)
    }

    @Test func `a list of the markers of all sessions does not hold them`() throws {
        // Fewer than elsewhere, for each line is a question of its own.
        let sizes = (few: 5000, many: 15_000)
        try scratch.session("few", id: 1, markers: Self.markers(of: 1, sizes.few))
        _ = try scratch.trace("sessions")
        let few = try scratch.peakMemory(["markers", "list", "--all", "--json"])
        try scratch.session("many", id: 2, markers: Self.markers(of: 2, sizes.many))
        _ = try scratch.trace("sessions")
        let many = try scratch.peakMemory(["markers", "list", "--all", "--json"])
        // SQLite's caches and its sorting are bounded, but the few don't fill them; a marker that is held takes thousands.
        #expect((many - few - Self.slack) / sizes.many <= 256)
    }

    @Test func `index verify holds no rows`() throws {
        try scratch.session("few", id: 1, markers: Self.few)
        let few = try scratch.peakMemory(["index", "verify"])
        try scratch.session("many", id: 2, markers: Self.many)
        let many = try scratch.peakMemory(["index", "verify"])
        #expect((many - few - Self.slack) / Self.sizes.many <= 256)
    }

    // MARK: - What is printed

    /// Some lines of `markers.jsonl`, and the markers that count, in the order of their offsets and lines.
    private struct Model {
        var text = ""
        var markers: [(id: Int, offset: Int, line: String, tags: [String])] = []

        init(seed: UInt64, count: Int) {
            var random = SeededRandom(seed: seed)
            var last: [Int: (number: Int, offset: Int?, line: String, tags: [String])] = [:]
            for number in 0..<count {
                let id = Int.random(in: 0..<max(1, count / 2), using: &random) + 100
                let offset = Int.random(in: 0..<count, using: &random)
                let tags =
                    [[], ["highlight"], ["fix-review", "highlight"]].randomElement(using: &random) ?? []
                let line = String(marker(id, at: offset, tags: tags).dropLast())
                switch Int.random(in: 0..<12, using: &random) {
                case 0: text += "{\"id\":\"\(ProgramHarness.number(id))\",\"off\n"
                case 1: text += "\n"
                case 2:
                    // It takes the place of the line before it, and stands nowhere.
                    text += "{\"id\":\"\(ProgramHarness.number(id))\",\"offset_ms\":\"soon\"}\n"
                    last[id] = (number, nil, "", [])
                case 3:
                    text += "\(line)\r\n"
                    last[id] = (number, offset, line, tags)
                default:
                    text += "\(line)\n"
                    last[id] = (number, offset, line, tags)
                }
            }
            text += "{\"id\":\"\(ProgramHarness.number(100))\",\"offset_ms\":1"
            markers = last.compactMap { id, found in
                found.offset.map { (id, $0, found.line, found.tags, found.number) }
            }.sorted { ($0.1, $0.4) < ($1.1, $1.4) }.map { ($0.0, $0.1, $0.2, $0.3) }
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>, [true, false])
    func `what is listed is what counts, with and without an index`(seed: UInt64, isIndexed: Bool) throws {
        let count = seed % 3 == 0 ? 9000 : 40 * Int(seed)
        let model = Model(seed: seed, count: count)
        try scratch.session("a", markers: model.text)
        func list(_ options: String...) throws -> String {
            let outcome = try scratch.trace(
                ["markers", "list", "sessions/a", "--quiet"] + (isIndexed ? [] : ["--root", "/nowhere"])
                    + options)
            #expect(outcome.status == 0, "seed \(seed): \(outcome.errors)")
            return outcome.output
        }
        func text(_ markers: some Sequence<(id: Int, offset: Int, line: String, tags: [String])>) -> String {
            let lines = markers.map { marker in
                ([number(marker.id), "\(marker.offset)"]
                    + (marker.tags.isEmpty ? [] : [marker.tags.joined(separator: ",")]))
                    .joined(separator: "\t") + "\n"
            }
            return lines.isEmpty ? "no markers\n" : lines.joined()
        }
        #expect(try list() == text(model.markers), "seed \(seed)")
        #expect(
            try list("--json") == "[\(model.markers.map(\.line).joined(separator: ","))]\n", "seed \(seed)")
        #expect(
            try list("--format", "jsonl") == model.markers.map { $0.line + "\n" }.joined(), "seed \(seed)")
        let range = count / 4...count / 2
        #expect(
            try list("--offset-min", "\(range.lowerBound)", "--offset-max", "\(range.upperBound)")
                == text(model.markers.filter { range.contains($0.offset) }), "seed \(seed)")
        #expect(
            try list("--tag", "fix-review") == text(model.markers.filter { $0.tags.contains("fix-review") }),
            "seed \(seed)")
        let rows = try list("--format", "csv")
        #expect(
            try rows == scratch.trace("export", "sessions/a", "--format", "csv", "--quiet").output,
            "seed \(seed)")
        #expect(rows.split(separator: "\n").count == model.markers.count + 1, "seed \(seed)")
    }

    @Test func `a long answer is whole where there is no pager, and ends with one that is left`() throws {
        let count = Self.sizes.few
        try scratch.session("a", markers: Self.few)
        func terminal(_ pager: String) throws -> String {
            try scratch.shell(
                """
                script -qec 'stty cols 80 rows 24; TRACE_PAGER="\(pager)" "$TRACE" markers list sessions/a' /dev/null
                """
            ).output
        }
        func markers(_ pager: String) throws -> Int {
            // A terminal ends lines by "\r\n", which is one character. The end of the id is what ends a line.
            try terminal(pager).split(whereSeparator: \.isNewline).count {
                $0.suffix(6).allSatisfy(\.isNumber)
            }
        }
        #expect(try markers("no-such-program") == count)
        // One of the lines is the heading.
        #expect(try markers("head -n 3") == 2)
    }
}
