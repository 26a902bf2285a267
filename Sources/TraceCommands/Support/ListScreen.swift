internal import RecordFormat
internal import SystemPackage
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore
internal import TraceText

/// A list on a terminal: a table that is no wider than it.
enum ListScreen {
    /// How many rows say how wide the columns are of a list that is not held as a whole.
    static let sampleSize = 512

    /// - Parameters:
    ///   - sample: Rows that say how wide the columns are.
    ///   - isWhole: Whether these are all.
    static func table(
        _ columns: [TerminalTable.Column], _ sample: [[TerminalCell]], isWhole: Bool = true
    ) -> TerminalTable {
        TerminalTable(
            columns, sample: sample, isWhole: isWhole, columns: Output.columns, styled: Output.isStyled)
    }

    /// Prints a list whose rows are all known.
    static func show(_ columns: [TerminalTable.Column], _ rows: [[TerminalCell]]) {
        let table = table(columns, rows)
        Output.lines(CollectionOfOne(table.header))
        Output.lines(rows.lazy.map(table.line))
    }
}

extension TerminalCell {
    /// An offset or a length, to a tenth of a second.
    static func time(_ offset: SessionOffset?) -> TerminalCell { TerminalCell(offset?.tenths ?? "") }

    /// A moment, to a minute.
    static func moment(_ moment: Timestamp?, in zone: ZoneRules) -> TerminalCell {
        TerminalCell(moment.map(zone.minuteText) ?? "")
    }

    /// The day of a moment.
    static func day(_ moment: Timestamp?, in zone: ZoneRules) -> TerminalCell {
        TerminalCell(moment.map(zone.date) ?? "")
    }

    /// The tags, those that are categories in their colour.
    static func tags(_ tags: [String]) -> TerminalCell {
        .list(tags.map { TerminalSpan($0, MarkerCategory(tag: $0)?.style ?? .plain) })
    }

    /// The end of an id: ids that were made shortly after each other begin alike.
    static func id(_ id: ULID?) -> TerminalCell {
        TerminalCell(id.map { String($0.description.suffix(6)) } ?? "", .faint)
    }

    /// A session's directory.
    static func directory(_ session: IndexedSession) -> TerminalCell {
        let name = session.path.lastComponent?.escaped ?? session.path.escaped
        return TerminalCell(
            [TerminalSpan(name, .plain)] + (session.isOnline ? [] : [TerminalSpan(" (offline)", .yellow)]))
    }
}
