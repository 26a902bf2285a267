internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Empties a journal: every record and what is noted of games, in the document and in the library's log.
///
/// Source: docs/practice.md#emptying.
enum PracticeClearing {
    /// What goes.
    struct Counts {
        var rows = 0
        var groups = 0
        /// Those for which rows stand: scores, study events, video entries, notes.
        var records = 0
        var logEntries = 0

        init(_ document: PracticeDocument, _ log: LibraryLog?) {
            rows = document.rows.count
            groups = document.groups.count
            let arrays: [PracticeArray] = [
                .studyEvents, .videoProgressEntries, .scoreEntries, .noteEntries,
            ]
            records = arrays.reduce(0) { $0 + document.ids(of: $1).count }
            logEntries = log?.entries.count ?? 0
        }
    }

    /// What would go; nothing is locked, and nothing written.
    ///
    /// - Throws: ``FileError``; with `.invalidData` if the document or the log can't be read.
    static func counts(in directory: OpenDirectory) throws -> Counts {
        let opened = try OpenedDocument.look(at: directory, now: Clock.now())
        return Counts(opened.document, try LibraryLogWriting.read(directory)?.log)
    }

    /// - Throws: As ``DocumentCommit/write(_:as:in:)``.
    /// - Note: Durable on return. Killed in between, the journal may have lost its log and not the records, or there may be nothing to undo.
    static func clear(_ writer: JournalWriter) throws -> Counts {
        try writer.locked { journal, _ in
            let now = Clock.now()
            let opened = try OpenedDocument.open(in: &journal, now: now)
            let log = try LibraryLogWriting.read(journal.directory)
            let counts = Counts(opened.document, log?.log)
            let change = opened.document.clearing()
            let id = IDGenerator.next()
            var changes: [UndoableWrite.Change] = []
            if !change.isEmpty {
                let members = try change.memberChanges(in: opened.document)
                let noted = SyncLine.Write(id: id, kind: "clear", checksum: nil)
                if try DocumentCommit(opened: opened, now: now).write(change, as: noted, in: &journal) {
                    changes.append(.members(path: OpenedDocument.file.string, members))
                }
            }
            if let log, !log.log.entries.isEmpty, let emptied = log.log.removing(where: { _ in true }) {
                let members = log.log.spelled.map { id, text in
                    MemberChange("", id: id, member: nil, before: text, after: nil)
                }
                try journal.directory.replaceFile(
                    LibraryLogWriting.file, with: emptied, expecting: log.contents.identity)
                changes.append(.members(path: LibraryLogWriting.file.string, members))
            }
            if !changes.isEmpty { writer.note(id, .clearPractice, into: journal.id, changes) }
            return counts
        }
    }
}

extension UndoableWrite.Operation {
    fileprivate static let clearPractice = Self(rawValue: "practice clear")
}

extension PracticeDocument {
    /// Takes away every record, and what is noted of games.
    fileprivate func clearing() -> DocumentChange {
        var change = DocumentChange()
        for array in PracticeArray.allCases {
            change.removed += ids(of: array).indices.map { DocumentChange.Place(array, $0) }
        }
        let maps: [(PracticeMap, [String])] = [
            (.rulesheetResumeOffsets, resumeOffsets.map(\.game)), (.videoResumeHints, videoHints.map(\.game)),
            (.gameSummaryNotes, gameNotes.map(\.game)),
        ]
        for (map, games) in maps {
            var seen: Set<String> = []
            change.members += games.filter { seen.insert($0).inserted }.map { .map(map, $0, nil) }
        }
        if settings.selectedGroup != nil { change.members.append(.selectedGroup(nil)) }
        change.members += forgettingLeagueImport
        return change
    }
}
