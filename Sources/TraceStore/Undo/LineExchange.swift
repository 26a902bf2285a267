package import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Markers that are to be taken out of a session, and lines that are to come.
package struct LineExchange {
    /// Which go, with the lines of each.
    package var removed: [ULID: [[UInt8]]] = [:]
    /// The lines that come, each with its newline, and how many.
    package var added: [UInt8] = []
    package var count = 0
    /// The last lines of markers of which one comes, as they were when it was made.
    package var expected: [ULID: [UInt8]] = [:]

    /// The lines that the file gave markers which had been edited before.
    package var given: [[UInt8]] = []

    package init() {}

    var isEmpty: Bool { removed.isEmpty && count == 0 }
}

extension SessionWriter {
    /// Replaces what an earlier import brought: markers go, others come, and some get another line, in one step and in one write of the
    /// undo log.
    ///
    /// - Parameter plan: What is to be done, given what the import brought; called under the session's lock.
    /// - Throws: ``FileError``, ``StoreError``; what `plan` throws. Then nothing has been done.
    /// - Note: Durable on return. Killed in between, all of it has been done or nothing, and the same again does it once.
    package func replaceImport<Plan>(
        _ choice: ReplacedImport, by file: ImportedFile,
        _ plan: (EarlierImport, SessionReader) throws -> (plan: Plan, exchange: LineExchange)
    ) throws -> (plan: Plan, notices: [String]) {
        try recorded(.importMarkers) { session in
            try session.finishLastLine(of: .marker)
            let reader = SessionReader(session.directory)
            let earlier = try earlierImport(choice, of: file, in: reader, isSettling: true)
            let (plan, exchange) = try plan(earlier, reader)
            guard !exchange.isEmpty else {
                // Visible is not durable, and one that was killed may have stopped before session.json.
                if try session.directory.openRegularFile(RecordKind.marker.component) != nil {
                    try session.directory.makeDurable(RecordKind.marker.component)
                }
                let isBehind = try session.isHeaderBehind(.marker)
                return (plan, isBehind ? session.finish("the markers were replaced") : [])
            }
            var file = file
            file.replaced = earlier.writes
            let given = Array((exchange.given + [[]]).joined(separator: [newline]))
            if given.count > NotedLine.limit {
                file.keptGiven = try undoLog?.keep(given, as: RecordKind.marker.component)
            } else {
                file.given = exchange.given
            }
            session.recorder?.source = file
            let notices = try session.exchange(exchange, notedIn: undoLog)
            return (plan, notices + session.finish("the markers were replaced"))
        }
    }
}

extension LockedSession {
    /// Takes markers out and appends lines, by one replacement of the file.
    ///
    /// - Returns: What a person should know.
    fileprivate func exchange(_ exchange: LineExchange, notedIn log: UndoLog?) throws -> [String] {
        guard try directory.openRegularFile(RecordKind.marker.component) != nil else {
            return try append(together: exchange.added, count: exchange.count, to: .marker, notedIn: log)
        }
        try note(exchange, in: log)
        let write = recorder?.takeWrite()
        if let write { try log?.notePending(write) }
        do {
            try replaceLines(of: .marker) { try $0.contents(after: exchange, in: directory) }
        } catch {
            // A file that could not be made durable has been replaced.
            if let write, (error as? FileError)?.code != .io { try? log?.note(.withdrawn, of: write.id) }
            throw error
        }
        guard let write, let log else { return [] }
        do { try log.note(.kept, of: write.id) } catch { log.onFailure(error.structured) }
        return []
    }

    private func note(_ exchange: LineExchange, in log: UndoLog?) throws {
        let removed = exchange.removed.sorted { $0.key < $1.key }
        let size = removed.reduce(0) { $0 + $1.value.reduce(0) { $0 + $1.count + 1 } }
        if size > NotedLine.limit, let log {
            let lines = Array((removed.flatMap(\.value) + [[]]).joined(separator: [newline]))
            let kept = try log.keep(lines, as: RecordKind.marker.component)
            recorder?.add(.removedTogether(.marker, count: removed.count, kept: kept))
        } else {
            for (id, lines) in removed { recorder?.add(.removed(.marker, id, lines: lines)) }
        }
        if exchange.added.count > NotedLine.limit, let log {
            let kept = try log.keep(exchange.added, as: RecordKind.marker.component)
            recorder?.add(.appendedTogether(.marker, count: exchange.count, kept: kept))
        } else {
            for line in exchange.added.split(separator: newline) {
                recorder?.noteAppended(Array(line), RecordCheck.id(of: Array(line)), to: .marker)
            }
        }
    }
}

extension RecordLines {
    /// The bytes of the file when it is done.
    ///
    /// - Throws: ``FileError`` with `.changedMeanwhile` if another program has written a line of one of the markers.
    fileprivate func contents(after exchange: LineExchange, in directory: OpenDirectory) throws -> [UInt8] {
        var gone: [RecordLine] = []
        var goneLines: [ULID: [[UInt8]]] = [:]
        var last: [ULID: [UInt8]] = [:]
        for line in lines {
            guard let id = line.facts?.id else { continue }
            if exchange.removed[id] != nil {
                gone.append(line)
                goneLines[id, default: []].append(Array(text(of: line)))
            } else if exchange.expected[id] != nil {
                last[id] = Array(text(of: line))
            }
        }
        guard goneLines == exchange.removed, last == exchange.expected else {
            throw FileError(
                .changedMeanwhile, "another program has changed a marker that is to be replaced",
                path: directory.path(of: RecordKind.marker.component), cure: "try again")
        }
        var contents = LockedSession.contents(bytes, without: gone)
        if let end = contents.last, end != newline { contents.append(newline) }
        return contents + exchange.added
    }
}
