internal import RecordFormat

/// A line that a write appended, as the journal knows it.
package struct NotedLine: Sendable, Hashable {
    /// The line; nil if it is longer than ``limit``.
    let text: [UInt8]?
    /// Where there is no text.
    private let sha256: String?

    /// How many bytes of lines a write keeps in the journal itself.
    static let limit = 64 << 10

    init(_ line: [UInt8]) {
        let isShort = line.count <= Self.limit
        text = isShort ? line : nil
        sha256 = isShort ? nil : UndoableWrite.checksum(of: line)
    }

    /// A line of whatever length.
    init(whole line: [UInt8]) {
        text = line
        sha256 = nil
    }

    /// Whether a line of the file is this one; another spelling of the same values makes no difference.
    func matches(_ line: some Collection<UInt8>) -> Bool {
        guard let text else { return UndoableWrite.checksum(of: Array(line)) == sha256 }
        return text.elementsEqual(line) || JSONText.isEquivalent(text, Array(line))
    }

    /// How many of these lines are the last ones of `lines`, counted from the first.
    static func count(of noted: [NotedLine], atEndOf lines: [[UInt8]]) -> Int {
        let counts = (0...min(noted.count, lines.count)).reversed()
        return counts.first { count in
            zip(lines.suffix(count), noted).allSatisfy { line, noted in noted.matches(line) }
        } ?? 0
    }
}

// MARK: - As JSON

extension NotedLine {
    func add(to object: inout JSONObjectText) {
        object.member("line", text.map { JSONText(String(decoding: $0, as: UTF8.self)) })
        object.member("sha256", sha256.map { JSONText($0) })
    }

    /// From the members of a change; one that an older version noted has the SHA-256 alone.
    init?(_ value: JSONValue) {
        text = value[name: "line"]?.string.map { Array($0.utf8) }
        sha256 = text == nil ? value[name: "sha256"]?.string : nil
        if text == nil, sha256 == nil { return nil }
    }
}
