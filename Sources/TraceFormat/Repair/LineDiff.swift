/// What changes between two texts, in lines, as a unified diff shows it.
///
/// Lines that are once in both texts hold the two together, so that a text of a million lines costs what
/// sorting costs.
package struct LineDiff: Sendable {
    /// A range of the old text and its replacement.
    struct Change: Equatable {
        var old: Range<Int>
        var new: Range<Int>
    }

    private let old: [LineText]
    private let new: [LineText]
    private let changes: [Change]

    package init(from old: [UInt8], to new: [UInt8]) {
        self.old = Self.lines(of: old)
        self.new = Self.lines(of: new)
        changes = Self.changes(from: self.old, to: self.new)
    }

    /// The lines with their breaks, so that a last line without one is another line than with one.
    private static func lines(of text: [UInt8]) -> [LineText] {
        var lines: [LineText] = []
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
            lines.append(LineText(bytes: text[start..<end]))
            start = end
        }
        return lines
    }

    // MARK: - Finding changes

    private static func changes(from old: [LineText], to new: [LineText]) -> [Change] {
        // What the texts begin and end with in common needs no anchors; mostly that is nearly all.
        let shorter = min(old.count, new.count)
        let head = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
        let tail =
            (0..<(shorter - head)).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] }
            ?? shorter - head
        let ends = (old: old.count - tail, new: new.count - tail)
        var changes: [Change] = []
        var (from, to) = (head, head)
        for (oldAnchor, newAnchor) in anchors(old[head..<ends.old], new[head..<ends.new]) + [ends] {
            var change = Change(old: from..<oldAnchor, new: to..<newAnchor)
            while let first = change.old.first, let other = change.new.first, old[first] == new[other] {
                change.old = (first + 1)..<oldAnchor
                change.new = (other + 1)..<newAnchor
            }
            while let last = change.old.last, let other = change.new.last, old[last] == new[other] {
                change.old = change.old.lowerBound..<last
                change.new = change.new.lowerBound..<other
            }
            if !change.old.isEmpty || !change.new.isEmpty { changes.append(change) }
            (from, to) = (oldAnchor, newAnchor)
        }
        return changes
    }

    /// The longest run of lines that are once in both texts and in the same order in both.
    private static func anchors(_ old: ArraySlice<LineText>, _ new: ArraySlice<LineText>) -> [(Int, Int)] {
        let places = placesOfUniqueLines(in: new)
        let pairs = placesOfUniqueLines(in: old).compactMap { line, place in
            places[line].flatMap { $0 == twice || place == twice ? nil : (old: place, new: $0) }
        }.sorted { $0.old < $1.old }
        return longestRising(pairs)
    }

    /// Where each line is, or ``twice``.
    private static func placesOfUniqueLines(in lines: ArraySlice<LineText>) -> [LineText: Int] {
        Dictionary(zip(lines, lines.indices), uniquingKeysWith: { _, _ in twice })
    }

    private static let twice = -1

    private static func longestRising(_ pairs: [(old: Int, new: Int)]) -> [(Int, Int)] {
        // The pair that ends the best run of each length, and the pair before each pair in its run (patience
        // sorting).
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: pairs.count)
        for index in pairs.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pairs[index].new { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [(Int, Int)] = []
        var next = ends.last ?? -1
        while next >= 0 {
            run.append((pairs[next].old, pairs[next].new))
            next = previous[next]
        }
        return run.reversed()
    }

    // MARK: - Showing them

    /// The lines of a unified diff, without line breaks.
    ///
    /// - Parameters:
    ///   - context: How many lines around a change are shown.
    ///   - limit: How many lines at most; a last line then says how many are not shown.
    package func unified(context: Int = 2, limit: Int = .max) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = 0
        for hunk in hunks(context: context) {
            let more = shown(hunk, context: context)
            let room = limit - lines.count
            lines += more.prefix(room)
            rest += max(0, more.count - room)
        }
        guard rest > 0 else { return lines }
        return lines + [Array("… \(rest) more lines of the diff".utf8)]
    }

    /// Changes whose contexts touch are in one hunk.
    private func hunks(context: Int) -> [[Change]] {
        var hunks: [[Change]] = []
        for change in changes {
            if let last = hunks.last?.last, change.old.lowerBound - last.old.upperBound <= 2 * context {
                hunks[hunks.count - 1].append(change)
            } else {
                hunks.append([change])
            }
        }
        return hunks
    }

    private func shown(_ hunk: [Change], context: Int) -> [[UInt8]] {
        guard let first = hunk.first, let last = hunk.last else { return [] }
        let before = min(context, first.old.lowerBound)
        let after = min(context, old.count - last.old.upperBound)
        let oldRange = (first.old.lowerBound - before)..<(last.old.upperBound + after)
        let newRange = (first.new.lowerBound - before)..<(last.new.upperBound + after)
        var lines = [Array("@@ -\(Self.header(oldRange)) +\(Self.header(newRange)) @@".utf8)]
        var position = oldRange.lowerBound
        for change in hunk {
            lines += old[position..<change.old.lowerBound].flatMap { Self.line(" ", $0) }
            lines += old[change.old].flatMap { Self.line("-", $0) }
            lines += new[change.new].flatMap { Self.line("+", $0) }
            position = change.old.upperBound
        }
        return lines + old[position..<oldRange.upperBound].flatMap { Self.line(" ", $0) }
    }

    /// `start,count`, counted from 1; an empty stretch has the number of the line before it.
    private static func header(_ range: Range<Int>) -> String {
        "\(range.isEmpty ? range.lowerBound : range.lowerBound + 1),\(range.count)"
    }

    private static func line(_ mark: Character, _ text: LineText) -> [[UInt8]] {
        let marked = Array(String(mark).utf8)
        guard text.bytes.last == 0x0A else {
            return [marked + text.bytes, Array("\\ No newline at end of file".utf8)]
        }
        return [marked + text.bytes.dropLast()]
    }
}
