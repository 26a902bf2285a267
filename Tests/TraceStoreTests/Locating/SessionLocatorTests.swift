import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles

@testable import TraceStore

struct SessionLocatorTests {
    let scratch: ScratchDirectory
    let locator: SessionLocator

    init() throws {
        scratch = try ScratchDirectory()
        locator = SessionLocator(roots: [scratch.path])
    }

    @discardableResult
    func makeSession(
        _ name: FilePath.Component, _ id: ULID, title: String = "",
        start: String = "2026-02-04T20:00:00.000Z",
        status: String = "closed"
    ) throws -> FilePath {
        let header = SampleSession.header
            .replacing(SampleSession.id.description, with: id.description)
            .replacing("\"Late set\"", with: "\"\(title)\"")
            .replacing("\"start_time\": \"2026-02-04T20:00:00.000Z\"", with: "\"start_time\": \"\(start)\"")
            .replacing("\"active\"", with: "\"\(status)\"")
        return try SampleSession(at: scratch(name), header: header).path
    }

    func path(_ selector: SessionSelector?, from directory: FilePath = "/") throws -> FilePath {
        try locator.path(of: selector, workingDirectory: directory)
    }

    let cure = "give a directory, an id, a title or 'last'; 'trace sessions' lists them"

    // MARK: - Directories

    @Test func `a directory is taken as it is`() throws {
        let session = try makeSession("a", number(1))
        #expect(try path(.directory(session)) == session)
        try scratch.link("twin", to: "a")
        #expect(try path(.directory(scratch("twin"))) == scratch("twin"))
    }

    @Test func `a directory that is missing, no session, or can't be opened is told apart`() throws {
        try scratch.makeDirectory("plain")
        try scratch.link("loop", to: "loop")
        let cure = "'trace sessions' lists the sessions; 'trace session init' creates one"
        expectError(
            .noSuchSession, "\(scratch("no").string): no such directory [no-such-session]\n  hint: \(cure)"
        ) {
            try path(.directory(scratch("no")))
        }
        expectError(
            .noSuchSession,
            """
            \(scratch("plain").string): is not a session: it has no session.json [no-such-session]
              hint: \(cure)
            """
        ) { try path(.directory(scratch("plain"))) }
        expectError(
            .leavesSession,
            """
            \(scratch("loop").string): cannot open the directory: Too many levels of symbolic links [leaves-session]
              hint: replace the symbolic link with its target
            """
        ) { try path(.directory(scratch("loop"))) }
    }

    // MARK: - Last

    @Test func `last is the session that began last, whatever its id`() throws {
        try makeSession("a", number(9), start: "2026-02-01T00:00:00Z")
        let last = try makeSession("b", number(1), start: "2026-02-03T00:00:00Z")
        try makeSession("c", number(5), start: "2026-02-02T00:00:00Z")
        try makeSession("d", number(6), start: "some day")
        #expect(try path(.last) == last)
    }

    @Test func `without any session there is no last one`() throws {
        expectError(
            .noSuchSession,
            "there is no session in \(scratch.path.string) [no-such-session]\n  hint: 'trace session init --title Monday' creates a session and starts its clock"
        ) { try path(.last) }
    }

    // MARK: - Words

    @Test func `an id, or a beginning that only one has, in any case`() throws {
        let one = try makeSession("a", number(1))
        let two = try makeSession("b", number(21))
        #expect(try path(.words(number(1).description)) == one)
        #expect(try path(.words(number(21).description.lowercased())) == two)
        #expect(try path(.words(String(number(21).description.dropLast()))) == two)
    }

    @Test func `the name of the directory, then a title in any case`() throws {
        let one = try makeSession("a", number(1), title: "Übung")
        let two = try makeSession("b", number(2), title: "Set")
        #expect(try path(.words("übung")) == one)
        #expect(try path(.words("b")) == two)
        let three = try makeSession("c", number(3), title: "b")
        #expect(try path(.words("B")) == three)
        #expect(try path(.words("b")) == two)
    }

    @Test func `words that several sessions answer to list them all`() throws {
        try makeSession("a", number(1), title: "Set")
        try makeSession("b", number(2), title: "set")
        expectError(
            .ambiguousSession,
            """
            '01j0' is a prefix of several ids [ambiguous-session]:
              \(number(1))  \(scratch("a").string)  Set
              \(number(2))  \(scratch("b").string)  set
              hint: choose one of them with --session
            """
        ) { try path(.words("01j0")) }
        expectError(
            .ambiguousSession,
            """
            'SET' matches several sessions [ambiguous-session]:
              \(number(1))  \(scratch("a").string)  Set
              \(number(2))  \(scratch("b").string)  set
              hint: choose one of them with --session
            """
        ) { try path(.words("SET")) }
    }

