import TraceCrypto
import Foundation
import ProgramHarness
import TestSupport
import Testing

/// `trace practice library`: what is listed and shown, and how a cache is fetched.
struct LibraryCacheTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        let made = try scratch.trace("journal", "init", "practice", "sessions/pins")
        try #require(made.status == 0, "\(made)")
        try scratch.makeDirectory("sessions/pins/library")
        try scratch.makeDirectory("web/pinball/data")
    }

    private static let library = #"""
        {"version":3,"libraries":[{"library_id":"v","library_name":"The Arcade","library_type":"venue"}],"items":[
        {"library_entry_id":"a","practice_identity":"G1","library_id":"v","slug":"comet-racer","game":"Comet Racer","bank":2,"area":"Back",
        "rulesheet_url":"https://example.org/r","playfield_image_url":"javascript:alert(1)",
        "assets":{"rulesheet_local_legacy":"/pinball/rulesheets/comet.md","playfield_local_practice":"../../etc/passwd","playfield_local_legacy":"/pinball/images/comet.webp"},
        "videos":[{"kind":"tutorial","label":"Tutorial 1","url":"https://example.org/1"},{"kind":"gameplay","url":"file:///etc/passwd"}]},
        {"library_entry_id":"b","practice_identity":"G2","library_id":"v","slug":"deep-reef","game":"Deep Reef","bank":1}]}
        """#

    // MARK: - What is listed and shown

    @Test func `a game shows what there is to read and to look at, and nothing that leads elsewhere`() throws
    {
        try scratch.write(Self.library, to: "sessions/pins/library/pinball_library_v3.json")
        #expect(try scratch.trace("practice", "score", "comet", "5").status == 0)
        let shown = try scratch.trace("practice", "library", "show", "comet")
        #expect(
            shown.output == """
                Comet Racer (G1)
                place: The Arcade, Back, bank 2
                played: yes
                rulesheet: https://example.org/r
                playfield: pinball/images/comet.webp
                tutorial: Tutorial 1  https://example.org/1
                gameplay: 

                """, "\(shown)")
        let rows = try list("--source", "The Arcade", "--sort", "bank")
        #expect(rows.map { $0["game"] as? String } == ["G2", "G1"])
        #expect(rows.map { $0["played"] as? Bool } == [false, true])
        #expect(rows[1]["rulesheet_file"] as? String == "pinball/rulesheets/comet.md")
        #expect(rows[1]["playfield_url"] == nil)
        #expect(try list("--played").map { $0["game"] as? String } == ["G1"])
        #expect(try list("--unplayed").map { $0["game"] as? String } == ["G2"])
        #expect(try list("back").map { $0["game"] as? String } == ["G1"])
        #expect(try list("bank 1").isEmpty == false)
        #expect(try list("--source", "Elsewhere").isEmpty)
    }

    @Test func `a library of any form is listed as the golden values say`() throws {
        let text = try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/journals/practice-library.json"))
        let golden = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        for golden in try #require(golden["cases"] as? [[String: Any]]) {
            let document = try JSONSerialization.data(withJSONObject: try #require(golden["document"]))
            try scratch.write(
                String(decoding: document, as: UTF8.self), to: "sessions/pins/library/pinball_library_v3.json"
            )
            let expected = try #require((golden["expect"] as? [String: Any])?["games"] as? [[String: Any]])
            let rows = try list()
            #expect(rows.count == expected.count, "\(golden["name"] ?? "")")
            for (row, expected) in zip(rows, expected) {
                for (name, value) in expected where name != "areaOrder" {
                    let found = row[name == "key" ? "game" : name]
                    #expect("\(found ?? "none")" == "\(value)", "\(golden["name"] ?? ""), \(name)")
                }
            }
        }
    }

    private func list(_ arguments: String...) throws -> [[String: Any]] {
        let outcome = try scratch.trace(["practice", "library", "list"] + arguments + ["--json"])
        #expect(outcome.status == 0, "\(outcome)")
        return try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    }

    // MARK: - Fetching

    private static let path = "/pinball/data/pinball_library_v3.json"
    private static let sheet = "/pinball/rulesheets/comet racer.md"

    /// Puts a manifest of these files below `web`, with the files.
    private func serve(
        _ files: [String: String], hashes: [String: String] = [:], removed: [(String, [String])] = []
    ) throws {
        var entries: [String: Any] = [:]
        for (path, text) in files {
            let parent = (path as NSString).deletingLastPathComponent
            try scratch.makeDirectory("web" + parent)
            try scratch.write(text, to: "web" + path)
            let hash = hashes[path] ?? Self.sha256(text)
            entries[path] = ["hash": hash, "size": text.utf8.count, "mtimeMs": 1.5, "contentType": "x"]
        }
        let manifest: [String: Any] = [
            "schemaVersion": 1, "generatedAt": "2026-03-01T00:00:00Z", "totalFiles": entries.count,
            "files": entries,
        ]
        let log: [String: Any] = [
            "schemaVersion": 1,
            "events": removed.map { ["generatedAt": $0.0, "added": [], "changed": [], "removed": $0.1] },
        ]
        for (name, value) in [("cache-manifest", manifest), ("cache-update-log", log)] {
            let text = try JSONSerialization.data(withJSONObject: value)
            try scratch.write(String(decoding: text, as: UTF8.self), to: "web/pinball/\(name).json")
        }
    }

    private static func sha256(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    private func fetch(_ arguments: String...) throws -> Outcome {
        try scratch.trace(["practice", "library", "fetch"] + arguments)
    }

    private func contents(_ name: String = "pinball_library_v3.json") throws -> String {
        try scratch.text("sessions/pins/library/\(name)", filled: false)
    }

    /// Lets the next fetch ask for everything again.
    private func forgetTimes() throws {
        let record = try contents("fetched.json")
        try scratch.write(
            record.replacing(#/:\d{13}/#, with: ":1000000000000"), to: "sessions/pins/library/fetched.json")
    }

    @Test func `a copy seeds the cache, and only what it means is replaced`() throws {
        try serve([Self.path: Self.library, Self.sheet: "# Comet"])
        let dry = try fetch("--from", "web/pinball", "--dry-run")
        #expect(dry.output == "would replace: pinball_library_v3.json\n" && dry.status == 0, "\(dry)")
        #expect(try scratch.names(in: "sessions/pins/library") == [])
        let first = try fetch("--from", "web/pinball", "--file", Self.sheet)
        #expect(first.status == 0, "\(first)")
        #expect(try contents() == Self.library)
        #expect(try contents("pinball/rulesheets/comet racer.md") == "# Comet")
        #expect(try scratch.trace("validate", "sessions/pins").status == 0)
        // Without an address it is the one of before; what is in the cache is kept up to date.
        try serve([Self.path: Self.library, Self.sheet: "# Comet 2"])
        #expect(
            try fetch().output
                == "up to date: pinball_library_v3.json\nfetched: pinball/rulesheets/comet racer.md\n")
        // Bytes that are not the manifest's change nothing.
        try serve(
            [Self.path: Self.library, Self.sheet: "# Comet 3"],
            hashes: [Self.sheet: String(repeating: "a", count: 64)])
        let wrong = try fetch()
        #expect(wrong.status == 65 && wrong.errors.contains("is not what the manifest says"), "\(wrong)")
        #expect(try contents("pinball/rulesheets/comet racer.md") == "# Comet 2")
    }

    @Test func `a library that is not the manifest's is an error of the journal`() throws {
        try serve([Self.path: Self.library])
        #expect(try fetch("--from", "web/pinball").status == 0)
        try scratch.write(
            Self.library.replacing("Deep Reef", with: "Deep Sea"),
            to: "sessions/pins/library/pinball_library_v3.json")
        let validated = try scratch.trace("validate", "sessions/pins")
        #expect(validated.status != 0 && validated.output.contains("practice-cache-hash"), "\(validated)")
        #expect(try fetch().status == 0)
        #expect(try scratch.trace("validate", "sessions/pins").status == 0)
    }

    @Test(arguments: ["session.json", "practice-state.json"])
    func `a file that would make a journal of any kind within the library is left, and named`(name: String)
        throws
    {
        try serve([Self.path: Self.library, "/pinball/rulesheets/\(name)": "{}"])
        let outcome = try fetch("--from", "web/pinball", "--all")
        #expect(outcome.status == 0 && outcome.output == "fetched: pinball_library_v3.json\n", "\(outcome)")
        #expect(outcome.errors.contains("/\(name): has a name that only a journal's file has"), "\(outcome)")
        #expect(!scratch.exists("sessions/pins/library/pinball/rulesheets/\(name)"))
    }

    @Test func `a file of the library that is a link is neither compared nor replaced`() throws {
        try serve([Self.path: Self.library, Self.sheet: "# Comet"])
        #expect(try fetch("--from", "web/pinball", "--all").status == 0)
        let sheet = "sessions/pins/library/pinball/rulesheets/comet racer.md"
        let linked = try scratch.shell("mv '\(sheet)' away.md && ln -s \(scratch.path)/away.md '\(sheet)'")
        try #require(linked.status == 0, "\(linked)")
        for text in ["# Comet", "# Comet 2"] {
            try serve([Self.path: Self.library, Self.sheet: text])
            let outcome = try fetch()
            #expect(outcome.status != 0 && outcome.errors.contains("comet racer.md"), "\(outcome)")
            #expect(try scratch.text("away.md") == "# Comet")
        }
    }

    @Test func `a removed file goes once for each event`() throws {
        try serve([Self.path: Self.library, Self.sheet: "# Comet"], removed: [("2026-01-01", [Self.path])])
        #expect(try fetch("--from", "web/pinball", "--all").status == 0)
        try serve(
            [Self.path: Self.library],
            removed: [("2026-03-02", [Self.sheet, "/../../practice.json", "/cache-manifest.json"])])
        let gone = try fetch()
        #expect(
            gone.output
                == "up to date: pinball_library_v3.json\nremoved: pinball/rulesheets/comet racer.md\n",
            "\(gone)")
        // What a person puts there afterwards stays.
        try scratch.write("mine", to: "sessions/pins/library/pinball/rulesheets/comet racer.md")
        #expect(try fetch().output == "up to date: pinball_library_v3.json\n")
        #expect(try contents("pinball/rulesheets/comet racer.md") == "mine")
    }

    @Test func `a removal is not made again because the update log was missing once`() throws {
        try serve([Self.path: Self.library, Self.sheet: "# Comet"])
        #expect(try fetch("--from", "web/pinball", "--all").status == 0)
        try serve([Self.path: Self.library], removed: [("2026-03-02", [Self.sheet])])
        #expect(try fetch().output.contains("removed: pinball/rulesheets/comet racer.md"))
        try scratch.write("mine", to: "sessions/pins/library/pinball/rulesheets/comet racer.md")
        try scratch.remove("web/pinball/cache-update-log.json")
        #expect(try fetch().output == "up to date: pinball_library_v3.json\n")
        try serve([Self.path: Self.library], removed: [("2026-03-02", [Self.sheet])])
        #expect(try fetch().output == "up to date: pinball_library_v3.json\n")
        #expect(try contents("pinball/rulesheets/comet racer.md") == "mine")
    }

    @Test func `a library that can't be fetched leaves the manifest, the files and the address of before`()
        throws
    {
        try serve([Self.path: Self.library, Self.sheet: "# Comet"])
        #expect(try fetch("--from", "web/pinball", "--all").status == 0)
        let manifest = try contents("cache-manifest.json")
        try scratch.write("mine", to: "sessions/pins/library/mine.md")
        let wrong = String(repeating: "a", count: 64)
        try serve(
            [Self.path: Self.library + "\n", Self.sheet: "# Comet 2"],
            hashes: [Self.path: wrong, Self.sheet: wrong], removed: [("2026-05-01", ["/mine.md"])])
        let failed = try fetch()
        #expect(failed.status == 65 && failed.errors.contains("is not what the manifest says"), "\(failed)")
        #expect(
            failed.output == "failed: pinball_library_v3.json\nfailed: pinball/rulesheets/comet racer.md\n")
        #expect(try contents("cache-manifest.json") == manifest)
        #expect(try contents() == Self.library)
        #expect(try contents("pinball/rulesheets/comet racer.md") == "# Comet")
        #expect(try contents("mine.md") == "mine")
        #expect(try scratch.trace("validate", "sessions/pins").status == 0)
        // Another address of which nothing comes is not the one of the next fetch.
        let record = try contents("fetched.json")
        #expect(try scratch.shell("mkdir other && cp -r web/pinball other/").status == 0)
        #expect(try fetch("--from", "other/pinball", "--all").status == 65)
        #expect(try contents("fetched.json") == record)
        // The removal is made when the library comes with it.
        try serve([Self.path: Self.library], removed: [("2026-05-01", ["/mine.md"])])
        #expect(try fetch().output.contains("removed: mine.md"))
    }

    @Test func `times that no clock has don't keep anything from being asked for`() throws {
        try serve([Self.path: Self.library])
        let server = try startServer()
        defer { server.process.end() }
        #expect(try fetch("\(server.address)/pinball/").status == 0)
        let record = try contents("fetched.json")
        try scratch.write(
            record.replacing(#/:\d{13}/#, with: ":\(Int64.min)"), to: "sessions/pins/library/fetched.json")
        try serve([Self.path: Self.library + "\n"])
        let again = try fetch()
        #expect(again.output == "fetched: pinball_library_v3.json\n" && again.status == 0, "\(again)")
    }

    @Test func `a file that failed is asked for again by the next fetch, one that came is not`() throws {
        let assets = "/pinball/data/rulesheet_assets.json"
        let right = #"{"records":[]}"#
        try serve([Self.path: Self.library, assets: "cut sh"], hashes: [assets: Self.sha256(right)])
        let server = try startServer()
        defer { server.process.end() }
        let failed = try fetch("\(server.address)/pinball/")
        #expect(
            failed.output == "fetched: pinball_library_v3.json\nfailed: rulesheet_assets.json\n"
                && failed.status == 65, "\(failed)")
        try scratch.write(right, to: "web" + assets)
        let again = try fetch()
        #expect(again.status == 0 && again.output.contains("fetched: rulesheet_assets.json"), "\(again)")
        #expect(try contents("rulesheet_assets.json") == right)
    }

    @Test func `paths that lead elsewhere are left, and no link is followed`() throws {
        try serve([Self.path: Self.library, "/link/a.md": "a"])
        let manifest = try scratch.text("web/pinball/cache-manifest.json", filled: false)
        let hostile = ["/x/../../../practice.json", "/.hidden", "//../a", "/a\\b"].map {
            "\"\($0)\":{\"hash\":\"\(Self.sha256("{}"))\"},"
        }
        try scratch.write(
            manifest.replacing(#""files":{"#, with: #""files":{"# + hostile.joined()),
            to: "web/pinball/cache-manifest.json")
        try scratch.makeDirectory("elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: "\(scratch.path)/sessions/pins/library/link", withDestinationPath: "../../../elsewhere")
        let outcome = try fetch("--from", "web/pinball", "--all")
        #expect(
            outcome.status != 0 && outcome.errors.contains("is not a path below the library"), "\(outcome)")
        #expect(try scratch.names(in: "elsewhere") == [])
        #expect(try contents() == Self.library)
        #expect(try scratch.trace("validate", "sessions/pins").status == 0)
    }

    @Test(arguments: [
        "", "{", "[]", #"{"files":[]}"#, #"{"files":{}}"#, #"{"files":{"/a":{"hash":"x"}}}"#,
        #"{"files":{"/data/pinball_library_v3.json":{"hash":7}}}"#,
    ])
    func `a manifest that can't be read is told, and what is there stays`(_ text: String) throws {
        try scratch.write(Self.library, to: "sessions/pins/library/pinball_library_v3.json")
        try scratch.write(text, to: "web/pinball/cache-manifest.json")
        let outcome = try fetch("--from", "web/pinball")
        #expect(outcome.status == 65 && outcome.errors.contains("cache-manifest.json"), "\(outcome)")
        #expect(try scratch.names(in: "sessions/pins/library") == ["pinball_library_v3.json"])
        #expect(try contents() == Self.library)
    }

    @Test func `the web is asked for no more than once in a while, and its failure changes nothing`() throws {
        try serve([Self.path: Self.library, Self.sheet: "# Comet"])
        let server = try startServer()
        var isUp = true
        defer { if isUp { server.process.end() } }
        let first = try fetch("\(server.address)/pinball/", "--file", Self.sheet)
        #expect(first.status == 0, "\(first)")
        #expect(try contents() == Self.library && contents("pinball/rulesheets/comet racer.md") == "# Comet")
        try serve([Self.path: Self.library + "\n", Self.sheet: "# Comet"])
        let soon = try fetch()
        #expect(soon.output.contains("fetched less than 300 s ago") && soon.status == 0, "\(soon)")
        #expect(try contents() == Self.library)
        try forgetTimes()
        #expect(try fetch().output.contains("fetched: pinball_library_v3.json"))
        #expect(try contents() == Self.library + "\n")
        // The library was fetched just now, and is not asked for again, though it is another by now.
        try serve([Self.path: Self.library, Self.sheet: "# Comet"])
        let record = try contents("fetched.json")
        try scratch.write(
            record.replacing(#/"metadata_at":\d+/#, with: #""metadata_at":1"#),
            to: "sessions/pins/library/fetched.json")
        #expect(try fetch().output.contains("fetched less than 180 s ago: pinball_library_v3.json"))
        try forgetTimes()
        server.process.end()
        isUp = false
        let away = try fetch()
        #expect(away.status == 65 && away.errors.contains("the previous files are kept"), "\(away)")
        #expect(try contents() == Self.library + "\n")
    }

    @Test(arguments: ["ftp://x/", "x", "https://", "file:///etc/", "https://x/ y", "-K/etc/passwd"])
    func `only addresses on the web are taken`(_ address: String) throws {
        let outcome = try fetch("--", address)
        #expect(outcome.status == 65 && outcome.errors.contains("is not an address on the web"), "\(outcome)")
    }

    /// Files on loopback, as any web server has them.
    private func startServer() throws -> (process: ChildProcess, address: String) {
        let process = try scratch.start(
            "exec python3 -u -m http.server 0 --bind 127.0.0.1 --directory web", log: "server.log")
        var port: Substring?
        try soon("the web server listens") {
            port = try scratch.text("server.log", filled: false).firstMatch(of: #/port (\d+)/#)?.output.1
            return port != nil
        }
        return (process, "http://127.0.0.1:\(port ?? "")")
    }
}
