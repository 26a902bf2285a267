import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceFormat

/// What holds of every merge, on random versions.
struct MergePropertyTests {
    static let seeds = Torture.choose(Array(UInt64(0)..<20), sample: 6, "merges")

    static func merge(_ kind: RecordKind, _ file: [UInt8], _ copies: [[UInt8]]) throws -> [UInt8] {
        try VersionMerge(kind, file: file, copies: copies.map { ("copy", $0) }).bytes
    }

    /// Versions that no history makes: the same few lines in any order, some of them twice.
    static func arbitrary(_ kind: RecordKind, seed: UInt64) -> [[String]] {
        var random = SeededRandom(seed: seed)
        let pool = (0..<9).map { _ in
            MergeLines.line(
                kind, Int.random(in: 0..<3, using: &random), time: Int.random(in: 0..<3, using: &random),
                version: Int.random(in: 0..<4, using: &random))
        }
        return (0..<4).map { _ in
            (0..<Int.random(in: 0..<9, using: &random)).map { _ in random.element(of: pool) }
        }
    }

    /// The file and its copies, merged in every order, into each of them, at once and one by one, again and
    /// again.
    static func expectOneEnd(_ kind: RecordKind, _ versions: [[String]]) throws {
        let files = versions.map(MergeLines.file)
        let expected = try merge(kind, files[0], Array(files.dropFirst()))
        for order in permutations(of: files) {
            var one = order[0]
            for copy in order.dropFirst() { one = try merge(kind, one, [copy]) }
            #expect(one == expected)
        }
        // Two machines merge parts of it, then each other's.
        let left = try merge(kind, files[3], [files[1]])
        let right = try merge(kind, files[2], [files[0]])
        #expect(try merge(kind, left, [right]) == expected)
        #expect(try merge(kind, files[2], [files[3], files[0], files[1]]) == expected)
        for file in files + [expected] { #expect(try merge(kind, expected, [file, file]) == expected) }
    }

    @Test(arguments: RecordKind.lines, seeds)
    func `any order and any number of merges end in the same bytes`(kind: RecordKind, seed: UInt64) throws {
        try Self.expectOneEnd(kind, try MergeHistory(kind, seed: seed, devices: 4).versions)
        try Self.expectOneEnd(kind, Self.arbitrary(kind, seed: seed))
    }

    @Test(arguments: RecordKind.lines, seeds)
    func `nothing is lost, nothing is added`(kind: RecordKind, seed: UInt64) throws {
        for versions in [try MergeHistory(kind, seed: seed).versions, Self.arbitrary(kind, seed: seed)] {
            let files = versions.map(MergeLines.file)
            let merged = try Self.merge(kind, files[0], Array(files.dropFirst())).text.split(separator: "\n")
            func count(_ lines: [some StringProtocol]) -> [String: Int] {
                Dictionary(lines.map { (String($0), 1) }, uniquingKeysWith: +)
            }
            let expected = versions.map(count).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: max) }
            #expect(count(merged) == expected)
        }
    }

    /// A copy that is an older state of the file, or any part of it, changes nothing that counts.
    @Test(arguments: [RecordKind.marker, .voiceNote], seeds)
    func `a copy that knows less undoes no edit`(kind: RecordKind, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for file in try MergeHistory(kind, seed: seed).versions + Self.arbitrary(kind, seed: seed) {
            let older = Array(file.prefix(Int.random(in: 0...file.count, using: &random)))
            let part = file.filter { _ in Bool.random(using: &random) }
            for copy in [older, part] {
                let merge = try VersionMerge(
                    kind, file: MergeLines.file(file), copies: [("copy", MergeLines.file(copy))])
                #expect(merge.bytes == MergeLines.file(file))
                #expect(merge.changed.isEmpty && merge.undecided.isEmpty)
            }
        }
    }

    /// Where every writer only appends, the line that counts is never one that somebody knew and wrote over.
    @Test(
        arguments: [RecordKind.marker, .voiceNote],
        Torture.choose(Array(UInt64(0)..<150), sample: 40, "edits"))
    func `no edit is undone by another version`(kind: RecordKind, seed: UInt64) throws {
        let history = try MergeHistory(kind, seed: seed, devices: 3, steps: 40)
        let files = history.versions.map(MergeLines.file)
        let merged = try Self.merge(kind, files[0], Array(files.dropFirst())).text.split(separator: "\n").map(
            String.init)
        var last: [Int: String] = [:]
        for line in merged { if let id = history.id(of: line) { last[id] = line } }
        for line in merged {
            guard let id = history.id(of: line), let winner = last[id], winner != line else { continue }
            #expect(history.past[line]?.contains(winner) != true, "\(line) was written over \(winner)")
        }
    }

    @Test(arguments: RecordKind.lines, seeds)
    func `versions without a finding merge without one`(kind: RecordKind, seed: UInt64) throws {
        // What a device has merged is in order; what it then appends must be so too.
        var versions = try MergeHistory(kind, seed: seed).versions
        versions = try versions.map {
            try Self.merge(kind, MergeLines.file($0), []).text.split(separator: "\n").map(String.init)
        }
        let files = versions.map(MergeLines.file)
        for file in files { #expect(try findings(kind, file).isEmpty) }
        #expect(try findings(kind, Self.merge(kind, files[0], Array(files.dropFirst()))).isEmpty)
    }

    private func findings(_ kind: RecordKind, _ file: [UInt8]) throws -> [Finding] {
        var findings: [Finding] = []
        let stream = try RecordStream(.of(kind)) { _ in
        } onFinding: {
            findings.append($0)
        }
        try stream.read(file)
        try stream.finish()
        return findings
    }

    @Test(arguments: seeds)
    func `what is damaged in the file ends in one place, in whatever order copies come`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let versions = Self.arbitrary(.marker, seed: seed)
        var file = versions[0]
        for damage in ["{", "{", "\0\0"] {
            file.insert(damage, at: Int.random(in: 0...file.count, using: &random))
        }
        let copies = versions.dropFirst().map(MergeLines.file)
        let expected = try Self.merge(.marker, MergeLines.file(file), copies)
        for order in permutations(of: copies) {
            var one = MergeLines.file(file)
            for copy in order + order { one = try Self.merge(.marker, one, [copy]) }
            #expect(one == expected)
        }
        #expect(expected.text.split(separator: "\n").count { $0 == "{" } == 2)
    }
}
