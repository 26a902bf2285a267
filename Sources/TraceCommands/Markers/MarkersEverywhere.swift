internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// The list of markers of several sessions, in the order of the moments at which they stand.
struct MarkersEverywhere {
    /// A marker, the session that it is of, and its line; nil where the session's root is offline.
    private let markers: [(session: IndexedSession, record: IndexedRecord, line: [UInt8]?)]

    init(_ answering: Answering, _ filter: RecordFilter) throws {
        markers = try answering.answer { index in
            let shown = ShownSessions(index, answering.workplace)
            return try index.markers(filter).map { record in
                (try shown[record.session], record, try shown.line(of: record))
            }
        }
    }

    /// Prints them.
    func show(asJSON: Bool) {
        if asJSON { return Output.json(.array(markers.map(Self.json))) }
        if markers.isEmpty { return Output.line("no markers") }
        for (session, record, _) in markers {
            let name = session.listName.oneLine + (session.isOnline ? "" : " (offline)")
            let columns = MarkersList.columns(
                id: record.id, offset: record.offset ?? .zero, label: record.text, tags: record.tags,
                voiceNote: record.reference)
            Output.line(([name] + columns).joined(separator: "\t"))
        }
    }

    private static func json(_ session: IndexedSession, _ record: IndexedRecord, _ line: [UInt8]?) -> JSONText
    {
        .object { object in
            session.addIdentity(to: &object)
            object.member("id", record.id.map { JSONText($0) })
            object.member("offset_ms", JSONText(record.offset ?? .zero))
            object.member("wall_time", record.wallTime.map { JSONText($0) })
            object.member("record", line.map { JSONText(verbatim: $0) })
        }
    }
}
