import RecordFormat
import TestSupport
import Testing
import TraceFormat

struct SessionClockTests {
    private static let start = Timestamp(milliseconds: 1_770_235_200_000)

    private static func clock(_ pauses: [(Int64, Int64)] = [], pausedAt: Int64? = nil) -> SessionClock {
        SessionClock(
            start: start,
            pauses: pauses.map {
                SessionClock.Pause(offset: SessionOffset(milliseconds: $0.0), length: $0.1)
            },
            pausedAt: pausedAt.map(SessionOffset.init(milliseconds:)))
    }

    private static func moment(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: start.milliseconds + milliseconds)
    }

    // MARK: - Offsets and moments

    @Test func `without a pause an offset is the time since the start`() {
        let clock = Self.clock()
        #expect(clock.offset(at: Self.moment(1234)) == SessionOffset(milliseconds: 1234))
        #expect(clock.offset(at: Self.moment(-5)) == SessionOffset(milliseconds: -5))
        #expect(clock.wall(at: SessionOffset(milliseconds: 1234)) == Self.moment(1234))
    }

    @Test(arguments: [
        (wall: 999, offset: 999), (1000, 1000), (1001, 1000), (1250, 1000), (1251, 1001), (2249, 1999),
        (2250, 2000), (2750, 2000), (2751, 2001), (9750, 9000),
    ])
    func `the clock stands still in a pause`(_ example: (wall: Int64, offset: Int64)) {
        let clock = Self.clock([(2000, 500), (1000, 250)])
        #expect(
            clock.offset(at: Self.moment(example.wall)) == SessionOffset(milliseconds: example.offset))
    }

    @Test func `at the offset of a pause the moment is its beginning`() {
        let clock = Self.clock([(1000, 250)])
        #expect(clock.wall(at: SessionOffset(milliseconds: 1000)) == Self.moment(1000))
        #expect(clock.wall(resumingAt: SessionOffset(milliseconds: 1000)) == Self.moment(1250))
        #expect(clock.wall(at: SessionOffset(milliseconds: 1001)) == Self.moment(1251))
    }

    @Test func `a pause that lasts holds the clock`() {
        let clock = Self.clock(pausedAt: 700)
        #expect(clock.offset(at: Self.moment(600)) == SessionOffset(milliseconds: 600))
        #expect(clock.offset(at: Self.moment(90_000)) == SessionOffset(milliseconds: 700))
    }

    @Test(arguments: 0..<200)
    func `an offset is where its moment is, and both directions are monotone`(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let pauses = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            (Int64.random(in: 0...10_000, using: &random), Int64.random(in: 1...10_000, using: &random))
        }
        let clock = Self.clock(pauses)
        let offsets = (0..<100).map { _ in Int64.random(in: 0...12_000, using: &random) }.sorted()
        for offset in offsets.map(SessionOffset.init(milliseconds:)) {
            #expect(clock.offset(at: clock.wall(at: offset)) == offset)
            #expect(clock.offset(at: clock.wall(resumingAt: offset)) == offset)
        }
        let walls = offsets.map { clock.wall(at: SessionOffset(milliseconds: $0)) }
        #expect(walls == walls.sorted())
        let moments = (0..<100).map { _ in Self.moment(.random(in: -100...60_000, using: &random)) }.sorted()
        let places = moments.map { clock.offset(at: $0) }
        #expect(places == places.sorted())
    }

    @Test(arguments: 0..<200)
    func `the offsets within a stretch of time are those whose moments lie in it`(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let pauses = (0..<3).map { _ in
            (Int64.random(in: 0...20, using: &random), Int64.random(in: 1...20, using: &random))
        }
        let pausedAt: Int64? = Bool.random(using: &random) ? 25 : nil
        let clock = Self.clock(pauses, pausedAt: pausedAt)
        let first = Int64.random(in: 0...60, using: &random)
        let moments = Self.moment(first)...Self.moment(first + .random(in: 0...40, using: &random))
        let expected = (0...(pausedAt ?? 200)).map(SessionOffset.init(milliseconds:)).filter {
            moments.contains(clock.wall(at: $0))
        }
        let found = clock.offsets(within: moments)
        #expect(
            found?.lowerBound == expected.first && found?.upperBound == expected.last, "\(clock) \(moments)")
    }

    @Test(arguments: 0..<500)
    func `no numbers can break it`(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        func number() -> Int64 {
            let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
            return Bool.random(using: &random)
                ? random.element(of: edges) : .random(in: .min ... .max, using: &random)
        }
        let pauses = (0..<4).map { _ in
            SessionClock.Pause(offset: SessionOffset(milliseconds: number()), length: number())
        }
        let clock = SessionClock(
            start: Timestamp(milliseconds: number()), pauses: pauses,
            pausedAt: Bool.random(using: &random) ? SessionOffset(milliseconds: number()) : nil)
        let numbers = (0..<20).map { _ in number() }.sorted()
        let walls = numbers.map { clock.wall(at: SessionOffset(milliseconds: $0)) }
        #expect(walls == walls.sorted())
        let offsets = numbers.map { clock.offset(at: Timestamp(milliseconds: $0)) }
        #expect(offsets == offsets.sorted())
        _ = clock.offsets(within: Timestamp(milliseconds: .min)...Timestamp(milliseconds: numbers[10]))
        _ = clock.wall(resumingAt: SessionOffset(milliseconds: numbers[3]))
    }

    // MARK: - The timeline

    /// An entry at an offset, at a moment counted from the start, made at another.
    private struct Entry {
        var id: Int
        var kind: String
        var offset: Int64
        var wall: Int64
        var created: Int64?
    }

    private static func pauses(_ entries: [Entry]) -> PauseReader {
        PauseReader(
            entries.enumerated().map { line, entry in
                RecordSummary(
                    kind: .timeline, line: line + 1, byteOffset: 0, byteLength: 0,
                    id: ULID(ulid(entry.id)), offset: SessionOffset(milliseconds: entry.offset),
                    createdAt: moment(entry.created ?? entry.wall), wallTime: moment(entry.wall),
                    detail: entry.kind)
            })
    }

    private static func ulid(_ number: Int) -> String {
        "01KGN6Z5BM00000000000000\(number < 10 ? "0" : "")\(number)"
    }

    private static func begin(_ id: Int, at offset: Int64, wall: Int64) -> Entry {
        Entry(id: id, kind: "media_end", offset: offset, wall: wall)
    }

    private static func end(_ id: Int, at offset: Int64, wall: Int64) -> Entry {
        Entry(id: id, kind: "media_start", offset: offset, wall: wall)
    }

    @Test func `a pause is two entries at one offset with two moments`() {
        let reader = Self.pauses([
            Entry(id: 1, kind: "session_start", offset: 0, wall: 0),
            Self.begin(2, at: 600, wall: 600), Self.end(3, at: 600, wall: 900),
            Entry(id: 4, kind: "session_end", offset: 700, wall: 1000),
        ])
        #expect(reader.pauses == [SessionClock.Pause(offset: SessionOffset(milliseconds: 600), length: 300)])
        #expect(reader.lastingPause == nil)
    }

    @Test func `other entries may stand between the two`() {
        let reader = Self.pauses([
            Self.begin(2, at: 600, wall: 600),
            Entry(id: 5, kind: "media_start", offset: 600, wall: 600, created: 5000),
            Self.end(3, at: 600, wall: 900),
        ])
        #expect(reader.pauses.count == 1)
    }

    @Test(
        arguments: [
            (
                "the entries of media that were added",
                [
                    Entry(id: 1, kind: "media_end", offset: 600, wall: 600, created: 950),
                    Entry(id: 2, kind: "media_start", offset: 600, wall: 900, created: 950),
                ]
            ),
            ("two offsets", [begin(1, at: 600, wall: 600), end(2, at: 601, wall: 900)]),
            ("an end that is not later", [begin(1, at: 600, wall: 600), end(2, at: 600, wall: 600)]),
            ("an end alone", [end(2, at: 600, wall: 900)]),
            ("an end before its beginning", [end(2, at: 600, wall: 900), begin(1, at: 600, wall: 600)]),
            (
                "a beginning that a later line of its id replaced",
                [
                    begin(1, at: 600, wall: 600), end(2, at: 600, wall: 900),
                    Entry(id: 1, kind: "session_end", offset: 900, wall: 900),
                ]
            ),
        ])
    private func `nothing else is a pause`(_ what: String, _ entries: [Entry]) {
        #expect(Self.pauses(entries).pauses.isEmpty, "\(what)")
    }

    @Test func `a beginning without an end lasts while the session is active`() throws {
        let reader = Self.pauses([
            Self.begin(1, at: 100, wall: 100), Self.begin(2, at: 600, wall: 600),
        ])
        #expect(reader.lastingPause == SessionOffset(milliseconds: 600))
        var session = Session()
        session.startTime = Self.start
        session.status = .active
        #expect(reader.clock(of: session)?.pausedAt == SessionOffset(milliseconds: 600))
        session.status = .closed
        #expect(reader.clock(of: session)?.pausedAt == nil)
        session.startTime = nil
        #expect(reader.clock(of: session) == nil)
    }
}
