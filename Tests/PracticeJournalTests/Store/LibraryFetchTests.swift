import FileHarness
import Foundation
import Glibc
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore
import TraceText

/// How a library's cache comes into a journal: what is written when, and what is there after a kill.
struct LibraryFetchTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    private static let library = "data/pinball_library_v3.json"
    private static let files = [
        library: #"{"version":3,"libraries":[],"items":[]}"#, "rules/a.md": "a", "rules/b.md": "b",
    ]

    /// Puts a copy of a cache beside the journal.
    private static func serve(_ files: [String: String], removed: [String] = [], in root: FilePath) throws {
        var entries: [String] = []
        for (path, text) in files {
            let file = root.appending("cache").pushing(FilePath(path))
            try OpenDirectory.make(file.removingLastComponent())
            try file.write(text)
            let checksum = try Checksum.of(text)
            entries.append("\"\(path)\":{\"hash\":\"\(checksum)\"}")
        }
        try root.appending("cache/cache-manifest.json").write(
            "{\"files\":{\(entries.sorted().joined(separator: ","))}}")
        let names = removed.map { "\"\($0)\"" }.joined(separator: ",")
        try root.appending("cache/cache-update-log.json").write(
            "{\"events\":[{\"generatedAt\":\"\(removed.count)\",\"removed\":[\(names)]}]}")
    }

    private static func cache(in root: FilePath) -> LibrarySource {
        LibrarySource(directory: root.appending("cache"))
    }

    private static func fetch(
        _ scene: JournalScene, from source: LibrarySource?, failPoint: FailPoint? = nil,
        now: @escaping @Sendable () -> Timestamp = { Scene.now }
    ) throws -> [String] {
        var fetch = LibraryFetch(scene.journal, runtimeDirectory: nil, now: now)
        fetch.wantsAll = true
        fetch.failPoint = failPoint
        return try fetch.run(from: source).files.map { "\($0.result.rawValue) \($0.path)" }
    }

    private func text(_ name: String) throws -> String {
        try scene.journal.appending("library/\(name)").text()
    }

    @Test func `no file of a cache makes a directory of the library a journal`() throws {
        let header =
            #"{"id":"\#(number(7))","journal":"practice","format":1,"created_at":"2026-03-01T12:00:00.000Z"}"#
        let planted = [
            "practice.json", "rules/session.json", "rules/Practice.JSON", "data/practice-state.json",
        ]
        try Self.serve(
            Self.files.merging(planted.map { ($0, header) }) { one, _ in one }, in: scratch.path)
        let formats = JournalRegistry([SessionFormat(), PracticeFormat()])
        var fetch = LibraryFetch(scene.journal, runtimeDirectory: nil) { Scene.now }
        fetch.formats = formats
        fetch.wantsAll = true
        let report = try fetch.run(from: Self.cache(in: scratch.path))
        #expect(report.left == planted.sorted().map { "\($0): has a name that only a journal's file has" })
        #expect(report.files.map(\.path.text) == ["pinball_library_v3.json", "rules/a.md", "rules/b.md"])
        #expect(JournalFinder.journals(in: scene.journal, of: formats) == [scene.journal])
    }

    @Test func `the newest app's files are known by their names, and have their places in the library`()
        throws
    {
        let known = [
            "LPL_Stats.csv", "opdb_export.json", "pinball_library_v3.json",
            "practice_identity_curations_v1.json",
            "redacted_players.csv", "rulesheet_assets.json",
        ]
        var files = ["rules/a.md": "a", "pinball/data/other.json": "{}"]
        for name in known { files["pinball/data/\(name)"] = "[]" }
        // No cache has what a person has chosen.
        files["pinball/data/pinball-imported-sources-v1.json"] = "[]"
        try Self.serve(files, in: scratch.path)
        var fetch = LibraryFetch(scene.journal, runtimeDirectory: nil) { Scene.now }
        let report = try fetch.run(from: Self.cache(in: scratch.path))
        // The catalogue is the library, and the first.
        #expect(
            report.files.map(\.path.text) == ["opdb_export.json"] + known.filter { $0 != "opdb_export.json" })
        #expect(report.files.allSatisfy { $0.result == .fetched })
        for name in known { #expect(try text(name) == "[]") }
        #expect(!scene.journal.appending("library/pinball").exists)
        // A copy of the journal's own cache has them beside the manifest.
        let copy = scratch.path.appending("copy")
        try FileManager.default.copyItem(
            atPath: scene.journal.appending("library").string, toPath: copy.string)
        fetch.failPoint = nil
        let again = try fetch.run(from: LibrarySource(directory: copy))
        #expect(again.files.allSatisfy { $0.result == .current } && again.files.count == known.count)
    }

    // MARK: - One after the other

    @Test func `each file is placed before the next one is fetched, and the journal is not locked meanwhile`()
        throws
    {
        try Self.serve(Self.files, in: scratch.path)
        let seen = Seen()
        let journal = scene.journal
        let rules = journal.appending("library/rules")
        // The clock is asked just before the manifest and before each file.
        let results = try Self.fetch(
            scene, from: Self.cache(in: scratch.path),
            now: {
                let isFree = (try? DirectoryLock(journal, timeout: .zero)) != nil
                var words = [isFree ? "free" : "locked"]
                for name in ["a.md", "b.md"] where rules.appending(name).exists { words.append(name) }
                seen.add(words.joined(separator: " "))
                return Scene.now
            })
        #expect(results == ["fetched pinball_library_v3.json", "fetched rules/a.md", "fetched rules/b.md"])
        #expect(seen.all == ["free", "free", "free", "free a.md"])
    }

    @Test func `a fetch that was cut short is continued without the address, and is the first one still`()
        throws
    {
        try Self.serve(Self.files, removed: ["rules/mine.md"], in: scratch.path)
        try OpenDirectory.make(scene.journal.appending("library/rules"))
        try scene.journal.appending("library/rules/mine.md").write("mine")
        let before = try text("pinball_library_v3.json")
        let failure = code {
            try Self.fetch(
                scene, from: Self.cache(in: scratch.path),
                failPoint: { step, path throws(Errno) in
                    if step == .rename, path.lastComponent == "b.md" { throw .ioError }
                })
        }
        #expect(failure == .io)
        #expect(try text("rules/a.md") == "a")
        #expect(!scene.journal.appending("library/rules/b.md").exists)
        #expect(!scene.journal.appending("library/cache-manifest.json").exists)
        #expect(try text("pinball_library_v3.json") == before)
        let results = try Self.fetch(scene, from: nil)
        #expect(results == ["fetched pinball_library_v3.json", "current rules/a.md", "fetched rules/b.md"])
        #expect(try text("rules/mine.md") == "mine")
        #expect(try text("pinball_library_v3.json") == Self.files[Self.library])
    }

    @Test func `another source that was cut short is the one that continues, with no time of the one before`()
        throws
    {
        try Self.serve(Self.files, in: scratch.path)
        _ = try Self.fetch(scene, from: Self.cache(in: scratch.path))
        let other = scratch.path.appending("other")
        try OpenDirectory.make(other)
        try Self.serve(Self.files.merging(["rules/a.md": "other a"]) { $1 }, in: other)
        let failure = code {
            try Self.fetch(
                scene, from: Self.cache(in: other),
                failPoint: { step, path throws(Errno) in
                    if step == .rename, path.lastComponent == "a.md" { throw .ioError }
                })
        }
        #expect(failure == .io)
        #expect(try text("rules/a.md") == "a")
        let record = try text("fetched.json")
        #expect(record.contains("/other/cache") && !record.contains("metadata_at"), "\(record)")
        #expect(record.contains(#""paths":{}"#) && record.contains(#""events":["0"]"#), "\(record)")
        #expect(try Self.fetch(scene, from: nil).contains("fetched rules/a.md"))
        #expect(try text("rules/a.md") == "other a")
    }

    @Test func `a manifest does not replace the cache's own files`() throws {
        // The manifest and the log of the cache are put over two of these.
        let own = ["cache-manifest.json", "cache-update-log.json", "fetched.json", "pinball_library_v3.json"]
        try Self.serve(
            Self.files.merging(own.map { ($0, #"{"source":"/elsewhere"}"#) }) { $1 }, in: scratch.path)
        let results = try Self.fetch(scene, from: Self.cache(in: scratch.path))
        #expect(results == ["fetched pinball_library_v3.json", "fetched rules/a.md", "fetched rules/b.md"])
        #expect(try text("pinball_library_v3.json") == Self.files[Self.library])
        #expect(try !text("fetched.json").contains("elsewhere"))
    }

    // MARK: - Killed

    /// A journal with a cache that is older than the one beside it.
    private static func makeScene(in root: FilePath) throws -> JournalScene {
        let scene = try JournalScene(in: root)
        try serve(files.merging(["rules/gone.md": "gone"]) { $1 }, in: root)
        _ = try fetch(scene, from: cache(in: root))
        let new = [
            library: #"{"version":3,"libraries":[],"items":[ ]}"#, "rules/a.md": "new a",
            "rules/b.md": "new b",
            "rules/c.md": "c",
        ]
        try serve(new, removed: ["rules/gone.md"], in: root)
        return scene
    }

    /// What is in the library's folder, without the record, whose times say what was asked for in which fetch.
    private static func state(_ scene: JournalScene) throws -> [String: String] {
        try tree(of: scene.journal.appending("library")).filter { $0.key != "fetched.json" }
    }

    @Test func `a kill before any step leaves each file old or new, and the next fetch continues`()
        async throws
    {
        let scratch = try ScratchDirectory()
        let scene = try Self.makeScene(in: scratch.path)
        let before = try Self.state(scene)
        let steps = Steps()
        let results = try Self.fetch(
            scene, from: nil, failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
        #expect(results.last == "removed rules/gone.md")
        let after = try Self.state(scene)
        for fatal in Torture.steps(steps.all.count) { try await Self.kill(before: fatal, before, after) }
    }

    private static func kill(
        before fatal: Int, _ before: [String: String], _ after: [String: String]
    ) async throws {
        let scratch = try ScratchDirectory()
        let scene = try makeScene(in: scratch.path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path.string as String, fatal] in
            let steps = Steps()
            _ = try LibraryFetchTests.fetch(
                JournalScene(at: FilePath(path)), from: nil,
                failPoint: { step, _ throws(Errno) in
                    if steps.add(step) == fatal { Glibc.kill(getpid(), SIGKILL) }
                })
        }
        let killed = try state(scene)
        for name in Set(before.keys).union(after.keys) {
            let isOldOrNew = killed[name] == before[name] || killed[name] == after[name]
            #expect(isOldOrNew, "\(name), killed before step \(fatal)")
        }
        _ = try fetch(scene, from: nil)
        #expect(try state(scene) == after, "killed before step \(fatal)")
        let again = try fetch(scene, from: nil)
        #expect(again.allSatisfy { $0.hasPrefix("current ") }, "killed before step \(fatal)")
    }

    // MARK: - A newer version's

    /// Makes the journal one that a newer version has written.
    private static func outdate(_ journal: FilePath) throws {
        try journal.appending("practice.json").write(
            #"{"journal":"practice","format":2,"id":"\#(JournalScene.id)","created_at":"2026-01-01T00:00:00.000Z"}"#
        )
    }

    @Test(arguments: [false, true])
    func `a journal of a newer version is refused as by any other write, before anything is asked for`(
        isDry: Bool
    ) throws {
        try Self.outdate(scene.journal)
        let before = try tree(of: scene.journal)
        let expected = #expect(throws: StoreError.self) {
            try JournalWriter(scene.journal, formats: JournalScene.formats).locked { _, _ in }
        }
        #expect(expected?.code == .journalNotWritable)
        let asked = Seen()
        var fetch = LibraryFetch(scene.journal, runtimeDirectory: nil) {
            asked.add("asked")
            return Scene.now
        }
        fetch.isDry = isDry
        let refusal = #expect(throws: StoreError.self) {
            try fetch.run(from: Self.cache(in: scratch.path))
        }
        #expect(refusal == expected)
        #expect(asked.all.isEmpty)
        #expect(try tree(of: scene.journal) == before)
    }

    @Test func `a journal that a newer version takes over meanwhile is written no further`() throws {
        try Self.serve(Self.files, in: scratch.path)
        let journal = scene.journal
        let failure = code(of: StoreError.self) {
            try Self.fetch(
                scene, from: Self.cache(in: scratch.path),
                now: {
                    if journal.appending("library/rules/a.md").exists { try? Self.outdate(journal) }
                    return Scene.now
                })
        }
        #expect(failure == .journalNotWritable)
        #expect(try text("rules/a.md") == "a")
        #expect(!journal.appending("library/rules/b.md").exists)
        #expect(!journal.appending("library/cache-manifest.json").exists)
    }
}

/// What a clock saw, in words.
private final class Seen: @unchecked Sendable {
    // Guarded by the lock.
    private var words: [String] = []
    private let lock = NSLock()

    func add(_ word: String) { lock.withLock { words.append(word) } }

    var all: [String] { lock.withLock { words } }
}