    @Test func `copies of one session are several, and a broken header has no id`() throws {
        try makeSession("a", number(1), title: "Set")
        try makeSession("a (copy)", number(1), title: "Set")
        _ = try SampleSession(at: scratch("b"), header: "{\"title\":\"Set\"}")
        #expect(code(of: StoreError.self) { try path(.words(number(1).description)) } == .ambiguousSession)
        expectError(
            .ambiguousSession,
            """
            'Set' matches several sessions [ambiguous-session]:
              \(number(1))  \(scratch("a").string)  Set
              \(number(1))  \(scratch("a (copy)").string)  Set
              (no id)  \(scratch("b").string)  Set
              hint: choose one of them with --session
            """
        ) { try path(.words("Set")) }
    }

    @Test func `of a long list ten are shown`() throws {
        for index in 10..<22 {
            try makeSession(try #require(FilePath.Component("s\(index)")), number(index), title: "Set")
        }
        let list = (10..<20).map { "  \(number($0))  \(scratch.path.string)/s\($0)  Set" }.joined(
            separator: "\n")
        expectError(
            .ambiguousSession,
            """
            'Set' matches several sessions [ambiguous-session]:
            \(list)
              and 2 more
              hint: choose one of them with --session
            """
        ) { try path(.words("Set")) }
    }

    @Test func `what to type for a session names no other`() throws {
        let one = try makeSession("a", number(1), title: "Set")
        let two = try makeSession("01j0000", number(21), title: "a")
        try scratch.makeDirectory("elsewhere")
        let three = try SampleSession(
            at: scratch("elsewhere").appending("a"),
            header: SampleSession.header.replacing(SampleSession.id.description, with: number(3).description)
        ).path
        let last = try makeSession("last", number(4))
        let hyphen = try SampleSession(at: scratch("-x"), header: "{}").path
        let unique = try makeSession("set 5", number(5))
        let all = locator.candidates()
        func name(_ path: FilePath) throws -> String {
            SessionLocator.name(of: try #require(all.first { $0.path == path }), among: all)
        }
        #expect(try name(one) == number(1).description && name(three) == number(3).description)
        #expect(try name(two) == number(21).description)
        #expect(try name(last) == number(4).description)
        #expect(try name(hyphen) == hyphen.string)
        #expect(try name(unique) == "set 5")
        for candidate in all {
            let selector = SessionSelector(SessionLocator.name(of: candidate, among: all))
            #expect(try path(selector) == candidate.path)
        }
    }

    @Test func `words that nobody answers to name the roots`() throws {
        try makeSession("a", number(1))
        let locator = SessionLocator(roots: [scratch.path, "/no/such/root"])
        expectError(
            .noSuchSession,
            """
            no session is named 'xyz' in \(scratch.path.string), /no/such/root [no-such-session]
              hint: \(cure)
            """
        ) { try locator.path(of: .words("xyz"), workingDirectory: "/") }
    }

    @Test func `empty words are nobody's title`() throws {
        try makeSession("a", number(1), title: "")
        expectError(.noSuchSession, "the session's name is empty [no-such-session]\n  hint: \(cure)") {
            try path(.words(""))
        }
    }

    // MARK: - Nothing typed

    @Test func `the session around the working directory, the innermost first`() throws {
        let outer = try makeSession("a", number(1))
        let inner = try SampleSession(at: scratch("a").appending("media").appending("inner")).path
        #expect(try path(nil, from: outer.appending("media")) == outer)
        #expect(try path(nil, from: outer) == outer)
        #expect(try path(nil, from: inner.appending("media")) == inner)
        #expect(try path(nil, from: outer.appending("no").appending("such")) == outer)
    }

    @Test func `else the one active session`() throws {
        try makeSession("a", number(1))
        let active = try makeSession("b", number(2), status: "active")
        #expect(try path(nil) == active)
        #expect(try path(nil, from: "") == active)
    }

    @Test func `no active session, or several, is an error that says so`() throws {
        try makeSession("a", number(1))
        expectError(
            .noSuchSession,
            """
            no session was given, and none is active in \(scratch.path.string) [no-such-session]
              hint: \(cure)
            """
        ) { try path(nil) }
        try makeSession("b", number(2), status: "active")
        try makeSession("c", number(3), status: "active")
        expectError(
            .ambiguousSession,
            """
            no session was given, and 2 are active [ambiguous-session]:
              \(number(2))  \(scratch("b").string)
              \(number(3))  \(scratch("c").string)
              hint: choose one of them with --session
            """
        ) { try path(nil) }
    }

    @Test func `a session that two roots lead to is one session`() throws {
        let active = try makeSession("a", number(1), title: "Set", status: "active")
        try scratch.link("twin", to: ".")
        let locator = SessionLocator(roots: [scratch.path, active, scratch("twin")])
        #expect(locator.candidates().map(\.path) == [active])
        #expect(try locator.path(of: nil, workingDirectory: "/") == active)
    }
}
