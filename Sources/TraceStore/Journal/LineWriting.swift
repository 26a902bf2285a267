package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// A write that adds one line to a file of its journal.
package struct LineWrite: JournalOperation {
    fileprivate let schema: RecordSchema
    fileprivate let fill: @Sendable (JournalWrite, inout JSONObjectText) -> Void

    /// - Parameters:
    ///   - schema: Of the file.
    ///   - fill: Adds the members of the record behind its id, which is that of the write.
    package init(
        to schema: RecordSchema, _ fill: @escaping @Sendable (JournalWrite, inout JSONObjectText) -> Void
    ) {
        self.schema = schema
        self.fill = fill
    }
}

/// Writes into journals of a kind whose files hold lines and whose header is a file of ours: each write adds one line (``LineWrite``), is
/// taken back by removing it, and done again by adding it once more.
package struct LineWriting: JournalWriting {
    private let kind: JournalKind
    private let schemas: [RecordSchema]

    /// - Parameter schemas: Of the files.
    package init(_ kind: JournalKind, _ schemas: RecordSchema...) {
        self.kind = kind
        self.schemas = schemas
    }

    package func text(of header: JournalCreation.Header) -> [UInt8] { header.text(of: kind) }

    // MARK: - What is there

    /// The ids in the files, as those were.
    private struct Known: Sendable {
        var files: [String: (identity: FileIdentity, ids: Set<ULID>)] = [:]
    }

    package func standing(_ ids: Set<ULID>, in journal: inout LockedJournal) throws -> [ULID: Standing] {
        var found: [ULID: Standing] = [:]
        for schema in schemas {
            if let known = try known(schema, in: journal), known.isDisjoint(with: ids) { continue }
            let read = try JournalLines(schema, in: journal.directory, finishing: true)
            for (id, index) in read.lastLines where ids.contains(id) {
                found[id] = Standing(isThere: true, record: read.text(of: index))
            }
            guard let file = read.file else { continue }
            var known = journal.state as? Known ?? Known()
            known.files[schema.fileName] = (file.identity, Set(read.lines.map(\.id)))
            journal.state = known
        }
        return found
    }

    /// The ids in a file that was read before; nil if that has changed since.
    private func known(_ schema: RecordSchema, in journal: LockedJournal) throws -> Set<ULID>? {
        guard let known = (journal.state as? Known)?.files[schema.fileName],
            let name = FilePath.Component(schema.fileName),
            try journal.directory.statusIfPresent(of: name, followingLinks: true)?.identity == known.identity
        else { return nil }
        return known.ids
    }

    // MARK: - Writing

    package func apply(
        _ checked: CheckedEntry, to journal: inout LockedJournal
    ) throws -> AppliedOperation {
        let write = JournalWrite(checked)
        let (schema, record) = try line(of: checked)
        guard let name = FilePath.Component(schema.fileName) else { throw notOurs(write.kind) }
        do { try RecordCheck.require(record, as: schema) } catch let error as FileError {
            throw FormatError(.recordInvalid, error.message, cure: error.cure)
        }
        let appended = try journal.lock.appendLine(
            record, to: name, isWholeRecord: RecordCheck.isObject,
            isOurs: { $0.elementsEqual(record) || RecordCheck.id(of: Array($0)) == write.id })
        keepKnown(schema, after: appended, of: write.id, in: &journal)
        var applied = AppliedOperation(changes: [Self.change(adding: record, of: write.id, to: schema)])
        applied.record = record
        applied.records = [(name.stem, "\(write.id)")]
        return applied
    }

    /// The line that an entry comes to: always the same one.
    private func line(of checked: CheckedEntry) throws(FormatError) -> (schema: RecordSchema, record: [UInt8])
    {
        let write = JournalWrite(checked)
        guard let operation = checked.operation as? LineWrite else { throw notOurs(write.kind) }
        let record = JSONText.object { object in
            object.member("id", JSONText(write.id))
            operation.fill(write, &object)
        }.bytes
        return (operation.schema, record)
    }

    private func notOurs(_ operation: EntryOperation) -> FormatError {
        FormatError(.recordInvalid, "'\(operation)' is not a write of a \(kind) journal")
    }

    private static func change(
        adding record: [UInt8], of id: ULID, to schema: RecordSchema
    ) -> UndoableWrite.Change {
        .members(
            path: schema.fileName,
            [MemberChange("", id: "\(id)", member: nil, before: nil, after: record)])
    }

    /// Adds an id to those that are known, if nothing else has come into the file.
    private func keepKnown(
        _ schema: RecordSchema, after appended: AppendedLine, of id: ULID, in journal: inout LockedJournal
    ) {
        guard var known = journal.state as? Known, let old = known.files[schema.fileName]?.identity else {
            return
        }
        // The only reference to the ids, so that they are not copied for one more.
        journal.state = nil
        let isNext =
            appended.identity.isSameFile(as: old) && appended.offset == old.size
            && appended.identity.size == appended.offset + Int64(appended.length)
        if isNext {
            known.files[schema.fileName]?.ids.insert(id)
            known.files[schema.fileName]?.identity = appended.identity
        } else {
            known.files[schema.fileName] = nil
        }
        journal.state = known
    }

    // MARK: - Taking back

    package func changes(by entry: CheckedEntry) throws -> [UndoableWrite.Change]? {
        let (schema, record) = try line(of: entry)
        return [Self.change(adding: record, of: entry.entry.id, to: schema)]
    }

    package func steps(
        toUndo change: UndoableWrite.Change, isHalfDone: Bool, in journal: LockedJournal
    ) throws -> [UndoStep] {
        guard case .members(let path, let members) = change,
            let schema = schemas.first(where: { $0.fileName == path }),
            let name = FilePath.Component(path)
        else { return [] }
        let directory = journal.directory
        let read = try JournalLines(schema, in: directory, finishing: true)
        let last = read.lastLines
        /// Whether a line is there as it was written.
        func isThere(_ member: MemberChange, as written: [UInt8]) throws -> Bool {
            guard let index = ULID(member.id).flatMap({ last[$0] }) else { return false }
            guard JSONText.isEquivalent(read.text(of: index), written) else {
                throw StoreError(
                    .unsafeToUndo, "record \(member.id) has been edited since",
                    path: directory.path(of: name),
                    cure: ["make the change by hand", "\(verb: "undo --skip") skips this write"])
            }
            return true
        }
        var removed: [Range<Int>] = []
        var added: [(id: String, line: [UInt8])] = []
        // One that is gone has been taken back already, and one that is there put back.
        for member in members {
            if let written = member.after, try isThere(member, as: written) {
                ULID(member.id).flatMap { last[$0] }.map { removed.append(read.lines[$0].range) }
            } else if member.after == nil, let written = member.before, try !isThere(member, as: written) {
                added.append((member.id, written))
            }
        }
        var steps: [UndoStep] = []
        if !removed.isEmpty, let file = read.file {
            var rest = file.contents
            for range in removed.sorted(by: { $0.lowerBound > $1.lowerBound }) { rest.removeSubrange(range) }
            steps.append(
                UndoStep(.remove, "\(counted(removed.count, "line")) from \(path)") { [rest] in
                    try directory.replaceFile(name, with: rest, expecting: file.identity)
                    return []
                })
        }
        if !added.isEmpty {
            steps.append(
                UndoStep(.restore, "\(counted(added.count, "line")) in \(path)") { [added] in
                    for (id, line) in added {
                        _ = try journal.lock.appendLine(
                            line, to: name, isWholeRecord: RecordCheck.isObject,
                            isOurs: { $0.elementsEqual(line) || RecordCheck.id(of: Array($0)) == ULID(id) })
                    }
                    return []
                })
        }
        return steps
    }
}
