package import RecordFormat
internal import TraceText

/// Puts the lines of a timeline or a transcript into the order of their offsets, which the format asks for.
///
/// Lines at one offset keep their order (a pause is two of them), and so do lines of one id, of which the last counts. If the
/// two orders contradict each other, nothing is moved. What has no offset, and what is damaged, stays behind the line that it
/// followed.
///
/// Source: docs/spec/format.md#rules-across-lines-and-files, rules 1 and 3.
package struct OrderFix: Sendable {
    /// The file as it is to be.
    package let bytes: [UInt8]
    package let fixes: [Fix]

    package init(_ lines: RecordLines, of kind: RecordKind) {
        guard RecordSchema.of(kind).order != nil, let order = Self.order(lines) else {
            bytes = lines.bytes
            fixes = []
            return
        }
        bytes = order.flatMap { lines.bytes[$0.range] }
        let late = Self.outOfOrderCount(lines)
        let reason =
            "lines sorted by offset_ms (\(counted(late, "line")) \(late == 1 ? "was" : "were") out of order)"
        fixes = [Fix(.lineOrder, in: kind.fileName, reason)]
    }

    /// A line with an offset, and whatever follows it and has none.
    private struct LineGroup {
        let offset: SessionOffset
        /// Breaks included.
        var range: Range<Int>
        /// Its lines, by their numbers in ``RecordLines/lines``.
        var lines: Range<Int>
    }

    /// The stretches as they are to stand; nil if they stand so already, or must not be moved.
    private static func order(_ lines: RecordLines) -> [LineGroup]? {
        // What has no break can't be before something else.
        guard outOfOrderCount(lines) > 0, lines.bytes.last == 0x0A else { return nil }
        var stretches: [LineGroup] = []
        for (index, line) in lines.lines.enumerated() {
            if let offset = line.facts?.offset {
                stretches.append(
                    LineGroup(
                        offset: offset, range: line.range.lowerBound..<lines.bytes.count,
                        lines: index..<(index + 1)))
                let last = stretches.count - 2
                guard last >= 0 else { continue }
                stretches[last].range = stretches[last].range.lowerBound..<line.range.lowerBound
            } else if let last = stretches.indices.last {
                stretches[last].lines = stretches[last].lines.lowerBound..<(index + 1)
            }
        }
        guard let start = stretches.first else { return nil }
        let head = LineGroup(
            offset: .zero, range: 0..<start.range.lowerBound, lines: 0..<start.lines.lowerBound)
        let sorted = stretches.indices.sorted { left, right in
            (stretches[left].offset, left) < (stretches[right].offset, right)
        }
        let order = [head] + sorted.map { stretches[$0] }
        return keepsEdits(order, lines) ? order : nil
    }

    /// Whether the lines of every id are in their old order. Those without a valid id may be lines of one record to other
    /// readers, and count as such here.
    private static func keepsEdits(_ order: [LineGroup], _ lines: RecordLines) -> Bool {
        var last: [ULID?: Int] = [:]
        return order.lazy.flatMap(\.lines).allSatisfy { index in
            guard let facts = lines.lines[index].facts else { return true }
            return last.updateValue(index, forKey: facts.id).map { $0 < index } ?? true
        }
    }

    /// How many lines follow one with a greater offset.
    private static func outOfOrderCount(_ lines: RecordLines) -> Int {
        var greatest: SessionOffset?
        return lines.lines.count { line in
            guard let offset = line.facts?.offset else { return false }
            defer { greatest = max(greatest ?? offset, offset) }
            return greatest.map { offset < $0 } ?? false
        }
    }
}
