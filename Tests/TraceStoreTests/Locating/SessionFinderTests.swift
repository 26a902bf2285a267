import FileHarness
import Glibc
import SystemPackage
import Testing
import TraceFiles
import TraceText

@testable import TraceStore

struct SessionFinderTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Makes a directory with a `session.json`.
    @discardableResult
    func makeSession(_ path: FilePath) throws -> FilePath {
        let path = scratch.path.pushing(path)
        try OpenDirectory.make(path)
        try path.appending("session.json").write("{}")
        return path
    }

    func found(report: (any StructuredError) -> Void = { Issue.record($0) }) -> [String] {
        SessionFinder.sessions(in: scratch.path, report: report).map {
            String($0.escaped.dropFirst(scratch.path.escaped.count))
        }
    }

    @Test func `sessions are found wherever they lie, nested ones too, in the order of their paths`() throws {
        for path: FilePath in ["b", "a/deep/er", "a", "a/media/inner", ".hidden/set"] {
            try makeSession(path)
        }
        try OpenDirectory.make(scratch("empty"))
        #expect(found() == ["/.hidden/set", "/a", "/a/deep/er", "/a/media/inner", "/b"])
    }

    @Test func `a search that is cut short does not pass for a whole one`() throws {
        for path: FilePath in ["a", "b", "c"] { try makeSession(path) }
        var asked = 0
        let formats = JournalRegistry([SessionFormat()])
        let found = JournalFinder.journals(
            in: scratch.path, of: formats,
            shouldStop: {
                asked += 1
                return asked > 3
            })
        #expect(found == nil)
        #expect(JournalFinder.journals(in: scratch.path, of: formats)?.count == 3)
    }

    @Test func `the root itself can be a session`() throws {
        try scratch.write("{}", to: "session.json")
        #expect(found() == [""])
    }

    @Test func `a root finds what is below it, and nothing beside it`() throws {
        try makeSession("root/a")
        try makeSession("rooted/a")
        let formats = JournalRegistry([SessionFormat()])
        let root = scratch("root")
        #expect(JournalFinder.finds(root.appending("a"), below: root, of: formats))
        for other in ["rooted/a", "root/b", "root"] {
            #expect(
                !JournalFinder.finds(scratch.path.pushing(FilePath(other)), below: root, of: formats),
                "\(other)")
        }
        #expect(!JournalFinder.finds(root.appending("a"), below: scratch("rooted"), of: formats))
    }

    @Test func `names that are not UTF-8 are found beside their siblings`() throws {
        try makeSession(FilePath(root: nil, [crookedName]))
        try makeSession("b")
        #expect(found() == ["/a\\xFF\\xFE.j", "/b"])
        let paths = SessionFinder.sessions(in: scratch.path)
        #expect(try paths.map { try OpenDirectory($0).path } == paths)
    }

    @Test func `the private folders of sync tools and half-made sessions are left out`() throws {
        for path: FilePath in [
            ".stversions/a", ".stfolder", "@eaDir/a", "x/.git/a", ".set.trace-new", "x/.stversions",
        ] { try makeSession(path) }
        for path: FilePath in ["set.trace-new", ".stversions2"] { try makeSession(path) }
        #expect(found() == ["/.stversions2", "/set.trace-new"])
    }

    @Test func `only a file or a link of that very name makes a session`() throws {
        try OpenDirectory.make(scratch("a").appending("session.json"))
        try OpenDirectory.make(scratch("b"))
        try scratch("b").appending("Session.json").write("{}")
        try scratch("b").appending("session.json.bak").write("{}")
        try OpenDirectory.make(scratch("c"))
        try #require(mkfifo(scratch("c").appending("session.json").string, 0o644) == 0)
        try OpenDirectory.make(scratch("d"))
        try scratch("d").appending("session.json").link(to: "../elsewhere.json")
        try scratch("elsewhere.json").write("{}")
        try OpenDirectory.make(scratch("e"))
        try scratch("e").appending("session.json").link(to: "../nowhere.json")
        #expect(found() == ["/d"])
    }

    @Test func `links to directories are not followed, so nothing is found twice and no walk is endless`()
        throws
    {
        try makeSession("a")
        try scratch.link("twin", to: "a")
        try scratch("a").appending("loop").link(to: "..")
        #expect(found() == ["/a"])
    }

    @Test func `a root that is not there is reported`() throws {
        var reports: [String] = []
        let sessions = SessionFinder.sessions(in: scratch("no")) { reports.append($0.description) }
        #expect(sessions == [])
        #expect(
            reports == [
                """
                \(scratch("no").string): this root does not exist [not-found]
                  hint: 'trace config show roots' says where it is set; if it is on a removable or network disk, mount the disk
                """
            ])
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become somebody else"))
    func `a directory that can't be read is reported, and its siblings are found`() async throws {
        try makeSession("a")
        try makeSession("closed/set")
        try makeSession("z")
        try #require(chmod(scratch.path.string, 0o755) == 0)
        try #require(chmod(scratch("closed").string, 0) == 0)
        await #expect(processExitsWith: .success) { [path = scratch.path.string as String] in
            try #require(seteuid(65534) == 0)
            var reports: [String] = []
            let found = SessionFinder.sessions(in: FilePath(path)) { reports.append($0.description) }
            #expect(found.map(\.string) == ["\(path)/a", "\(path)/z"])
            #expect(
                reports == [
                    """
                    \(path)/closed: cannot list the directory: Permission denied [permission-denied]
                      hint: give the user that runs this permission on the file and its directory
                    """
                ])
        }
    }
}

