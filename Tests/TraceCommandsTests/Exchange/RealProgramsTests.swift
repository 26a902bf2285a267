import Foundation
import TestSupport
import Testing

/// What is exported, once other programs have read it and written it again; and recordings as they write them.
struct RealProgramsTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Titles that each of the formats can hold, and where they are.
    private static let titles = [
        "Warm-up", "say \"no\"", "k=v; # hash \\ back", "👩‍👩‍👧‍👦 🎸", "שלום עולם", "=1+1", "Drone & drum",
    ]
    private static let offsets = titles.indices.map { 10_040 + $0 * 10_000 }

    private func makeSession() throws {
        let markers = zip(Self.titles, Self.offsets).enumerated().map { number, item in
            let label = item.0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return marker(20 + number, at: item.1, "\"label\":\"\(label)\",")
        }
        try scratch.closedSession("set", markers: markers.joined())
        try scratch.session("copy", id: 2)
    }

    private func export(_ format: String, _ more: String...) throws -> String {
        let outcome = try scratch.trace(["export", "set", "-f", format, "-o", "set.\(format)", "-q"] + more)
        try #require(outcome.status == 0, "\(outcome)")
        return "set.\(format)"
    }

    private func run(_ command: String) throws {
        let outcome = try scratch.shell(command)
        try #require(outcome.status == 0, "\(command): \(outcome)")
    }

    /// Imports a file into the copy, and compares what came with what was exported.
    ///
    /// - Parameter shift: How much the file is earlier.
    private func expectBack(_ file: String, _ format: String, _ more: String..., shift: Int = 0) throws {
        let outcome = try scratch.trace(["import", file, "sessions/copy", "-f", format, "-y", "-q"] + more)
        #expect(outcome.output.hasSuffix("imported: \(Self.titles.count) added\n"), "\(outcome)")
        let table = try scratch.trace("markers", "list", "sessions/copy", "--format", "tsv").output
        let rows = table.split(separator: "\n").dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(rows.map { $0[1] } == Self.offsets.map { "\($0 - shift)" })
        #expect(rows.map { $0[4].replacing("\\\\", with: "\\") } == Self.titles)
        #expect(rows.allSatisfy { $0[5] == "" }, "\(table)")
    }

    @Test(arguments: ["webvtt", "otio", "edl"])
    func `what a library of Python has read and saved comes back`(format: String) throws {
        try makeSession()
        let fps = format == "edl" ? ["--fps", "25"] : []
        let file = try format == "edl" ? export(format, "--fps", "25") : export(format)
        let seen = try ReadBack.entries(format, file, in: scratch)
        #expect(seen.map(\.offset) == Self.offsets)
        let again = try scratch.trace(
            ["import", "\(file).again", "sessions/copy", "-f", format, "-n", "--json"] + fps)
        #expect(again.status == 0 && !again.output.contains("\"note\""), "\(again)")
        if format == "edl" {
            try expectBack("\(file).again", format, "--fps", "25")
        } else {
            try expectBack("\(file).again", format)
        }
    }

    @Test func `chapters that ffmpeg has read and written come back`() throws {
        try makeSession()
        let file = try export("ffmetadata")
        #expect(try ReadBack.chapters(of: file, in: scratch).map(\.offset) == Self.offsets)
        try run("ffmpeg -nostdin -v error -f ffmetadata -i \(file) -f ffmetadata again.ffmeta")
        try expectBack("again.ffmeta", "ffmetadata")
    }

    @Test func `labels are those of Audacity's format`() throws {
        try makeSession()
        let seen = try ReadBack.entries("audacity", export("audacity"), in: scratch)
        #expect(seen.map(\.offset) == Self.offsets && seen.map(\.text) == Self.titles)
    }

    // MARK: - What the slow tier installs

    private static let isSlow = Torture.isSlow || Torture.isFull

    @Test(.enabled(if: isSlow, "'make test-slow' installs mkvmerge"), arguments: ["mkv", "mka"])
    func `chapters of a recording stay where mkvmerge writes it again, and come back`(
        container: String
    ) throws {
        try makeSession()
        try run("ffmpeg -nostdin -v error -f lavfi -i sine=duration=118 -c:a aac take.m4a")
        let add = ["media", "add", "set", "--file", "take.m4a", "--offset", "1015", "--duration", "118000"]
        #expect(try scratch.trace(add).status == 0)
        #expect(try scratch.trace("export", "set", "--embed", "out.\(container)").status == 0)
        try run("mkvmerge -q -o again.\(container) out.\(container)")
        let seen = try ReadBack.chapters(of: "again.\(container)", in: scratch)
        #expect(seen.map(\.offset) == Self.offsets.map { $0 - 1015 } && seen.map(\.text) == Self.titles)
        try run("mkvextract again.\(container) chapters --simple simple.txt")
        let simple = try scratch.text("simple.txt", filled: false)
        #expect(simple.matches(of: #/CHAPTER\d\d=/#).count == Self.titles.count, "\(simple)")
        #expect(simple.contains("CHAPTER01=00:00:09.025\nCHAPTER01NAME=Warm-up\n"), "\(simple)")
        // Not one of our formats, which is said.
        let refused = try scratch.trace("import", "simple.txt", "sessions/copy")
        #expect(
            refused.status == 64 && refused.errors.contains("as Matroska's tools write them are not read"),
            "\(refused)")
        try run("ffmpeg -nostdin -v error -i again.\(container) -f ffmetadata again.ffmeta")
        try expectBack("again.ffmeta", "ffmetadata", shift: 1015)
    }

    /// A pipe has no place for the length, and a header that says so.
    @Test(
        .enabled(if: isSlow, "'make test-slow' installs sox"),
        arguments: [
            ("take.wav", "take.wav"), ("take.flac", "take.flac"), ("take.aiff", "take.aiff"),
            ("take.ogg", "take.ogg"), ("piped.wav", "-t wav -"),
            ("piped.aiff", "-t aiff -"),
        ])
    func `a recording that sox makes is as long as it is`(file: String, target: String) throws {
        let sound = "sox -n -r 44100 -c 2 --comment 'Take=1' \(target) synth 3 sine 440 vol 0.5"
        try run(file.hasPrefix("piped") ? "\(sound) | cat > \(file)" : sound)
        try run("touch -d 2026-02-04T21:00:03Z \(file)")
        let made = try scratch.trace("session", "init", "sessions/sox", "--from", file, "--close")
        #expect(made.status == 0 && made.output.hasSuffix("(duration 3000ms)\n"), "\(made)")
        #expect(made.errors.contains("header") == file.hasPrefix("piped"), "\(made)")
        #expect(try scratch.trace("validate", "--all").status == 0)
        let review = try scratch.trace("media", "add-review-audio", "sox", "--source", file)
        #expect(review.status == 0, "\(review)")
        try run("ffmpeg -nostdin -v error -i sessions/sox/media/*.m4a -f wav out.wav && soxi -D out.wav")
    }
}
