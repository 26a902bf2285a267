internal import SystemPackage
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// The list of markers of several sessions, in the order of the moments at which they stand.
struct MarkersEverywhere {
    /// A marker, the session that it is of, and its line; nil where the session's root is offline.
    struct Found {
        var session: IndexedSession
        var record: IndexedRecord
        var line: [UInt8]?
    }

    private let markers: [Found]

    init(_ answering: Answering, _ filter: RecordFilter) throws {
        markers = try answering.answer { index in
            let shown = ShownSessions(index, answering.workplace)
            return try index.markers(filter).map { record in
                Found(
                    session: try shown[record.session], record: record, line: try shown.line(of: record))
            }
        }
    }

    /// Prints them.
    ///
    /// - Parameter isWhole: Whether these are all: else it is not said that there are none.
    func show(asJSON: Bool, format: MarkerExport?, isWhole: Bool) {
        if let format { return MarkerTable(format: format).show(markers) }
        if asJSON { return Output.json(.array(markers.map(Self.json))) }
        guard !markers.isEmpty else { return isWhole ? Output.line("no markers") : () }
        Output.lines(markers.lazy.map { Self.columns($0.session, $0.record).joined(separator: "\t") })
    }

    private static func columns(_ session: IndexedSession, _ record: IndexedRecord) -> [String] {
        let name = session.listName.oneLine + (session.isOnline ? "" : " (offline)")
        return [name]
            + MarkersList.columns(
                id: record.id, offset: record.offset ?? .zero, label: record.text, tags: record.tags,
                voiceNote: record.reference)
    }

    static func json(_ found: Found) -> JSONText {
        let record = found.record
        return .object { object in
            found.session.addIdentity(to: &object)
            object.member("id", record.id.map { JSONText($0) })
            object.member("offset_ms", JSONText(record.offset ?? .zero))
            object.member("wall_time", record.wallTime.map { JSONText($0) })
            object.member("record", found.line.map { JSONText(verbatim: $0) })
        }
    }
}

extension MarkersEverywhere.Found {
    /// The marker as its line tells, else as it was last known.
    var value: Marker {
        let decoded = line.flatMap { line in
            try? RecordDecoder(.marker) { Marker($0) }.decode(line)?.value
        }
        return decoded
            ?? Marker(
                id: record.id ?? IDMint.next(), offset: record.offset ?? .zero, createdAt: record.createdAt,
                label: record.text, note: record.note, tags: record.tags, duration: record.duration,
                voiceNoteID: record.reference)
    }
}
