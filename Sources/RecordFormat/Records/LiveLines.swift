/// Which lines of a file of records count, as the file was when it was read: of several lines of one id the last.
///
/// Source: docs/spec/format.md#rules-across-lines-and-files, rule 1.
package struct LiveLines: Sendable, Equatable {
    /// The number of the last line that was read; what was appended later belongs to another reading.
    package var lastLine = 0
    /// The last line of each id that is on several. Few do: a line is added for each edit.
    package var lastLineOfRepeated: [ULID: Int] = [:]
    /// Lines that do not count, as far as their numbers are known instead.
    package var superseded = LineSet()

    package init() {}

    /// Whether a line counts; one without an id never does.
    package func contains(_ line: CheckedLine) -> Bool {
        let number = line.line.number
        guard let id = line.id, number <= lastLine, !superseded.contains(number) else { return false }
        if lastLineOfRepeated.isEmpty { return true }
        return lastLineOfRepeated[id].map { $0 == number } ?? true
    }
}

/// A set of line numbers, as a bit set.
package struct LineSet: Sendable, Equatable {
    private var words: [UInt64] = []

    init() {}

    package mutating func insert(_ line: Int) {
        let word = line >> 6
        if word >= words.count { words += [UInt64](repeating: 0, count: word - words.count + 1) }
        words[word] |= 1 << UInt64(line & 63)
    }

    func contains(_ line: Int) -> Bool {
        let word = line >> 6
        return word < words.count && words[word] >> UInt64(line & 63) & 1 == 1
    }
}
