import FormatHarness
import Foundation
import RecordFormat

/// A folder of `Tests/Fixtures/rules`: a session that breaks the one rule whose name the folder bears, in
/// `session/`, and what must be found in it, in `expected.txt`.
struct RuleFixture: Sendable {
    let name: String

    /// `Tests/Fixtures/rules`, as seen from `Tests/TraceFormatTests/Support`.
    private static let root =
        "\(#filePath.split(separator: "/").dropLast(1).map { "/" + $0 }.joined())/../../Fixtures/rules"

    /// The names of all folders.
    static func names() throws -> [String] { try FileTree.names(in: root) }

    /// The files of the session, as they are checked in.
    func tree() throws -> FileTree { try FileTree("\(Self.root)/\(name)/session") }

    /// The session to be checked.
    func session() throws -> SessionFiles {
        var tree = try tree()
        tree.files = tree.files.mapValues(Self.filledUp)
        return SessionFiles(tree, isSettled: name != "line-in-transit")
    }

    /// The findings that are expected, one a line.
    func expected() throws -> [String] {
        let files = try FileTree("\(Self.root)/\(name)").files
        return files["expected.txt"]?.text.split(separator: "\n").map(String.init) ?? []
    }

    /// Writes what is expected anew.
    func expect(_ findings: [Finding]) throws {
        let lines = findings.map { "\($0)\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: "\(Self.root)/\(name)/expected.txt"))
    }

    /// A line that is too long would be 16 MiB of fixture: it is written as `<16777216 times x>`.
    private static func filledUp(_ bytes: [UInt8]) -> [UInt8] {
        let mark = Array("<16777216 times x>".utf8)
        guard let start = bytes.firstRange(of: mark) else { return bytes }
        return bytes[..<start.lowerBound] + [UInt8](repeating: 0x78, count: 16 << 20)
            + bytes[start.upperBound...]
    }
}

extension [UInt8] {
    fileprivate func firstRange(of other: [UInt8]) -> Range<Int>? {
        indices.first { self[$0...].starts(with: other) }.map { $0..<($0 + other.count) }
    }
}
