import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceText

@testable import TraceAccess

struct AccessTokensTests {
    let scratch: ScratchDirectory
    let scene: AccessScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = AccessScene(in: scratch.path)
    }

    @Test func `a token is kept as it was given, without its secret`() throws {
        let filter = AccessFilter(
            sessions: [number(1), number(2)], roots: ["/srv/live", FilePath(bytes: [0x2F, 0xFF, 0x22])])
        let grant = AccessGrant(
            name: "Ann's \"phone\" 練習", person: "ann", scope: .read, filter: filter, isLink: true)
        let (token, secret) = try scene.tokens().add(grant, expiresAt: morning.later(60), at: morning)
        #expect(try scene.tokens().list().tokens == [token])
        #expect(token.grant == grant && token.createdAt == morning && token.expiresAt == morning.later(60))
        #expect(try scene.tokens().token(with: secret) == token)
        let text = try scene.access.appending("\(token.id).json").text()
        #expect(!text.contains(secret.text.dropFirst(6)))
        #expect(text.contains(secret.sha256))
    }

    @Test func `without a filter a token sees everything`() throws {
        let (token, _) = try scene.add()
        #expect(token.filter == nil)
        #expect(try scene.tokens().list().tokens.first?.filter == .some(nil))
    }

    @Test func `there is nothing before the first token`() throws {
        #expect(try scene.tokens().list().tokens.isEmpty)
        #expect(try scene.tokens().token(with: TokenSecret()) == nil)
        #expect(code(of: AccessError.self) { try scene.tokens().revoke(number(1)) } == .noSuchToken)
        #expect(code(of: AccessError.self) { try scene.tokens().rename(number(1), to: "x") } == .noSuchToken)
        #expect(!scene.state.exists)
    }

    @Test func `strangers may not look into the directory, and its group may write what the state's may`()
        throws
    {
        try OpenDirectory.make(scene.state)
        try #require(chmod(scene.state.string, 0o2770) == 0)
        let (token, _) = try scene.add()
        let directory = try OpenDirectory(scene.access)
        #expect(try directory.status().permissions == 0o2770)
        let name = try token.id.accessFileName
        #expect(try directory.status(of: name, followingLinks: false).permissions & 0o060 == 0o060)
    }

    @Test(arguments: [0o777, 0o1777, 0o702])
    func `a directory in which everybody may write lets nobody in`(mode: Int) throws {
        let (_, secret) = try scene.add()
        try #require(chmod(scene.access.string, mode_t(mode)) == 0)
        #expect(code(of: AccessError.self) { try scene.tokens().list() } == .accessExposed)
        #expect(code(of: AccessError.self) { try scene.tokens().token(with: secret) } == .accessExposed)
    }

    @Test(arguments: ["", " ", "a\nb", "a\u{1B}[31m", "a\u{202E}b", String(repeating: "a", count: 201)])
    func `a name that would disturb a list is refused`(name: String) throws {
        #expect(code { try scene.add(name) } == .invalidData)
        let (token, _) = try scene.add("phone")
        #expect(code { try scene.tokens().rename(token.id, to: name) } == .invalidData)
        #expect(try scene.names() == ["phone"])
    }

    // MARK: - Changing

    @Test func `a revoked token is gone, with what was noted of its use`() throws {
        let (token, secret) = try scene.add()
        let uses = TokenUses(state: scene.state)
        try uses.note(token.id, TokenUse(at: morning, address: "192.0.2.7"))
        try scene.tokens().revoke(token.id)
        #expect(try scene.tokens().token(with: secret) == nil)
        #expect(uses.last(of: token.id) == nil)
        #expect(code(of: AccessError.self) { try scene.tokens().revoke(token.id) } == .noSuchToken)
    }

    @Test func `a token that is renamed keeps everything else, unknown keys too`() throws {
        let (token, secret) = try scene.add("phone")
        let file = scene.access.appending("\(token.id).json")
        let text = try file.text().replacing("{\"id\"", with: "{ \"x_colour\": 1.50e1, \"id\"")
        try file.write(text)
        let renamed = try scene.tokens().rename(token.id, to: "Ann's phone")
        #expect(renamed.name == "Ann's phone")
        #expect(try file.text() == text.replacing("\"phone\"", with: "\"Ann's phone\""))
        #expect(try scene.tokens().token(with: secret) == renamed)
    }

    @Test func `a leftover of a killed process goes with the next token`() throws {
        _ = try scene.add("phone")
        try scene.access.appending(".\(number(9)).json.trace-tmp").write("{")
        _ = try scene.add("laptop")
        #expect(try scene.leftovers() == [])
        #expect(try scene.names() == ["laptop", "phone"])
    }

    // MARK: - Damage

    private static func edits() -> [(String, String)] {
        [
            ("\"scope\":\"mark\"", "\"scope\":\"root\""), ("\"scope\":\"mark\"", "\"scope\":5"),
            ("\"scope\":\"mark\",", ""), ("\"name\":\"phone\",", ""),
            ("\"person\":\"ann\"", "\"person\":null"),
            ("\"link\":false", "\"link\":0"), ("\"link\":false", "\"link\":false,\"sessions\":null"),
            ("\"link\":false", "\"link\":false,\"sessions\":[\"x\"]"),
            ("\"link\":false", "\"link\":false,\"sessions\":\"01J00000000000000000000001\""),
            ("\"link\":false", "\"link\":false,\"roots\":[\"srv\"]"),
            ("\"link\":false", "\"link\":false,\"roots\":[\"/srv/a\\u0000b\"]"),
            ("\"link\":false", "\"link\":false,\"roots\":[{\"bytes\":\"2f0\"}]"),
            ("\"link\":false", "\"link\":false,\"expires_at\":null"),
            ("\"link\":false", "\"link\":false,\"expires_at\":\"never\""),
            ("\"sha256\":\"", "\"sha256\":\"\(String(repeating: "G", count: 64))\",\"was\":\""),
            ("\"sha256\":\"", "\"sha256\":\"0"), ("\"id\":\"01", "\"id\":\"02"), ("}\n", ""), ("{", "["),
        ]
    }

    @Test(arguments: edits())
    func `a damaged token lets nobody in, and stops no other`(old: String, new: String) throws {
        let (token, secret) = try scene.add("phone")
        let (other, otherSecret) = try scene.add("laptop")
        let file = scene.access.appending("\(token.id).json")
        let text = try file.text()
        try #require(text.contains(old))
        try file.write(text.replacing(old, with: new, maxReplacements: 1))
        let list = try scene.tokens().list()
        #expect(list.tokens == [other])
        #expect(list.damaged.map(\.id) == [token.id])
        let problem = try #require(list.damaged.first?.problem as? AccessError)
        #expect(
            problem.code == .tokenDamaged && problem.path == file && problem.cure?.text != nil, "\(problem)")
        #expect(try scene.tokens().token(with: secret) == nil)
        #expect(try scene.tokens().token(with: otherSecret) == other)
        // It can be named, to be removed.
        #expect(try scene.tokens().find(String(token.id.description.suffix(8))).id == token.id)
        #expect(code(of: AccessError.self) { try scene.tokens().rename(token.id, to: "x") } == .tokenDamaged)
        try scene.tokens().revoke(token.id)
        #expect(try scene.names() == ["laptop"])
    }

    @Test func `a link, a directory and a pipe are no tokens`() throws {
        let (token, _) = try scene.add()
        try scene.access.appending("\(number(1)).json").link(to: "\(token.id).json")
        try OpenDirectory.make(scene.access.appending("\(number(2)).json"))
        try #require(mkfifo(scene.access.appending("\(number(3)).json").string, 0o600) == 0)
        let list = try scene.tokens().list()
        #expect(list.tokens == [token])
        #expect(list.damaged.map(\.id) == [number(1), number(2), number(3)])
    }

    @Test func `a copy of a token lets nobody in, and neither does the token`() throws {
        let (token, secret) = try scene.add()
        let text = try scene.access.appending("\(token.id).json").text()
        let copy = number(5)
        try scene.access.appending("\(copy).json").write(
            text.replacing(token.id.description, with: copy.description).replacing("mark", with: "admin"))
        #expect(try scene.tokens().token(with: secret) == nil)
        #expect(Set(try scene.tokens().list().damaged.map(\.id)) == [token.id, copy])
        try scene.tokens().revoke(copy)
        #expect(try scene.tokens().token(with: secret) == token)
    }

    // MARK: - Naming

    @Test func `a token is named by its id, its name or a part of its id`() throws {
        let first = try scene.add("phone").token
        let second = try scene.add("phone").token
        let third = try scene.add("laptop").token
        let id = third.id.description
        for words in [id, id.lowercased(), "laptop", String(id.suffix(6)), String(id.suffix(6)).lowercased()]
        {
            #expect(try scene.tokens().find(words).id == third.id, "\(words)")
        }
        #expect(code(of: AccessError.self) { try scene.tokens().find("tablet") } == .noSuchToken)
        #expect(code(of: AccessError.self) { try scene.tokens().find(String(id.suffix(3))) } == .noSuchToken)
        #expect(
            code(of: AccessError.self) { try scene.tokens().find(String(id.prefix(4))) } == .ambiguousToken)
        do {
            _ = try scene.tokens().find("phone")
            Issue.record("one of two was chosen")
        } catch let error as AccessError {
            #expect(error.code == .ambiguousToken)
            #expect(error.message.contains("\(first.id)") && error.message.contains("\(second.id)"))
        }
    }
}
