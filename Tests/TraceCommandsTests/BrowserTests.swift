import Foundation
import ProgramHarness
import Testing

/// What a browser makes of a page. `make browser` installs one; without it these tests are left out.
@Suite(.enabled(if: Browser.isThere))
struct BrowserTests {
    let scratch: Scratch
    private let set = "sessions/2026-02-04-late-set"

    init() throws {
        scratch = try Scratch()
        try scratch.copySample()
    }

    private struct Seen: Decodable {
        var requests: [String]
        var complaints: [String]
        var title: String
        var text: String
        var player: Player?

        struct Player: Decodable {
            var source: String?
            var seconds: Double
            var paused: Bool
            var error: String?
        }
    }

    private func look(at page: String, _ options: String...) throws -> Seen {
        let program = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Browser/look.py").path
        let outcome = try scratch.run("/usr/bin/python3", ["-B", program, page] + options)
        try #require(outcome.status == 0, "\(outcome)")
        return try JSONDecoder().decode(Seen.self, from: Data(outcome.output.utf8))
    }

    @Test func `a page asks for its audio alone, and plays it from where a time says`() throws {
        _ = try scratch.trace("digest", "show", set, "--html", "--output", "\(set)/digest.html")
        let seen = try look(at: "\(set)/digest.html", "--click", "a.time", "--picture", "page.png")
        #expect(seen.complaints == [])
        #expect(seen.title == "Late set, Café Übersee")
        #expect(seen.requests.count == 1)
        #expect(seen.requests.allSatisfy { $0.hasPrefix("file://") && $0.hasSuffix("review.m4a") })
        let player = try #require(seen.player)
        // The first moment stands at 0:14, and the audio begins a second and a half into the session.
        #expect((13..<16).contains(player.seconds), "\(player)")
        #expect(!player.paused)
        #expect(player.error == nil)
        #expect(try scratch.names(in: "").contains("page.png"))
    }

    @Test func `a page opens at the time that its address names`() throws {
        _ = try scratch.trace("digest", "show", set, "--html", "--output", "\(set)/digest.html")
        let seen = try look(at: "\(set)/digest.html", "--fragment", "t=100")
        #expect(seen.complaints == [])
        #expect((98..<101).contains(try #require(seen.player).seconds))
    }

    @Test(arguments: [["--dark"], ["--print"], ["--no-script"]])
    func `dark, on paper and without scripts it shows the same`(options: [String]) throws {
        _ = try scratch.trace("digest", "show", set, "--html", "--rendered", "--output", "\(set)/digest.html")
        let plain = try look(at: "\(set)/digest.html")
        let seen = try look(at: "\(set)/digest.html", options[0])
        #expect(seen.complaints == [])
        #expect(seen.text.contains("Drone in D"))
        #expect(seen.text.contains("Tape hiss with a beat"))
        #expect(plain.title == seen.title)
    }

    @Test func `hostile labels are shown as they are and run nothing`() throws {
        let label = "</title></style><script>document.title='owned'</script><img src=x onerror=alert(1)>"
        try scratch.closedSession(
            "hostile",
            markers: marker(
                10, at: 5000, "\"label\":\"\(label)\",\"note\":\"--> <svg onload=alert(1)>\",",
                tags: ["fix-review"]))
        _ = try scratch.trace("digest", "show", "sessions/hostile", "--html", "--output", "hostile.html")
        let seen = try look(at: "hostile.html")
        #expect(seen.title == "Set")
        #expect(seen.text.contains("<script>document.title='owned'</script>"))
        #expect(seen.complaints == [])
        #expect(seen.requests == [])
    }

    @Test func `a week plays whichever session is clicked`() throws {
        _ = try scratch.trace(
            "digest", "show", "--since", "2026-02-01", "--html", "--output", "sessions/week.html")
        let seen = try look(at: "sessions/week.html", "--click", "a.time")
        #expect(seen.complaints == [])
        #expect(try #require(seen.player).source?.hasPrefix("2026-02-04-late-set/media/") == true)
        #expect(try #require(seen.player).seconds > 50)
    }
}

private enum Browser {
    static let isThere = ["chromium", "chromium-browser", "google-chrome"].contains {
        access("/usr/bin/\($0)", X_OK) == 0
    }
}
