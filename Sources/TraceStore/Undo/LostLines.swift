package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat
internal import TraceText

/// Looks for lines that this product's commands wrote and verified, and that another program has overwritten since: one
/// that seeks to the end of the file and writes there, without O_APPEND, may write over a line that came in between; or one
/// that puts an older copy of the file in place.
///
/// A journal knows what was written. What a user took out, by `trace marker remove` or an undo, is not missing, nor is a record
/// that is with other values.
package struct LostLines {
    private let logs: [UndoLog]
    private let state: FilePath
    private let settleTime: Duration
    private let largestFile: Int64
    private let locate: (ULID) -> [FilePath]

    /// A missing line.
    package struct Line: Sendable, Equatable {
        package var kind: RecordKind
        package var id: ULID
        /// The line, without its newline.
        package var text: [UInt8]
        /// What wrote it, and when.
        package var operation: UndoableWrite.Operation
        package var written: Timestamp
        package var sessionID: ULID
        /// The session's directory, as it was found now.
        package var session: FilePath

        package var subject: WrittenSubject.Record { WrittenSubject.Record(kind, id, text) }
    }

    /// - Parameters:
    ///   - state: The state directory, where the ledger says which records were removed.
    ///   - settleTime: How long a file must have rested before what it lacks counts as gone.
    ///   - largestFile: Files with more bytes are skipped.
    ///   - locate: The directories of the sessions that have an id, for a session that has been moved.
    package init(
        _ logs: [UndoLog], state: FilePath, settleTime: Duration = .zero,
        largestFile: Int64 = .max, locate: @escaping (ULID) -> [FilePath]
    ) {
        self.logs = logs
        self.state = state
        self.settleTime = settleTime
        self.largestFile = largestFile
        self.locate = locate
    }

    /// The expected line of a record, by the journal.
    private struct Expected {
        /// Nil if the journal does not have the text.
        var line: [UInt8]?
        /// The lines of the record that came before it.
        var older: [[UInt8]] = []
        var write: UndoableWrite
    }

    /// Beyond so many lines that were written at once, they are not looked for one by one.
    private static let largestGroup = 10_000

    /// The lines that are gone, session by session.
    ///
    /// A session that is not available, or can't be read, is skipped.
    ///
    /// - Parameter sessionID: Looks at this session only; nil for all.
    /// - Throws: ``FileError`` if a journal or the ledger can't be read.
    /// - Complexity: O(size of the logs and of the files in which they name a line).
    package func find(in sessionID: ULID? = nil) throws -> [Line] {
        var isAtRest = true
        return try find(in: sessionID, isAtRest: &isAtRest)
    }

    /// As ``find(in:)``.
    ///
    /// - Parameter isAtRest: Becomes false if a file has not rested for the settle time yet: what it lacks is not among the lines.
    package func find(in sessionID: ULID?, isAtRest: inout Bool) throws -> [Line] {
        var lines: [Line] = []
        var removed: LedgerContents?
        for (id, expected) in try expectations(sessionID).sorted(by: { $0.key < $1.key }) {
            guard let path = path(of: id, expected) else { continue }
            for line in (try? missing(id, at: path, expected, &isAtRest)) ?? [] {
                let ledger =
                    try removed ?? OpenDirectory.ifPresent(state).map { try LedgerContents(in: $0) } ?? .empty
                removed = ledger
                if !ledger.isRemoved(line.id) { lines.append(line) }
            }
        }
        return lines
    }

    /// The sessions of which the logs know a line: their ids, and the directories of those that could not tell theirs when something was
    /// written into them.
    ///
    /// - Throws: ``FileError``.
    package func sessions() throws -> (ids: Set<ULID>, paths: Set<FilePath>) {
        let writes = try logs.flatMap { try $0.writes() }.map(\.write)
        return (
            Set(try expectations(nil).keys), Set(writes.filter { $0.sessionID == nil }.compactMap(\.session))
        )
    }

    /// The logs' files as they are now; while these are the same, so is what they know.
    package var logState: [FileIdentity] { logs.compactMap(\.identity) }

    private typealias Expectations = [RecordKind: [ULID: Expected]]

    /// What each session is to hold, by what was written and has not been taken back.
    private func expectations(_ wanted: ULID?) throws -> [ULID: Expectations] {
        var sessions: [ULID: Expectations] = [:]
        for log in logs {
            let writes = try log.writes()
            var ids = KnownIDs(writes.map(\.write))
            for entry in writes.reversed() where !entry.isHalfUndone {
                guard let id = ids.session(of: entry.write), wanted == nil || id == wanted else { continue }
                for change in entry.write.changes {
                    Self.apply(change, of: entry.write, log, to: &sessions[id, default: [:]])
                }
            }
        }
        return sessions
    }

    private static func apply(
        _ change: UndoableWrite.Change, of write: UndoableWrite, _ log: UndoLog,
        to session: inout Expectations
    ) {
        func expect(_ kind: RecordKind, _ id: ULID, _ line: [UInt8]?) {
            let last = session[kind]?[id]
            let older = (last?.older ?? []) + (last?.line.map { [$0] } ?? [])
            session[kind, default: [:]][id] = Expected(line: line, older: older, write: write)
        }
        switch change {
        // The order of the timeline is not ours alone to restore.
        case .appended(let kind, let id, let line) where kind == .marker || kind == .voiceNote:
            expect(kind, id, line.text)
        case .appendedTogether(let kind, let count, let place) where count <= largestGroup:
            guard let kept = try? log.kept(place), let file = try? RecordLines(kept, kind: kind) else {
                return
            }
            for line in file.lines {
                if let id = line.facts?.id { expect(kind, id, Array(file.text(of: line))) }
            }
        case .removed(let kind, let id, _): session[kind]?[id] = nil
        case .removedTogether(let kind, _, let place):
            guard session[kind] != nil, let kept = try? log.kept(place),
                let file = try? RecordLines(kept, kind: kind)
            else { return }
            for line in file.lines { if let id = line.facts?.id { session[kind]?[id] = nil } }
        default: break
        }
    }

    /// The session of a write, where its `session.json` could not be read then: by the directory, where another write or the session itself
    /// tells the id.
    private struct KnownIDs {
        private var ids: [FilePath: ULID?] = [:]

        init(_ writes: [UndoableWrite]) {
            for write in writes.reversed() {
                if let path = write.session, let id = write.sessionID { ids[path] = id }
            }
        }

        mutating func session(of write: UndoableWrite) -> ULID? {
            if let id = write.sessionID { return id }
            guard let path = write.session else { return nil }
            if let known = ids[path] { return known }
            let id = (try? SessionCandidate(reading: path))?.session.id
            ids[path] = .some(id)
            return id
        }
    }

    private func path(of id: ULID, _ expected: Expectations) -> FilePath? {
        let writes = expected.values.flatMap(\.values).map(\.write)
        let path = writes.max { $0.time < $1.time }?.session
        if let path, Self.isSession(id, at: path) { return path }
        guard !writes.isEmpty else { return nil }
        let paths = locate(id)
        return paths.count == 1 ? paths.first : nil
    }

    /// Whether a session is where something was written into it: its `session.json` says so, or can't say anything, being empty as long as a
    /// sync tool has put nothing into it.
    private static func isSession(_ id: ULID, at path: FilePath) -> Bool {
        if let found = try? SessionCandidate(reading: path).session.id { return found == id }
        guard let directory = try? OpenDirectory(path) else { return false }
        return (try? directory.statusIfPresent(of: RecordKind.session.component, followingLinks: true)) != nil
    }

    /// What the session lacks.
    private func missing(
        _ id: ULID, at path: FilePath, _ expected: Expectations, _ isAtRest: inout Bool
    ) throws -> [Line] {
        let session = try SessionReader(path, settleTime: settleTime)
        var missing: [Line] = []
        for (kind, records) in expected.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            // A file that can't be read does not lack anything; one that is gone lacks all.
            let file = try session.directory.openRegularFile(kind.component)
            if let file {
                if file.identity.size > largestFile { continue }
                guard session.isSettled(file.identity) else {
                    isAtRest = false
                    continue
                }
            }
            let existing = try session.lines(of: Set(records.keys), in: kind)
            for (record, expected) in records.sorted(by: { $0.key < $1.key }) {
                guard let line = expected.line, Self.isMissing(expected, existing[record] ?? []) else {
                    continue
                }
                missing.append(
                    Line(
                        kind: kind, id: record, text: line, operation: expected.write.operation,
                        written: expected.write.time, sessionID: id, session: path))
            }
        }
        return missing
    }

    /// No line of the record is there, or only such as it replaced.
    private static func isMissing(_ expected: Expected, _ existing: [[UInt8]]) -> Bool {
        guard let last = existing.last else { return true }
        return expected.older.contains(last) && !existing.contains { $0 == expected.line }
    }

    // MARK: - What a person decides

    /// Appends lines that are gone to their files again.
    ///
    /// - Returns: Those that were appended, and what a person should know. What stands now is skipped.
    /// - Throws: ``FileError``; what was put back before stands.
    /// - Note: Durable on return, and may be repeated. Not noted in the journal: an undo of the write takes back the line
    ///   as if it had never been gone.
    package func putBack(
        _ lines: [Line], runtimeDirectory: FilePath? = nil, failPoint: FailPoint? = nil
    ) throws -> (lines: [Line], notices: [String]) {
        var done: [Line] = []
        var notices: [String] = []
        for id in Set(lines.map(\.sessionID)).sorted() {
            guard let path = lines.first(where: { $0.sessionID == id })?.session else { continue }
            var writer = SessionWriter(path, runtimeDirectory: runtimeDirectory)
            writer.failPoint = failPoint
            try writer.locked { session in
                guard let found = try? SessionReader(session.directory).readableHeader().session.id else {
                    notices.append(
                        "\(path.escaped): session.json can't be read; repair it, then run 'trace restore' again"
                    )
                    return
                }
                guard found == id else {
                    throw StoreError(
                        .noSuchSession, "another session is there now", path: path, cure: "try again")
                }
                for kind in [RecordKind.marker, .voiceNote] {
                    let wanted = Set(lines.filter { $0.sessionID == id && $0.kind == kind }.map(\.id))
                    guard !wanted.isEmpty else { continue }
                    // Whole but unfinished counts as standing.
                    try session.finishLastLine(of: kind) { $0.map(wanted.contains) ?? false }
                    let missing = try find(in: id).filter { $0.kind == kind && wanted.contains($0.id) }
                    guard !missing.isEmpty else { continue }
                    notices += try session.append(
                        together: missing.flatMap { $0.text + [newline] }, count: missing.count, to: kind)
                    done += missing
                    try session.touch(after: "the lines were restored") { editor in
                        if kind == .voiceNote {
                            try editor.set("voice_notes_path", to: JSONText(kind.fileName))
                        }
                    }
                }
            }
        }
        return (done, notices)
    }

    /// Notes that the records of these lines are to stay away: they are not missing any more, and no entry of the queue
    /// brings them back.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    package func forget(_ lines: [Line], _ queue: QueueDirectories, runtimeDirectory: FilePath? = nil) throws
    {
        try queue.locked(runtimeDirectory: runtimeDirectory, failPoint: nil) { lock in
            let ledger = try Ledger(in: lock)
            try ledger.addRemoved(lines.map(\.id), at: Clock.now())
        }
    }
}
