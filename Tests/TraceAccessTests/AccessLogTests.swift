import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceText

@testable import TraceAccess

struct AccessLogTests {
    let scratch: ScratchDirectory
    let scene: AccessScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = AccessScene(in: scratch.path)
    }

    private func log(limit: Int64 = 1 << 20, _ failPoint: FailPoint? = nil) -> AccessLog {
        AccessLog(state: scene.state, runtimeDirectory: nil, limit: limit, failPoint: failPoint)
    }

    private var file: FilePath { scene.access.appending("access.log") }

    static let event = AccessEvent(
        .paired, at: morning, token: number(1), tokenName: "phone", user: "ann", address: "192.0.2.7",
        count: 3,
        subject: "01J")

    @Test func `an event is a line, and is read again`() throws {
        let short = AccessEvent(.refused, at: morning)
        for event in [Self.event, short] { try log().append(event) }
        #expect(
            try file.text() == """
                {"at":"2026-02-05T08:00:00.000Z","what":"paired","token_id":"\(number(1))","token_name":"phone",\
                "user":"ann","address":"192.0.2.7","count":3,"subject":"01J"}
                {"at":"2026-02-05T08:00:00.000Z","what":"refused"}

                """)
        let (events, problems) = try log().events()
        #expect(events == [Self.event, short] && problems.isEmpty)
    }

    @Test func `there are no events before the first`() throws {
        #expect(try log().events().events.isEmpty)
        #expect(!scene.state.exists)
    }

    @Test func `a torn last line is left alone, and ends no event`() throws {
        try log().append(Self.event)
        try file.write(try file.text() + "{\"at\":\"2026")
        #expect(try log().events().events == [Self.event])
        #expect(try log().events().problems.isEmpty)
        try log().append(Self.event)
        let (events, problems) = try log().events()
        #expect(events == [Self.event, Self.event])
        #expect(
            problems.map(\.place?.line) == [2] && problems.allSatisfy { $0.path == file && $0.cure != nil })
    }

    @Test func `beyond its limit the older half goes, in whole lines`() throws {
        for index in 0..<200 {
            try log(limit: 2000).append(AccessEvent(.refused, at: morning, count: Int64(index)))
        }
        let (events, problems) = try log().events()
        #expect(problems.isEmpty)
        #expect(events.last?.count == 199)
        #expect(events.compactMap(\.count) == Array((200 - Int64(events.count))..<200))
        #expect(try file.text().utf8.count <= 2000)
    }

    @Test func `a kill before any step leaves whole lines`() async throws {
        // The first line makes the file, which is one step more.
        try log().append(Self.event)
        let steps = Steps()
        try log { step, _ throws(Errno) in _ = steps.add(step) }.append(Self.event)
        for fatal in 1...steps.all.count {
            let before = try log().events().events.count
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [root = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                let scene = AccessScene(in: FilePath(root))
                let log = AccessLog(state: scene.state, runtimeDirectory: nil) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
                try log.append(AccessLogTests.event)
            }
            let (events, problems) = try log().events()
            #expect([before, before + 1].contains(events.count) && problems.isEmpty)
        }
    }
}

struct TokenUsesTests {
    let scratch: ScratchDirectory
    let scene: AccessScene
    let uses: TokenUses

    init() throws {
        scratch = try ScratchDirectory()
        scene = AccessScene(in: scratch.path)
        uses = TokenUses(state: scene.state)
    }

    @Test func `a use is noted once a minute, and read by another process`() throws {
        let others = TokenUses(state: scene.state)
        #expect(others.last(of: number(1)) == nil)
        for (seconds, noted) in [(0, 0), (1, 0), (59, 0), (60, 60), (119, 60), (-100, -100)]
            as [(Int64, Int64)]
        {
            try uses.note(
                number(1), TokenUse(at: morning.later(seconds), address: "192.0.2.\(seconds + 100)"))
            #expect(
                others.last(of: number(1))
                    == TokenUse(at: morning.later(noted), address: "192.0.2.\(noted + 100)"))
        }
        try uses.note(number(2), TokenUse(at: morning, address: "::1"))
        #expect(others.last(of: number(2))?.address == "::1")
    }

    @Test func `a use does not look like a change of the tokens`() throws {
        let (token, _) = try scene.add()
        let before = try OpenDirectory(scene.access).status().identity
        try uses.note(token.id, TokenUse(at: morning, address: "::1"))
        #expect(try OpenDirectory(scene.access).status().identity == before)
        #expect(try OpenDirectory(scene.state.appending("access-use")).status().permissions & 0o007 == 0)
    }

    @Test func `a use that could not be noted is noted the next time`() throws {
        try OpenDirectory.make(scene.state)
        try scene.state.appending("access-use").write("")
        #expect(throws: FileError.self) { try uses.note(number(1), TokenUse(at: morning, address: "::1")) }
        try #require(unlink(scene.state.appending("access-use").string) == 0)
        try uses.note(number(1), TokenUse(at: morning.later(1), address: "::1"))
        #expect(uses.last(of: number(1))?.at == morning.later(1))
    }

    @Test(arguments: ["", "{", "{}", "[]", "{\"at\":5,\"address\":\"x\"}"])
    func `a damaged note is as none`(text: String) throws {
        try uses.note(number(1), TokenUse(at: morning, address: "::1"))
        try scene.state.appending("access-use").appending("\(number(1)).json").write(text)
        #expect(uses.last(of: number(1)) == nil)
    }
}