extension SessionFinderTests {
    private var formats: JournalRegistry { JournalRegistry([SessionFormat()]) }

    private func finds(_ path: FilePath) -> Bool {
        JournalFinder.finds(scratch.path.pushing(path), below: scratch.path, of: formats)
    }

    @Test func `what is found one by one is what a search finds`() throws {
        for path: FilePath in ["a", "a/deep/er", ".git/set", ".hidden/set", "gone"] { try makeSession(path) }
        try scratch.link("link", to: "a")
        try OpenDirectory.make(scratch("empty"))
        try scratch("linked").makeLinkedHeader(to: "../a/session.json")
        try scratch("dangling").makeLinkedHeader(to: "nowhere")
        try scratch("circle").makeLinkedHeader(to: "session.json")
        try #require(rename(scratch("gone").string, scratch("empty").appending("moved").string) == 0)
        for path: FilePath in ["a", "a/deep/er", ".hidden/set", "linked", "circle", "empty/moved"] {
            #expect(finds(path), "\(path)")
        }
        for path: FilePath in [
            "link", ".git/set", "empty", "dangling", "gone", "a/../a", "a/deep", "none/at/all",
        ] {
            #expect(!finds(path), "\(path)")
        }
        #expect(!JournalFinder.finds("/", below: scratch.path, of: formats))
        var dangling: [FilePath] = []
        _ = JournalFinder.journals(in: scratch.path, of: formats, dangling: { dangling.append($0) })
        #expect(dangling == [scratch("dangling")])
        #expect(formats.hasDanglingHeader(at: scratch("dangling")))
        #expect(!formats.hasDanglingHeader(at: scratch("a")))
    }

    @Test func `a snapshot says by which other names files may change`() throws {
        let session = try makeSession("a")
        func otherNames() throws -> OtherNames? {
            try formats.snapshot(at: session, settleTime: .zero)?.otherNames
        }
        try session.appending("markers.jsonl").write("")
        #expect(try otherNames() == [])
        try #require(link(session.appending("markers.jsonl").string, scratch("second").string) == 0)
        #expect(try otherNames() == .hardLink)
        try session.appending("timeline.jsonl").link(to: "../nowhere")
        #expect(try otherNames() == [.hardLink, .symbolicLink])
        try #require(unlink(scratch("second").string) == 0)
        #expect(try otherNames() == .symbolicLink)
    }
}

extension FilePath {
    /// Makes a directory whose `session.json` is a link.
    fileprivate func makeLinkedHeader(to target: String) throws {
        try OpenDirectory.make(self)
        try appending("session.json").link(to: target)
    }
}
