import Foundation
import ProgramHarness
import Testing

/// `docs/first-evening.md`: every line that it tells to type prints what it says.
struct FirstEveningTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.makeDirectory("bin")
        symlink(Binaries.url("trace").path, "\(scratch.path)/bin/trace")
        let make = try scratch.shell(
            """
            ffmpeg -nostdin -v error -f lavfi -i sine=duration=4 -c:a aac memo.m4a && \
            ffmpeg -nostdin -v error -f lavfi -i testsrc=size=64x64:rate=10:duration=3 \
            -f lavfi -i sine=duration=3 -c:v mpeg4 -c:a aac take.mkv
            """)
        try #require(make.status == 0, "\(make)")
    }

    @Test func `what is told of the first evening is so`() throws {
        let steps = try steps()
        #expect(steps.count == 13)
        for (command, expected) in steps {
            let outcome = try scratch.run(
                "/usr/bin/env",
                [
                    "-i", "HOME=\(scratch.path)", "PATH=\(scratch.path)/bin:/usr/bin:/bin", "LANG=C.UTF-8",
                    "TZ=UTC", "TRACE_ROOTS=\(scratch.path)/music", "sh", "-c", "{ \(command) ; } 2>&1",
                ])
            #expect(outcome.status == 0)
            #expect(Self.timeless(outcome.output) == Self.timeless(expected), "\(command)")
            if command.contains("session init") { try letAnHourPass() }
        }
    }

    /// The commands of the page, each with what it prints.
    private func steps() throws -> [(command: String, output: String)] {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/first-evening.md").standardized
        var steps: [(command: String, output: String)] = []
        var fence: Substring?
        for line in try String(contentsOf: page, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if let open = fence {
                if line == open {
                    fence = nil
                } else if line.hasPrefix("$ ") {
                    steps.append((String(line.dropFirst(2)), ""))
                } else {
                    steps[steps.count - 1].output += line + "\n"
                }
            } else if line.hasSuffix("```console") {
                fence = line.dropLast("console".count)
            }
        }
        return steps
    }

    private func letAnHourPass() throws {
        let before = Date(timeIntervalSinceNow: -3600).formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        for name in ["session.json", "timeline.jsonl"] {
            let text = try scratch.text("music/monday/\(name)", filled: false)
            let earlier = text.replacing(#/"(created_at|updated_at|start_time|wall_time)":( ?)"[^"]+"/#) {
                "\"\($0.output.1)\":\($0.output.2)\"\(before)\""
            }
            try scratch.write(earlier, to: "music/monday/\(name)")
        }
    }

    /// Without what is another each time.
    private static func timeless(_ text: String) -> String {
        text.replacing("/home/ann", with: "<scratch>")
            .replacing(#/<ulid>|[0-9A-HJKMNP-TV-Z]{26}/#, with: "<id>")
            .replacing(#/<now>|\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC/#, with: "<moment>")
            .replacing(#/\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/#, with: "<minute>")
            .replacing(#/1:00:\d{2}(\.\d{3})?/#, with: "<an hour>")
            .replacing(#/30:0\d/#, with: "30:00")
            .replacing(#/36\d{5}/#, with: "<an hour in ms>")
            .replacing(#/36\d{2}\.\d{6}/#, with: "<an hour in seconds>")
    }
}
