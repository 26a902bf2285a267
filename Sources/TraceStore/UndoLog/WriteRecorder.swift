internal import Glibc
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat

/// Records the changes of one write.
final class WriteRecorder {
    private let operation: UndoableWrite.Operation
    private let session: FilePath
    private let command: ULID?
    private var sessionID: ULID?
    private var changes: [UndoableWrite.Change] = []
    /// The file whose markers are imported.
    var source: ImportedFile?

    /// - Parameter id: The session's, as far as it is known before `session.json` is updated.
    init(_ operation: UndoableWrite.Operation, session: FilePath, id: ULID?, command: ULID?) {
        self.operation = operation
        self.session = session
        self.command = command
        sessionID = id
    }

    func add(_ change: UndoableWrite.Change) { changes.append(change) }

    /// Adds a change that was done before those that are known.
    func addFirst(_ change: UndoableWrite.Change) { changes.insert(change, at: 0) }

    /// - Parameter id: The record's; of a line without one nothing can be taken back.
    func noteAppended(_ line: [UInt8], _ id: ULID?, to kind: RecordKind) {
        guard let id else { return }
        add(.appended(kind, id, NotedLine(line)))
    }

    func noteHeader(
        _ keys: [String], _ before: JSONObjectEditor, _ after: JSONObjectEditor
    ) throws(FormatError) {
        sessionID = try after.text(of: "id").flatMap {
            ULID(String(decoding: $0.dropFirst().dropLast(), as: UTF8.self))
        }
        for key in keys {
            let old = try before.text(of: key).map { Array($0) }
            let new = try after.text(of: key).map { Array($0) }
            if old != new { add(.header(key, before: old, after: new)) }
        }
    }

    /// What is known so far is to be noted before the next step, which takes something away.
    func takeWrite() -> UndoableWrite? {
        defer { changes = [] }
        return write
    }

    /// What was done, or nil if nothing was.
    var write: UndoableWrite? {
        guard !changes.isEmpty else { return nil }
        return UndoableWrite(
            id: IDGenerator.next(), time: Clock.now(), user: UInt32(geteuid()), operation: operation,
            sessionID: sessionID,
            session: String(validating: session.bytes, as: UTF8.self) == nil ? nil : session,
            command: command, source: source, changes: changes)
    }
}
