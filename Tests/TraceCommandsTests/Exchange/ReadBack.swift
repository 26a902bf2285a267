import Foundation
import Testing
import TraceFiles

/// Other people's libraries, asked what they see in a file: those of `Tests/requirements.txt`, which `make test` installs.
struct ReadBack {
    /// What stands at a time, in milliseconds.
    struct Entry: Equatable, Decodable, CustomStringConvertible {
        var offset: Int
        var text: String

        init(_ offset: Int, _ text: String) {
            self.offset = offset
            self.text = text
        }

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            offset = try values.decode(Int.self)
            text = try values.decode(String.self)
        }

        var description: String { "\(offset) \(text.prefix(80))" }
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
    private static let python = directory.appending(path: "../../../.build/python/bin/python").standardized
        .path

    /// - Throws: ``Failed`` with what Python says; also where its packages are missing.
    static func entries(_ format: String, _ file: String, in scratch: Scratch) throws -> [Entry] {
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Failed(
                description:
                    "\(python) is missing: 'make test' installs Tests/requirements.txt there, from PyPI, "
                    + "which it must be able to reach")
        }
        let outcome = try scratch.run(
            python, ["-B", directory.appending(path: "read_back.py").path, format, file])
        guard outcome.status == 0 else { throw Failed(description: "\(outcome)") }
        return try JSONDecoder().decode([Entry].self, from: Data(outcome.output.utf8))
    }

    /// The chapters that `ffprobe` sees in a media file.
    static func chapters(of file: String, in scratch: Scratch) throws -> [Entry] {
        struct Probe: Decodable {
            struct Chapter: Decodable {
                var start_time: String
                var tags: [String: String]?
            }
            var chapters: [Chapter]
        }
        let outcome = try scratch.run(
            "/usr/bin/ffprobe", ["-v", "error", "-show_chapters", "-of", "json", file])
        guard outcome.status == 0 else { throw Failed(description: "\(outcome)") }
        return try JSONDecoder().decode(Probe.self, from: Data(outcome.output.utf8)).chapters.map { chapter in
            Entry(Int(((Double(chapter.start_time) ?? -1) * 1000).rounded()), chapter.tags?["title"] ?? "")
        }
    }
}
