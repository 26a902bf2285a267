import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceText

@testable import TraceStore

/// Where people stopped listening, as it is kept in the state directory.
struct PositionsTests {
    let scratch: ScratchDirectory
    let positions: Positions
    let ann: Person

    init() throws {
        scratch = try ScratchDirectory()
        positions = Positions(state: scratch("state"))
        ann = try Person("ann")
    }

    private var file: FilePath { positions.path.appending("ann.json") }

    private static func minute(_ minutes: Int64) -> Timestamp {
        Timestamp(milliseconds: morning.milliseconds + minutes * 60_000)
    }

    /// A position in the third minute that was reached so many minutes after the morning.
    private static func position(
        _ minutes: Int64, media: ULID? = nil, offset: Int64 = 180_000
    ) -> ListeningPosition {
        ListeningPosition(
            offset: SessionOffset(milliseconds: offset), media: media, at: minute(minutes))
    }

    @discardableResult
    private func set(
        _ position: ListeningPosition, of person: Person? = nil, in session: Int = 1, now: Int64 = 60
    ) throws -> Bool {
        try positions.set(position, of: person ?? ann, in: number(session), now: Self.minute(now)).isChanged
    }

    @Test func `a position is known to the next one who asks`() throws {
        #expect(try positions.position(of: ann, in: number(1)) == nil)
        #expect(try set(Self.position(1, media: number(5))))
        #expect(try positions.position(of: ann, in: number(1)) == Self.position(1, media: number(5)))
        #expect(try positions.position(of: ann, in: number(2)) == nil)
        #expect(try positions.position(of: Person("bob"), in: number(1)) == nil)
        #expect(
            try file.text() == """
                {"person":"ann","positions":{"\(number(1))":{"offset_ms":180000,"media_id":"\(number(5))",\
                "at":"2026-02-05T08:01:00.000Z"}}}

                """)
        #expect(try tree(of: positions.path).keys.sorted() == ["ann.json"])
    }

    @Test func `the later moment wins, wherever in the session it is`() throws {
        try set(Self.position(10))
        #expect(try set(Self.position(11, offset: 5)))
        let before = try file.text()
        let refusal = #expect(throws: SupersededPosition.self) { try set(Self.position(10, offset: 900_000)) }
        #expect(refusal?.present == Self.position(11, offset: 5))
        #expect(refusal?.report.code == "position-superseded")
        #expect(refusal?.report.message == "a later position is known: 0:00.005, of 2026-02-05T08:11:00.000Z")
        #expect(try file.text() == before)
    }

    @Test func `what is said again changes nothing`() throws {
        #expect(try set(Self.position(10)))
        let identity = try OpenDirectory(positions.path).status(of: "ann.json", followingLinks: false)
            .identity
        #expect(try !set(Self.position(10)))
        #expect(
            try OpenDirectory(positions.path).status(of: "ann.json", followingLinks: false).identity
                == identity)
    }

    @Test func `a device whose clock is ahead keeps nobody out`() throws {
        let ahead = try positions.set(Self.position(500), of: ann, in: number(1), now: Self.minute(20))
        #expect(ahead.position.at == Self.minute(20))
        #expect(try set(Self.position(21, offset: 1), now: 21))
        // Nor does a clock of this machine that has been set back since.
        try set(Self.position(500), in: 2, now: 500)
        #expect(try set(Self.position(30), in: 2, now: 30))
        #expect(try positions.position(of: ann, in: number(2))?.at == Self.minute(30))
    }

    @Test func `an offset before the start is refused`() throws {
        #expect(code { try set(Self.position(1, offset: -1)) } == .invalidData)
        #expect(!positions.path.exists)
    }

    // MARK: - Persons

    @Test(arguments: [
        "ann", "Ann", "ANN", "ann.b", "../ann", ".ann", "Zoë Müller", "a/b", "a%2Fb", "練習", "-",
    ])
    func `each person has a file of their own`(name: String) throws {
        let person = try Person(name)
        try set(Self.position(1), of: person)
        let names = try tree(of: positions.path).keys
        #expect(names.count == 1 && names.allSatisfy { !$0.contains("/") && $0.hasSuffix(".json") })
        try set(Self.position(2), of: try Person("somebody else"))
        #expect(try positions.position(of: person, in: number(1)) == Self.position(1))
        #expect(try tree(of: scratch.path).keys.count { $0.hasSuffix(".json") } == 2)
    }

    @Test func `no two of them differ only by the case of their letters`() throws {
        let names = try ["ann", "Ann", "aNN", "a%6En"].map { try #require(Person($0).fileName?.string) }
        #expect(Set(names.map { $0.lowercased() }).count == names.count, "\(names)")
    }

    @Test(arguments: [
        "", " ", "a\nb", "a\u{0}", "\u{1B}[31m", "a\u{2028}b", String(repeating: "é", count: 33),
    ])
    func `what can't be a name is refused`(name: String) {
        #expect(code { try Person(name) } == .invalidData)
    }

    @Test func `the longest name can be that of a file`() throws {
        let person = try Person(String(repeating: "Ü", count: 32))
        try set(Self.position(1), of: person)
        #expect(try positions.position(of: person, in: number(1)) == Self.position(1))
    }

    // MARK: - How many

    /// The file of somebody who has listened to as many sessions as are kept, the first of them at the morning.
    private func fill() throws {
        let entries = (0..<Positions.limit).map {
            "\"\(number(1000 + $0))\":{\"offset_ms\":1,\"at\":\"\(Timestamp(milliseconds: morning.milliseconds + Int64($0)))\"}"
        }
        try OpenDirectory.make(positions.path)
        try file.write("{\"person\":\"ann\",\"positions\":{\(entries.joined(separator: ","))}}\n")
    }

    @Test func `the oldest are forgotten, and never the one that is set`() throws {
        try fill()
        try set(Self.position(1))
        #expect(try positions.position(of: ann, in: number(1)) == Self.position(1))
        #expect(try positions.position(of: ann, in: number(1000)) == nil)
        #expect(try positions.position(of: ann, in: number(1001)) != nil)
        try set(Self.position(-1000), in: 2)
        #expect(try positions.position(of: ann, in: number(2)) == Self.position(-1000))
        #expect(try positions.position(of: ann, in: number(1001)) == nil)
        #expect(try file.text().matches(of: #/"offset_ms"/#).count == Positions.limit)
        #expect(try file.text().utf8.count < 200_000)
    }

    // MARK: - Damage

    private static let session = "\(number(1))"

    @Test(arguments: [
        ("", "byte 0: expected an object"),
        ("[]\n", "byte 0: expected an object"),
        ("{}\n", "person is missing"),
        (#"{"person":"ann"}"#, "positions is missing"),
        (#"{"person":"ann","positions":[]}"#, "positions is missing"),
        (#"{"person":"bob","positions":{}}"#, "it has the positions of 'bob'"),
        (#"{"person":"ann","positions":{"last":{}}}"#, "'last' is not the id of a session"),
        (
            #"{"person":"ann","positions":{"\#(session)":{}}}"#,
            "the position in session \(session) is malformed"
        ),
        (
            #"{"person":"ann","positions":{"\#(session)":{"offset_ms":-1,"at":"2026-02-05T08:00:00Z"}}}"#,
            "the position in session \(session) is malformed"
        ),
        (
            #"{"person":"ann","positions":{"\#(session)":{"offset_ms":1,"at":"2026-02-05T08:00:00Z","media_id":"x"}}}"#,
            "the position in session \(session) is malformed"
        ),
    ])
    func `a damaged file is reported, with its place and a cure, and left alone`(
        text: String, problem: String
    ) throws {
        try OpenDirectory.make(positions.path)
        try file.write(text)
        let message = """
            \(file.string): the positions can't be read: \(problem) [state-damaged]
              hint: correct the file in an editor, or move it away to start without its positions
            """
        expectError(.stateDamaged, message) { try positions.position(of: ann, in: number(1)) }
        expectError(.stateDamaged, message) { try set(Self.position(1)) }
        expectError(.stateDamaged, message) { try set(Self.position(1), in: 2) }
        #expect(try tree(of: positions.path) == ["ann.json": text])
        // Other people are not concerned.
        #expect(try set(Self.position(1), of: Person("bob")))
        try #require(rename(file.string, scratch("aside").string) == 0)
        #expect(try set(Self.position(1)))
    }

    @Test func `each prefix of a file is damaged, and none is overwritten`() throws {
        try set(Self.position(1, media: number(5)))
        let whole = try file.text()
        for length in 0..<(whole.utf8.count - 1) {
            let text = String(whole.prefix(length))
            try file.write(text)
            #expect(
                code(of: StoreError.self) { try set(Self.position(2)) } == .stateDamaged, "\(length) bytes")
            #expect(try file.text() == text)
        }
    }

    @Test func `a file that is too large, a link and a directory are reported`() throws {
        try OpenDirectory.make(positions.path)
        try file.write(String(repeating: " ", count: 1 << 20 + 1))
        #expect(code(of: StoreError.self) { try set(Self.position(1)) } == .stateDamaged)
        try #require(unlink(file.string) == 0)
        try file.link(to: scratch("elsewhere").string)
        #expect(code { try set(Self.position(1)) } == .leavesSession)
        #expect(!scratch("elsewhere").exists)
        try #require(unlink(file.string) == 0 && mkdir(file.string, 0o755) == 0)
        #expect(code { try set(Self.position(1)) } == .notRegularFile)
    }

    // MARK: - Crashes and others

    /// What is set while something happens; before it, the position of session 1 is that of the first minute.
    private static func next(in state: FilePath, failPoint: FailPoint? = nil) throws {
        var positions = Positions(state: state)
        positions.failPoint = failPoint
        for session in [1, 2] {
            try positions.set(position(2), of: Person("ann"), in: number(session), now: minute(60))
        }
    }

    /// What is known of the two sessions: in which minute.
    private static func known(in state: FilePath) throws -> [Int64?] {
        try [1, 2].map { session in
            try Positions(state: state).position(of: Person("ann"), in: number(session)).map {
                $0.at.milliseconds(since: morning) / 60_000
            }
        }
    }

    /// The states between the beginning and the end.
    private static let possible: [[Int64?]] = [[1, nil], [2, nil], [2, 2]]

    private static func stepCount() throws -> Int {
        let scratch = try ScratchDirectory()
        try Positions(state: scratch.path).set(position(1), of: Person("ann"), in: number(1), now: minute(60))
        let steps = Steps()
        try next(in: scratch.path, failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
        return steps.all.count
    }

    @Test func `a failure of any step leaves what was known or what is new, and a repetition does the rest`()
        throws
    {
        let count = try Self.stepCount()
        #expect(count >= 8)
        for fatal in 1...count {
            let scratch = try ScratchDirectory()
            try Positions(state: scratch.path).set(
                Self.position(1), of: ann, in: number(1), now: Self.minute(60))
            let steps = Steps()
            #expect(throws: FileError.self, "step \(fatal)") {
                try Self.next(
                    in: scratch.path,
                    failPoint: { step, _ throws(Errno) in if steps.add(step) == fatal { throw .ioError } })
            }
            #expect(Self.possible.contains(try Self.known(in: scratch.path)), "step \(fatal)")
            try Self.next(in: scratch.path)
            #expect(try Self.known(in: scratch.path) == [2, 2])
            #expect(try tree(of: scratch.path).keys.sorted() == ["positions", "positions/ann.json"])
        }
    }

    @Test func `a kill before any step leaves what was known or what is new, whole`() async throws {
        for fatal in 1...(try Self.stepCount()) {
            let scratch = try ScratchDirectory()
            try Positions(state: scratch.path).set(
                Self.position(1), of: ann, in: number(1), now: Self.minute(60))
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                try PositionsTests.next(
                    in: FilePath(path),
                    failPoint: { step, _ throws(Errno) in
                        if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                    })
            }
            #expect(Self.possible.contains(try Self.known(in: scratch.path)), "killed before step \(fatal)")
            try Self.next(in: scratch.path)
            #expect(try Self.known(in: scratch.path) == [2, 2])
            #expect(try tree(of: scratch.path).keys.sorted() == ["positions", "positions/ann.json"])
        }
    }

    @Test func `several devices at once lose nothing`() async throws {
        let positions = positions
        let ann = ann
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in 0..<6 {
                group.addTask {
                    for round in 0..<10 {
                        // On a slow disk the others may be there for longer than a device waits; it tries again then.
                        var isNoted = false
                        while !isNoted {
                            do {
                                try positions.set(
                                    Self.position(Int64(round)), of: ann, in: number(100 + device),
                                    now: Self.minute(60))
                                isNoted = true
                            } catch let error as FileError where error.code == .sessionLocked {}
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for device in 0..<6 {
            #expect(try positions.position(of: ann, in: number(100 + device)) == Self.position(9))
        }
    }
}
