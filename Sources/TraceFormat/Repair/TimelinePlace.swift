package import RecordFormat

extension RecordLines {
    /// Where in a timeline an entry belongs: before everything that is later, and before the end of the session.
    ///
    /// - Returns: The first byte of the line that is to follow it; nil if none does.
    ///
    /// Source: format.md, rules 3 and 6.
    package func timelinePlace(at offset: SessionOffset) -> Int? {
        lines.first { line in
            guard let facts = line.facts, let other = facts.offset else { return false }
            let isEnd = facts.detail == TimelineEntry.Kind.sessionEnd.rawValue
            return other > offset || isEnd && other == offset
        }?.range.lowerBound
    }
}
