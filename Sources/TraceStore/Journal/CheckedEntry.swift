package import RecordFormat
internal import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceText

/// An entry of which all has been checked that can be known without its journal: only such a one is written, or put into the queue.
///
/// Source: docs/decisions/0048-an-operation-is-declared.md.
package struct CheckedEntry: Sendable {
    package internal(set) var entry: SpoolEntry
    /// What it comes to in a journal of its kind; nil of an entry for a session.
    package let operation: (any JournalOperation)?
    /// What it changes in its session; nil of one that brings a record, or is for another kind of journal.
    let change: SessionChange?
    /// Whether its write always leaves records, by which it is seen later whether they are still there.
    let makesRecords: Bool

    /// An entry made of arguments, of which nothing is parsed.
    ///
    /// - Parameters:
    ///   - kind: The kind of journal whose operation it is.
    ///   - device: Who makes it.
    /// - Throws: ``ArgumentProblem`` if the write can't be made, whatever is in the journal.
    package init(
        _ operation: Operation, _ arguments: Arguments, of kind: JournalKind, id: ULID, journalID: ULID,
        createdAt: Timestamp, device: String? = nil
    ) throws(ArgumentProblem) {
        self.operation = try operation.write(arguments)
        change = nil
        makesRecords = operation.makesRecords
        entry = SpoolEntry(
            id: id, kind: EntryOperation(operation, of: kind), journalID: journalID,
            createdAt: createdAt, device: device, payload: arguments.json(operation.parameters))
    }

    /// An entry that was made of parts, whose payload is read as a drain would read it.
    ///
    /// - Throws: As ``init(read:by:)``.
    init(made entry: SpoolEntry, by formats: JournalRegistry) throws {
        var entry = entry
        try entry.check()
        try self.init(read: entry, by: formats)
    }

    /// An entry as ``SpoolEntry/init(parsing:named:)`` has read it. The payload of one for another kind of journal than the session is
    /// parsed, once and for all.
    ///
    /// - Parameter formats: The kinds of journal that there are.
    /// - Throws: ``FormatError`` with `.recordInvalid` if there is no such operation, if it lacks something, if no record can have what a
    ///   change sets, or no session its audio where it says.
    package init(read entry: SpoolEntry, by formats: JournalRegistry) throws {
        self.entry = entry
        if entry.kind.isChange {
            let change = try SessionChange(
                entry.payload, of: entry.kind, for: entry.journalID, madeAt: entry.createdAt)
            try change.checkValues()
            self.change = change
            operation = nil
            makesRecords = false
            return
        }
        change = nil
        guard entry.kind.recordKind == nil else {
            operation = nil
            makesRecords = true
            guard let path = entry.mediaPath else { return }
            do { _ = try formats.audioPath(path) } catch let error as FileError {
                throw FormatError(.recordInvalid, error.message, cure: error.cure)
            }
            return
        }
        let declared = try formats.operation(of: entry.kind)
        let read = try JSONParser().withParsed(entry.payload) { payload in
            Result { () throws(ArgumentProblem) in
                try declared.write(Arguments(payload, as: declared.parameters, .lenient))
            }
        }
        do throws(ArgumentProblem) { operation = try read.get() } catch { throw FormatError(error) }
        makesRecords = declared.makesRecords
    }
}

extension JournalRegistry {
    /// Checks what can be known of an entry without its journal.
    ///
    /// - Throws: As ``CheckedEntry/init(read:by:)``.
    package func check(_ entry: SpoolEntry) throws { _ = try CheckedEntry(read: entry, by: self) }

    /// What an entry for another kind of journal than the session asks for.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if no journal that is written takes such.
    func operation(of kind: EntryOperation) throws(FormatError) -> Operation {
        let cure: Cure
        if let journal = kind.journal, let format = self[journal], format.writing != nil {
            let surface = format.surface
            if let found = surface.operation(named: kind.name) { return found }
            if let act = surface.acts.first(where: { $0.name == kind.name }) {
                throw act.refusal(of: kind, in: journal)
            }
            let known = surface.operations.map { EntryOperation($0, of: journal).rawValue }
            cure = "write one of \(known.joined(separator: ", "))"
        } else {
            let kinds = formats.filter { $0.writing != nil }.map { "\($0.layout.kind)." }
            cure = "write one that begins with \(kinds.joined(separator: ", "))"
        }
        throw FormatError(.recordInvalid, "kind '\(kind)' is malformed", cure: cure)
    }

    /// The path to which audio is written that a record of somebody else's is to name so.
    ///
    /// - Parameter session: The session's directory, for the message.
    /// - Throws: ``FileError`` with `.invalidData`, as ``MediaPath/forWriting(_:in:)``, also for a name by which the directory would be a
    ///   journal.
    func audioPath(_ path: String, in session: FilePath? = nil) throws -> FilePath {
        let file = try MediaPath.forWriting(path, in: session)
        guard file.lastComponent.map(makesJournal) != true else {
            throw FileError(
                .invalidData, "media path '\(path)' has a name that only a journal's file has", path: session,
                cure: "use another name")
        }
        return file
    }
}

extension SessionChange {
    /// Checks that a record can have the values that are to be set, whatever it has now.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid`.
    fileprivate func checkValues() throws {
        guard case .edit(let kind, _, let wishes) = action else { return }
        var example = try JSONObjectEditor(Array(kind.example.utf8))
        try example.set(wishes)
        do { try RecordCheck.require(example.bytes, toBe: kind) } catch let error as FileError {
            throw FormatError(.recordInvalid, "payload: \(error.message)", cure: error.cure)
        }
    }
}
