internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Reads the name of a kind of journal.
func journalKind(_ text: String) throws -> JournalKind {
    let kinds = Journals.all.formats.map(\.layout.kind)
    if let kind = kinds.first(where: { $0.name == text }) { return kind }
    let words = kinds.map { "'\($0.name)'" }.joined(separator: ", ")
    throw ValidationError("'\(text)' is not one of \(words)")
}

extension CompletionKind {
    /// The names of the kinds of journal.
    static var journalKinds: CompletionKind { .list(Journals.all.formats.map(\.layout.kind.name)) }
}

extension CommandContext {
    /// What `body` makes of an index that is up to date, and of the journal that is named; nothing for the only one.
    ///
    /// - Throws: ``LibraryError`` for a name that is not one journal's; what `body` throws.
    func journal<Answer>(
        _ name: String?, _ body: (JournalIndex, IndexedJournal) throws -> Answer
    ) throws -> (Answer, FreshIndex) {
        // One that lies outside the roots is known by its path alone.
        if let name, let path = pathOfJournal(name), roots.root(of: path) == nil {
            let fresh = FreshIndex(library, session: path)
            let answer = try fresh.answer { index in
                guard let known = try index.journals(.session(path)).first else {
                    throw IndexError(.stale, "the journal no longer exists", path: path)
                }
                return try body(index, known)
            }
            return (answer, fresh)
        }
        let fresh = FreshIndex(library, session: nil, mayLeaveOut: false)
        let answer = try fresh.answer { index in
            let known = try index.journals(fresh.scope)
            return try body(index, try JournalName(name).find(in: known, from: workingDirectory))
        }
        return (answer, fresh)
    }

    /// The journal at a path that was typed; nil if there is none.
    private func pathOfJournal(_ text: String) -> FilePath? {
        let path = absolute(FilePath(argument: text))
        return (try? Journals.all.isJournal(path)) == true ? path : nil
    }

    /// The directory or file of a journal other than a session; nil if a session is meant, or nothing is named.
    ///
    /// - Parameter argument: A path or a name; nil for that of `--session` or `TRACE_SESSION`.
    /// - Throws: ``LibraryError`` with `.journalAmbiguous`, which names those that are meant.
    func otherJournal(_ argument: String?) throws -> FilePath? {
        guard let text = typedSession(argument) else { return nil }
        if let path = pathOfJournal(text) {
            return (try? Journals.all.isOtherJournal(path)) == true ? path : nil
        }
        // A session has the name before other journals do, and so have several sessions.
        do {
            _ = try target(argument)
            return nil
        } catch let error as StoreError where error.code == .noSuchSession {
            guard let known = try journal(named: text), known.kind != .session else { return nil }
            return known.path
        } catch {
            return nil
        }
    }

    /// The directory of a session, or the directory or file of a journal of another kind, that a command only reads.
    ///
    /// - Parameter argument: As for ``session(_:)``; other journals also by their names.
    /// - Throws: As ``session(_:)``; ``LibraryError`` with `.journalAmbiguous`, which names those that are meant.
    func readJournal(_ argument: String?) throws -> FilePath {
        if let argument, let path = pathOfJournal(argument) { return path }
        do { return try session(argument) } catch let error as StoreError where error.code == .noSuchSession {
            guard let text = typedSession(argument), let known = try journal(named: text) else { throw error }
            return known.path
        }
    }

    /// The id of the session or other journal that is named, which need not be here if the name is a whole id.
    ///
    /// - Parameter argument: As for ``sessionID(_:)``; other journals also by their paths and names.
    /// - Throws: As ``sessionID(_:)``; ``LibraryError`` with `.journalAmbiguous`, or with `.noSessionID` for a journal without an id.
    func journalID(_ argument: String) throws -> ULID {
        do { return try sessionID(argument) } catch let error as StoreError where error.code == .noSuchSession
        {
            guard let known = try journal(named: argument) else { throw error }
            guard let id = known.id.flatMap({ ULID($0) }) else {
                throw LibraryError(.noSessionID, "\(known.path.escaped): the journal has no valid id")
            }
            return id
        }
    }

    /// The journal of a name; nil if there is none.
    private func journal(named text: String) throws -> IndexedJournal? {
        // The beginning of every id.
        guard !text.isEmpty else { return nil }
        do { return try journal(text) { $1 }.0 } catch let error as LibraryError
            where error.code == .noSuchJournal
        {
            return nil
        }
    }
}
