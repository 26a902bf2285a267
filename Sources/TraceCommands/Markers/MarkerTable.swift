internal import RecordFormat
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Markers as a table on a terminal.
struct MarkerTable: MarkerWriter {
    private static let columns: [TerminalTable.Column] = [
        .number("TIME"), .number("LENGTH", rank: 5), .text("LABEL", least: 14),
        .text("TAGS", least: 9, rank: 6),
        .text("NOTE", least: 10, rank: 4), .whole("ID", rank: 8),
    ]

    private let table: TerminalTable

    /// - Throws: ``FileError`` if the first markers can't be read.
    init(_ markers: OrderedMarkers) throws {
        // These lines are parsed again when they are written: the header, and the widths with it, comes before all of them.
        let first = try markers.first(ListScreen.sampleSize).map(Self.cells)
        // The last one stands farthest from the start.
        let last = markers.offsets.last.map { offset in
            [.time(offset)] + Array(repeating: TerminalCell(), count: Self.columns.count - 1)
        }
        table = ListScreen.table(
            Self.columns, first + [last].compactMap(\.self), isWhole: first.count == markers.count)
    }

    func begin(_ text: inout [UInt8]) { Self.append(table.header, to: &text) }

    func write(_ item: ExportItem, to text: inout [UInt8]) {
        Self.append(table.line(Self.cells(item.marker)), to: &text)
    }

    private static func append(_ line: TerminalText, to text: inout [UInt8]) {
        text += line.text.utf8
        text.append(UInt8(ascii: "\n"))
    }

    private static func cells(_ marker: Marker) -> [TerminalCell] {
        [
            .time(marker.offset), .time(marker.duration), TerminalCell(marker.label ?? ""),
            .tags(marker.tags),
            TerminalCell(marker.note ?? "", cut: .afterWord), .id(marker.id),
        ]
    }
}

/// Markers of several sessions as a table on a terminal.
struct MarkersEverywhereTable {
    private static let columns: [TerminalTable.Column] = [
        .whole("WHEN", rank: 7), .text("SESSION", least: 12), .number("TIME"), .text("LABEL", least: 14),
        .text("TAGS", least: 9, rank: 6), .text("NOTE", least: 10, rank: 4), .whole("ID", rank: 5),
    ]

    private let table: TerminalTable
    private let zone: ZoneRules

    /// - Parameter zone: That of the times.
    init(_ first: [(IndexedRecord, IndexedSession)], isWhole: Bool, in zone: ZoneRules) {
        self.zone = zone
        table = ListScreen.table(
            Self.columns, first.map { Self.cells($0, $1, zone) }, isWhole: isWhole)
    }

    var header: TerminalText { table.header }

    func line(_ record: IndexedRecord, _ session: IndexedSession) -> TerminalText {
        table.line(Self.cells(record, session, zone))
    }

    private static func cells(
        _ record: IndexedRecord, _ session: IndexedSession, _ zone: ZoneRules
    ) -> [TerminalCell] {
        [
            .moment(record.wallTime, in: zone),
            TerminalCell(
                [TerminalSpan(session.listName, .plain)]
                    + (session.isOnline ? [] : [TerminalSpan(" (offline)", .yellow)])),
            .time(record.offset), TerminalCell(record.text ?? ""), .tags(record.tags),
            TerminalCell(record.note ?? "", cut: .afterWord), .id(record.id),
        ]
    }
}
