import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceFormat

/// Damage by generation: whatever happens to a file, there is no crash and every finding has a place in it.
struct DamageTests {
    /// Every different file of the fixtures and of the valid session, with the kind that it is read as.
    private static let files: [(kind: RecordKind, bytes: [UInt8])] = {
        let fixtures = (try? RuleFixture.names().map { try RuleFixture(name: $0).tree().files }) ?? []
        var seen: Set<[UInt8]> = []
        var files: [(RecordKind, [UInt8])] = []
        for tree in [SessionFiles.valid.tree.files] + fixtures {
            for kind in RecordKind.allCases {
                if let bytes = tree[kind.fileName], seen.insert(bytes).inserted {
                    files.append((kind, bytes))
                }
            }
        }
        return files
    }()

    @Test(arguments: RecordKind.allCases) func `a file cut off at any byte`(kind: RecordKind) throws {
        for (_, bytes) in Self.files.filter({ $0.kind == kind }) {
            for count in Torture.places(0..<bytes.count + 1) { try check(kind, Array(bytes.prefix(count))) }
        }
    }

    @Test(arguments: RecordKind.lines) func `a file with any bit flipped`(kind: RecordKind) throws {
        for (_, bytes) in Self.files.filter({ $0.kind == kind }) {
            // One stream reads all the damaged copies, one behind the other.
            var copy = 0..<0
            let stream = try RecordStream(.of(kind)) { record in
                guard
                    !copy.contains(record.byteOffset)
                        || record.byteOffset + record.byteLength > copy.upperBound
                else { return }
                Issue.record("a record at \(record.byteOffset) of \(copy)")
            } onFinding: { finding in
                guard !copy.contains(finding.place.byteOffset) || finding.place.line < 1 else { return }
                Issue.record("\(finding) in \(copy)")
            }
            try Self.forEachFlip(of: bytes) { damaged in
                copy = copy.upperBound..<(copy.upperBound + damaged.count + 1)
                try stream.read(damaged + [0x0A])
            }
        }
    }

    @Test func `a session.json with any bit flipped`() throws {
        let checker = try RecordChecker(.session)
        for (_, bytes) in Self.files.filter({ $0.kind == .session }) {
            Self.forEachFlip(of: bytes) { damaged in
                PaddedBytes.withLine(damaged) { line in
                    _ = checker.check(line) { expectPlace(of: $0, in: damaged) }.map { Session($0) }
                }
            }
        }
    }

    private static func forEachFlip(of bytes: [UInt8], _ body: ([UInt8]) throws -> Void) rethrows {
        var bytes = bytes
        for index in Torture.places(bytes.indices) {
            for bit in 0..<8 {
                bytes[index] ^= 1 << UInt8(bit)
                try body(bytes)
                bytes[index] ^= 1 << UInt8(bit)
            }
        }
    }

    @Test(arguments: Array(UInt64(1)...4)) func `a whole session with damage everywhere`(seed: UInt64) throws
    {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            var session = SessionFiles.valid
            session.isSettled = .random(using: &random)
            for (name, bytes) in session.tree.files.sorted(by: { $0.key < $1.key })
            where Int.random(in: 0...2, using: &random) > 0 {
                session.tree.files[name] = Self.damaged(bytes, &random)
            }
            for finding in try session.findings() {
                expectPlace(of: finding, in: session.tree.files[finding.place.file])
            }
        }
    }

    private static func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8]? {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let length = Int.random(in: 0...(bytes.count - place), using: &random)
            switch Int.random(in: 0...5, using: &random) {
            case 0: bytes.removeSubrange(place..<(place + length))
            case 1: bytes.insert(contentsOf: [UInt8](repeating: 0, count: length), at: place)
            case 2: bytes.insert(.random(in: 0...255, using: &random), at: place)
            case 3: bytes += bytes[place..<(place + length)]
            case 4: bytes.insert(0x0A, at: place)
            default: if length > 0 { bytes[place] = .random(in: 0...255, using: &random) }
            }
        }
        return random.next() % 20 == 0 ? nil : bytes
    }

    /// Checks one file, and that what is found lies in it.
    private func check(_ kind: RecordKind, _ bytes: [UInt8]) throws {
        if kind == .session {
            let checker = try RecordChecker(.session)
            let session = PaddedBytes.withLine(bytes) { line in
                checker.check(line) { expectPlace(of: $0, in: bytes) }.map { Session($0) }
            }
            let facts = SessionFactsBuilder(session: session ?? Session()).finish(
                directory: SessionFacts.Directory())
            for finding in facts.findings() { expectPlace(of: finding, in: bytes) }
            return
        }
        var last = -1
        let stream = try RecordStream(.of(kind)) { record in
            guard record.byteOffset <= last || record.byteOffset + record.byteLength > bytes.count else {
                last = record.byteOffset
                return
            }
            Issue.record("a record at \(record.byteOffset) of \(bytes.text.debugDescription)")
        } onFinding: {
            expectPlace(of: $0, in: bytes)
        }
        try stream.read(bytes)
        try stream.finish()
    }

    private func expectPlace(of finding: Finding, in bytes: [UInt8]?) {
        let place = finding.place
        let isWhole = place.line == 0 && place.byteOffset == 0 && place.column == 0
        let isLine =
            place.line >= 1 && place.column >= 0 && (0...(bytes?.count ?? 0)).contains(place.byteOffset)
        guard place.file.isEmpty || !isWhole && !isLine || finding.message.contains("\n") else { return }
        Issue.record("\(finding) in \(bytes?.text.debugDescription ?? "no file")")
    }
}
