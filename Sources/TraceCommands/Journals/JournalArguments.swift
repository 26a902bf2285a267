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
        _ name: String?, _ body: (SessionIndex, IndexedJournal) throws -> Answer
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
        let fresh = FreshIndex(library, session: nil)
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
    func otherJournal(_ argument: String?) -> FilePath? {
        guard let text = typedSession(argument) else { return nil }
        if let path = pathOfJournal(text) {
            return (try? Journals.all.isOtherJournal(path)) == true ? path : nil
        }
        // A session has the name before other journals do.
        guard (try? target(argument)) == nil else { return nil }
        let found = try? journal(text) { _, known in known.kind == .session ? nil : known.path }
        return found?.0
    }

    /// The directory of a session, or the directory or file of a journal of another kind, that a command only reads.
    ///
    /// - Parameter argument: As for ``session(_:)``; other journals also by their names.
    func readJournal(_ argument: String?) throws -> FilePath {
        if let argument, let path = pathOfJournal(argument) { return path }
        do { return try session(argument) } catch let error as FileError where error.code == .noSuchSession {
            guard let argument, let found = try? journal(argument, { $1.path }).0 else { throw error }
            return found
        }
    }
}
