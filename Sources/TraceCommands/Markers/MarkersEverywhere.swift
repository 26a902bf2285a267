internal import RecordFormat
internal import TraceExchange
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// Prints the markers of several sessions in the order of the moments at which they stand, some of them after the others:
/// what is held of all is where the index has them.
struct MarkersEverywhere {
    let context: CommandContext
    let fresh: FreshIndex
    let question: AllMarkersQuestion
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
    private func show(_ index: JournalIndex) throws -> Int {
        let shown = SessionCache(index)
        let places = try question.places(index, in: fresh.scope)
        let screen = form == .screen ? try self.screen(places, index, shown) : nil
        var buffer = OutputBuffer(screen == nil ? .braces : nil)
        var count = 0
        buffer.add(begin)
        if let screen, !places.isEmpty { buffer.add { $0 += "\(screen.header.text)\n".utf8 } }
        do {
            for start in stride(from: 0, to: places.count, by: Self.batchSize) where !Output.isClosed {
                let end = min(start + Self.batchSize, places.count)
                for record in try index.records(at: places[start..<end]) {
                    let found = try AllMarkersAnswer.Row(record, in: shown, isWhole: form.hasWholeMarkers)
                    if let screen {
                        buffer.add { $0 += "\(screen.line(record, found.session).text)\n".utf8 }
                    } else {
                        buffer.add { write(found, isFirst: count == 0, to: &$0) }
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
        _ places: [JournalIndex.RecordPlace], _ index: JournalIndex, _ shown: SessionCache
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

    private func write(_ found: AllMarkersAnswer.Row, isFirst: Bool, to text: inout [UInt8]) {
        let (session, record) = (found.session, found.record)
        switch form {
        case .array:
            if !isFirst { text.append(UInt8(ascii: ",")) }
            text += found.json(.commandLine).bytes
            return
        case .table(.jsonl): text += found.json(.commandLine).bytes
        case .table(let table):
            table.append(
                fields: [
                    session.id?.description ?? "", session.path.escaped, session.title ?? "",
                    record.wallTime?.description ?? "",
                ], to: &text)
            text.append(table.separator)
            table.append(found.marker, to: &text)
        case .columns, .screen:
            text += session.listName.oneLine.utf8
            text += (session.isOnline ? "\t" : " (offline)\t").utf8
            MarkerColumns.append(
                id: record.id, offset: record.offset ?? .zero, label: record.text, tags: record.tags,
                voiceNote: record.reference, to: &text)
        }
        text.append(UInt8(ascii: "\n"))
    }
}
