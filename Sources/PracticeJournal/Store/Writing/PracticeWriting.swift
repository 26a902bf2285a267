package import RecordFormat
internal import SystemPackage
package import TraceFiles
package import TraceStore
internal import TraceText

/// Writes into practice journals.
///
/// Source: docs/spec/practice.md#writes and docs/practice.md#the-log-of-writes.
package struct PracticeWriting: JournalWriting {
    /// The wall clock; tests have one of their own.
    let now: @Sendable () -> Timestamp
    /// How long other programs may keep writing the document before a write gives up.
    private let patience: Duration

    package init(
        patience: Duration = DocumentPatience.limit,
        now: @escaping @Sendable () -> Timestamp = { Clock.now() }
    ) {
        self.now = now
        self.patience = patience
    }

    /// A write as all kinds of journal hand it on.
    package struct Operation: JournalOperation {
        package let write: any PracticeWrite
    }

    package func names(_ payload: [UInt8], recordOf id: ULID) -> Bool {
        let text = String(decoding: payload, as: UTF8.self).uppercased()
        return DerivedID.all(of: id).contains { text.contains($0) }
    }

    package func standing(_ ids: Set<ULID>, in journal: inout LockedJournal) throws -> [ULID: Standing] {
        let opened = try OpenedDocument.open(
            in: &journal, now: now(), patience: DocumentPatience(patience))
        return try PracticeStanding(of: ids, opened, in: journal.directory).found
    }

    // MARK: - Writing

    package func apply(
        _ checked: CheckedEntry, to journal: inout LockedJournal
    ) throws -> AppliedOperation {
        let write = JournalWrite(checked)
        guard let operation = checked.operation as? Operation else {
            throw FormatError(.recordInvalid, "'\(write.kind)' is not a write of a practice journal")
        }
        let patience = DocumentPatience(patience)
        while true {
            // Of a write that was noted, no attempt ends so.
            do { return try attempt(operation.write, write, to: &journal, patience) } catch let error
                as FileError
                where error.code == .changedMeanwhile
            {
                journal.state = nil
                guard try patience.awaitRest(in: journal.directory) else { throw error }
            }
        }
    }

    private func attempt(
        _ operation: any PracticeWrite, _ write: JournalWrite, to journal: inout LockedJournal,
        _ patience: DocumentPatience
    ) throws -> AppliedOperation {
        let opened = try OpenedDocument.open(in: &journal, now: now(), patience: patience)
        let log = SyncLog(journal.directory)
        var context = WriteContext(
            entry: write.id, at: write.time, document: opened.document, library: opened.library,
            zone: try ZoneFiles.rules(configured: journal.header.timeZone))
        var unread: (any Error)?
        context.linksOfRow = { row in
            do { return try log.links(ofRow: row) } catch {
                unread = error
                return [:]
            }
        }
        let (directory, namedZone) = (journal.directory, journal.header.timeZone)
        context.league = { zone in
            do { return try PracticeLeagueFiles.source(in: directory, zone: namedZone ?? zone) } catch {
                unread = error
                return nil
            }
        }
        // A table that can't be read is no reason to refuse a name.
        context.players = { (try? PracticeLeagueFiles.players(in: directory)) ?? nil }
        let outcome = Result { try self.outcome(operation, context) }
        // Without the links an edit might take the wrong record, or none; without the list of redacted players, name one.
        if let unread { throw unread }
        let change: DocumentChange
        var details: [(name: String, value: JSONText)] = []
        let made = try outcome.get()
        try setSlots(operation, write, library: opened.library, in: journal)
        var isSaid = false
        switch made {
        case .nothing(let reason): return AppliedOperation(notice: reason)
        case .log(let entry):
            var applied = try LibraryLogWriting.add(entry, library: opened.library, to: journal)
            if applied.notice == nil { applied.text = Self.said(opened, directory) { $0.text(of: entry) } }
            return applied
        case .slots(let changes):
            let isChanged = try SlotsWriting.set(
                changes, at: time(of: write), library: opened.library, in: journal)
            var applied = AppliedOperation(notice: isChanged ? nil : "the slots hold that already")
            if isChanged { applied.text = Self.said(opened, directory) { $0.text(of: changes) } }
            return applied
        case .change(let made, let links):
            change = made
            if !links.isEmpty { details = [("links", .array(links.map(\.json)))] }
            isSaid = !(operation is CanonicalisationWrite)
        case .counted(let made, let counts):
            change = made
            details = counts.map { ($0.name, DocumentNumber.json($0.count)) }
        }
        let members = try change.memberChanges(in: opened.document)
        let noted = SyncLine.Write(id: write.id, kind: write.kind.rawValue, checksum: write.checksum)
        let isChanged = try DocumentCommit(opened: opened, now: now(), patience: patience)
            .write(change, as: noted, in: &journal)
        var applied = AppliedOperation(
            changes: isChanged ? [.members(path: OpenedDocument.file.string, members)] : [],
            notice: isChanged ? nil : "nothing to change")
        // The row that stands for the others comes first: by its id people name what they wrote.
        let (rows, others) = (
            change.added.filter { $0.array == .journalEntries },
            change.added.filter { $0.array != .journalEntries }
        )
        applied.records = (rows + others).map { ($0.array.rawValue, $0.id) }
        applied.record = try change.row(in: opened.document)
        applied.details = details
        if isChanged, isSaid {
            applied.text = Self.said(opened, directory) { [change] in try $0.text(of: change)?.oneLine }
        }
        return applied
    }

    /// What is said of a write, once it is asked for: who is redacted is read then.
    private static func said(
        _ opened: OpenedDocument, _ directory: OpenDirectory,
        _ say: @escaping @Sendable (WrittenText) throws -> String?
    ) -> @Sendable () -> String? {
        {
            let words = WrittenText(
                opened.document, library: opened.library,
                redaction: PracticeLeagueFiles.redaction(in: directory))
            return (try? say(words)) ?? nil
        }
    }

    /// Before the write itself: one that is cut short is made once more, with them.
    private func setSlots(
        _ operation: any PracticeWrite, _ write: JournalWrite, library: GameLibrary,
        in journal: LockedJournal
    ) throws {
        if operation is CanonicalisationWrite {
            _ = try SlotsWriting.canonicalise(by: library, in: journal)
        }
        let remembered = operation.remembered.filter { !$0.text.trimmed.isEmpty }
        guard !remembered.isEmpty else { return }
        do {
            _ = try SlotsWriting.set(remembered, at: time(of: write), library: library, in: journal)
        } catch let error as FileError where Self.slotsFailures.contains(error.code) {
            // What can't be read is a finding, and no reason not to write down a score.
        }
    }

    /// Why slots can't be read or written, whatever else can.
    private static let slotsFailures: Set<FileError.Code> = [
        .invalidData, .permissionDenied, .fileTooLarge, .notRegularFile, .leavesSession, .notFound,
    ]

    /// A clock that is ahead must not keep later writes out of a slot.
    private func time(of write: JournalWrite) -> Double { Double(min(write.time, now()).milliseconds) }

    private func outcome(_ write: any PracticeWrite, _ context: WriteContext) throws -> PracticeOutcome {
        do { return try write.outcome(context) } catch {
            throw FormatError(.recordInvalid, error.message)
        }
    }

    // MARK: - What others save over

    package func overwritten(in directory: OpenDirectory, settleTime: Duration) throws -> [OverwrittenRecord]
    {
        let opened = try OpenedDocument.look(at: directory, now: now())
        guard case .foreign(_?) = opened.known, let identity = opened.identity,
            SessionReader(directory, settleTime: settleTime).isSettled(identity)
        else { return [] }
        let known = try opened.state(SyncLog(directory), now: now())
        return known.emptied == nil ? try known.putBack(into: opened.document).records : []
    }

    package func isWrittenByOthers(in directory: OpenDirectory) throws -> Bool {
        guard let last = try SyncLog(directory).last(),
            let contents = try directory.readFile(OpenedDocument.file, limit: OpenedDocument.limit)
        else { return false }
        return OpenedDocument.checksum(of: contents.contents) != last.line.after
    }

    package func takeUp(in journal: inout LockedJournal) throws {
        _ = try OpenedDocument.open(in: &journal, now: now())
    }

    // MARK: - Taking back

    package func steps(
        toUndo change: UndoableWrite.Change, isHalfDone: Bool, in journal: LockedJournal
    ) throws -> [UndoStep] {
        guard case .members(let path, let members) = change else { return [] }
        if path == LibraryLogWriting.file.string {
            return try LibraryLogWriting.steps(toUndo: members, in: journal)
        }
        var journal = journal
        let opened = try OpenedDocument.open(in: &journal, now: now())
        let notices = journal.putBack.isEmpty ? [] : [journal.putBack.notice]
        let undo = try MemberUndo(
            of: members, isHalfDone: isHalfDone, in: opened.document,
            at: journal.directory.path(of: OpenedDocument.file))
        guard !undo.change.isEmpty else { return [] }
        return [
            UndoStep(undo.actions) {
                var journal = journal
                let noted = SyncLine.Write(id: IDGenerator.next(), kind: "undo", checksum: nil)
                let commit = DocumentCommit(
                    opened: opened, now: now(), patience: DocumentPatience(patience))
                _ = try commit.write(undo.change, as: noted, in: &journal)
                return notices
            }
        ]
    }
}

extension DocumentChange {
    /// The row of the journal that the change is about, as it is afterwards, on one line.
    fileprivate func row(in document: PracticeDocument) throws(FormatError) -> [UInt8]? {
        if let row = added.first(where: { $0.array == .journalEntries }) ?? added.first {
            return row.json.bytes
        }
        guard let row = replaced.first(where: { $0.place.array == .journalEntries }) ?? replaced.first else {
            return nil
        }
        return JSONText.compacted(try document.text(of: row))
    }
}
