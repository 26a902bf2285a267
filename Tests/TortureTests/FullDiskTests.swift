import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Writes that the kernel takes only in part: at the size limit of the process, and on a file system that
/// fills up.
struct FullDiskTests {
    @Test(arguments: Operation.allCases)
    func `at a file size limit, what was begun is taken back and told`(_ operation: Operation) throws {
        let scene = try Scene(for: operation)
        let arguments = operation.arguments(in: scene)
        // The small files have up to some hundred bytes, the audio has twenty thousand. Every fifth size, since all
        // take an hour; which ones, the seed says.
        var dice = Torture.dice("limits \(operation)")
        let small = Array(stride(from: Int.random(in: 0..<5, using: &dice), to: 1100, by: 5))
        let limits =
            small + ([.flush, .voiceNote, .fallback].contains(operation) ? [4096, 19_999, 20_000] : [])
        for limit in Torture.choose(limits, sample: 2, "limit \(operation)") {
            try scene.restore()
            let outcome = try scene.scratch.run(
                "/usr/bin/prlimit", ["--fsize=\(limit):\(limit)", Binaries.url("trace").path] + arguments)
            // The file that takes what is said has the limit too.
            let said = outcome.errors.replacing("<scratch>", with: scene.scratch.path).utf8.count
            try operation.check(outcome, in: scene, "at most \(limit) bytes a file", isHeard: said < limit)
        }
    }

    @Test(
        .enabled(if: Namespace.mounting != nil, "mounting is not permitted here"),
        arguments: [Operation.mark, .voiceNote, .close, .digestWrite, .edit, .flush])
    func `on a disk of 64 KiB that is nearly full, what was begun is taken back and told`(
        _ operation: Operation
    ) throws {
        let options = try #require(Namespace.mounting)
        let scene = try Scene(for: operation)
        let command = operation.arguments(in: scene).map { "'\($0)'" }.joined(separator: " ")
        // The session has some pages of 4 KiB; its marker file ends shortly before the end of one.
        let pages = Array(0..<9).flatMap { free in [1, 60, 118, 130].map { (free, $0) } }
        for (free, rest) in Torture.choose(pages, sample: 2, "tmpfs \(operation)") {
            try scene.restore()
            try Self.pad("\(scene.session)/markers.jsonl", leaving: rest)
            let outcome = try scene.scratch.run(
                "/usr/bin/unshare",
                options + [
                    "/bin/sh", "-c",
                    """
                    set -e
                    cp -a '\(scene.session)' before
                    mount -t tmpfs -o size=64k none '\(scene.session)'
                    cp -a before/. '\(scene.session)'
                    rm -r before
                    dd if=/dev/zero of='\(scene.session)/filler' bs=4096 2>/dev/null || true
                    truncate -s -\(free * 4096) '\(scene.session)/filler'
                    set +e
                    '\(Binaries.url("trace").path)' \(command)
                    status=$?
                    rm '\(scene.session)/filler'
                    cp -a '\(scene.session)' after
                    exit $status
                    """,
                ])
            try scene.scratch.remove("sessions/set")
            try FileManager.default.moveItem(atPath: "\(scene.scratch.path)/after", toPath: scene.session)
            try operation.check(outcome, in: scene, "\(free) pages free, \(rest) bytes to the end of one")
        }
    }

    /// Appends a marker whose note fills the file up to so many bytes before the end of a page.
    static func pad(_ file: String, leaving rest: Int) throws {
        var text = try String(contentsOfFile: file, encoding: .utf8)
        let empty = marker(11, at: 1500, "\"note\":\"\",")
        text += marker(
            11, at: 1500,
            "\"note\":\"\(String(repeating: "x", count: 4096 - rest - text.utf8.count - empty.utf8.count))\","
        )
        try Data(text.utf8).write(to: URL(filePath: file))
    }
}
