internal import RecordFormat
internal import SystemPackage
internal import TraceExchange
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Prints the markers of several sessions in the order of the moments at which they stand, some of them after the others:
/// what is held of all is where the index has them.
struct MarkersEverywhere {
    let context: CommandContext
    let fresh: FreshIndex
    let filter: RecordFilter
    let form: Form

    /// How they are printed.
    enum Form: Equatable {
        case columns
        /// As a table on a terminal.
        case screen
        case array
        case table(MarkerExport)

        /// Whether there is more in it than the index knows of a marker.
        fileprivate var hasWholeMarkers: Bool { self == .table(.csv) || self == .table(.tsv) }
    }

    /// How many are read at a time.
    private static let batchSize = 1024

    func show() throws {
        let count = try fresh.answer { try show($0) }
        // If not everything could be read, that there are none is not known.
        if count == 0, form == .columns || form == .screen, fresh.isWhole { Output.line("no markers") }
    }

    /// - Returns: How many there are.
    /// - Throws: ``IndexError`` with `.stale` if files change meanwhile, and nothing has been printed yet.
    private func show(_ index: SessionIndex) throws -> Int {
        let shown = SessionCache(index)
        let places = try index.markerPlaces(filter)
        let screen = form == .screen ? try self.screen(places, index, shown) : nil
        var buffer = OutputBuffer(screen == nil ? .braces : nil)
        var count = 0
        buffer.add(begin)
        if let screen, !places.isEmpty { buffer.add { $0 += "\(screen.header.text)\n".utf8 } }
        do {
            for start in stride(from: 0, to: places.count, by: Self.batchSize) where !Output.isClosed {
                let end = min(start + Self.batchSize, places.count)
                for record in try index.records(at: places[start..<end]) {
                    let found = try Found(record, shown, form)
                    if let screen {
                        buffer.add { $0 += "\(screen.line(record, found.session).text)\n".utf8 }
                    } else {
                        buffer.add { found.write(as: form, isFirst: count == 0, to: &$0) }
                    }
                    count += 1
                }
            }
        } catch let error as IndexError where buffer.hasBegun {
            // What has been printed is not printed again.
            throw error.code == .stale ? CommandFailure(.tryAgain, error.report) : CommandFailure(error)
        }
        if form == .array { buffer.add { $0 += "]\n".utf8 } }
        buffer.flush()
        return count
    }

    /// The table whose widths the first markers tell.
    private func screen(
        _ places: [SessionIndex.RecordPlace], _ index: SessionIndex, _ shown: SessionCache
    ) throws -> MarkersEverywhereTable {
        let sample = places.prefix(ListScreen.sampleSize)
        let first = try index.records(at: sample).map { ($0, try shown[$0.session]) }
        return MarkersEverywhereTable(
            first, isWhole: sample.count == places.count, in: try context.zone)
    }

    private func begin(_ text: inout [UInt8]) {
        switch form {
        case .columns, .screen, .table(.jsonl): break
        case .array: text.append(UInt8(ascii: "["))
        case .table(let table):
            table.append(
                fields: ["session_id", "session_path", "title", "wall_time"] + MarkerExport.columns, to: &text
            )
            text.append(UInt8(ascii: "\n"))
        }
    }

    /// A marker and its session.
    private struct Found {
        let session: IndexedSession
        let record: IndexedRecord
        /// Nil if the session's root is offline.
        let line: [UInt8]?
        /// What is on the line, where the form asks for it.
        private let marker: Marker?

        init(_ record: IndexedRecord, _ sessions: SessionCache, _ form: Form) throws {
            self.record = record
            session = try sessions[record.session]
            var marker: Marker?
            line = try sessions.line(of: record) { if form.hasWholeMarkers { marker = Marker($0) } }
            self.marker = marker
        }

        func write(as form: Form, isFirst: Bool, to text: inout [UInt8]) {
            switch form {
            case .array:
                if !isFirst { text.append(UInt8(ascii: ",")) }
                text += json.bytes
                return
            case .table(.jsonl): text += json.bytes
            case .table(let table):
                table.append(
                    fields: [
                        session.id?.description ?? "", session.path.escaped, session.title ?? "",
                        record.wallTime?.description ?? "",
                    ], to: &text)
                text.append(table.separator)
                table.append(value, to: &text)
            case .columns, .screen:
                text += session.listName.oneLine.utf8
                text += (session.isOnline ? "\t" : " (offline)\t").utf8
                MarkerColumns.append(
                    id: record.id, offset: record.offset ?? .zero, label: record.text, tags: record.tags,
                    voiceNote: record.reference, to: &text)
            }
            text.append(UInt8(ascii: "\n"))
        }

        private var json: JSONText {
            .object { object in
                session.addIdentity(to: &object)
                object.member("id", record.id.map { JSONText($0) })
                object.member("offset_ms", JSONText(record.offset ?? .zero))
                object.member("wall_time", record.wallTime.map { JSONText($0) })
                object.member("label", record.text.map { JSONText($0) })
                object.member("note", record.note.map { JSONText($0) })
                object.member("tags", .array(record.tags.map { JSONText($0) }))
                object.member("duration_ms", record.duration.map { JSONText($0) })
                object.member("voice_note_id", record.reference.map { JSONText($0) })
                object.member("record", line.map { JSONText(verbatim: $0) })
            }
        }

        /// The marker as its line tells, else as it was last known.
        private var value: Marker {
            marker
                ?? Marker(
                    id: record.id ?? IDGenerator.next(), offset: record.offset ?? .zero,
                    createdAt: record.createdAt,
                    label: record.text, note: record.note, tags: record.tags, duration: record.duration,
                    voiceNoteID: record.reference)
        }
    }
}
