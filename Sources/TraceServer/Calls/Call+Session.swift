internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// The session that a request is about.
struct CalledSession: Sendable {
    let path: FilePath
    /// What the index knows of it, which was compared with its files for this request.
    let known: IndexedSession
    let handle: String
    let index: JournalIndex
    /// Its files as they were when the index was found to be right about them; nil if one of them changed so short a time ago that a
    /// later change might leave the same identity.
    let state: JournalState?
    /// What `session.json` says of media, read when it is asked for.
    let media: CalledMedia

    /// A session that the index knows.
    ///
    /// - Throws: ``IndexError``.
    init(
        _ known: IndexedSession, _ handles: SessionHandles, _ index: JournalIndex, state: JournalState? = nil
    ) throws {
        path = known.path
        self.known = known
        handle = try handles.handle(of: known.path, known.id)
        self.index = index
        self.state = state
        media = CalledMedia()
    }

    /// It, for something that is to be written into it.
    ///
    /// - Throws: ``FileError``, also if `session.json` can't be read; ``Problem`` with 404 if another session is in its place now.
    func target() throws -> SessionTarget {
        let target = try SessionTarget(requiring: path)
        guard target.session.id == known.id else { throw Problem.noSession }
        return target
    }
}

extension Call {
    /// The session that `{s}` names. What the client may not see is not there.
    ///
    /// The files of the session are compared with the index, and read where they differ: a few `stat` if they don't. Only a name that
    /// is not found, or that depends on all sessions, has all of them compared.
    ///
    /// - Throws: ``Problem`` with 404 or 409; ``IndexError``, ``FileError``.
    func session() throws -> CalledSession {
        if let found { return found }
        return try session(named: text("s"))
    }

    /// As ``session()``, for a name that is somewhere else in the request.
    func session(named name: String) throws -> CalledSession {
        let session = try lookUp(name)
        touched.note(session.path)
        return session
    }

    private func lookUp(_ name: String) throws -> CalledSession {
        let isOneOfAll = name == "last" || (ULID(name.uppercased()) == nil && !name.hasPrefix("~"))
        let filter = visitor.token?.filter
        if !isOneOfAll,
            let known = context.sessions.recall(
                named: name, for: filter, try context.index(), settleTime: context.settings.settleTime)
        {
            return known
        }
        let library = try context.library()
        let index = try library.openIndex()
        let handles = handles(index)
        if isOneOfAll { _ = try library.bringUpToDate(index) { _ in } }
        let before = index.fileState()
        if let found = try look(for: name, handles, library, index) {
            if !isOneOfAll, found.state != nil, let before {
                context.sessions.keep(found, named: name, for: filter, index: before)
            }
            return found
        }
        guard !isOneOfAll else { throw Problem.noSession }
        // It may be too new for the index.
        _ = try library.bringUpToDate(index) { _ in }
        guard let found = try look(for: name, handles, library, index) else { throw Problem.noSession }
        return found
    }

    /// - Returns: Nil if none has that name, or none any more once its files are compared.
    private func look(
        for name: String, _ handles: SessionHandles, _ library: JournalLibrary, _ index: JournalIndex
    ) throws -> CalledSession? {
        var found = try handles.sessions(named: name)
        if found.count > 1 {
            // A session that was moved is at both places until its files have been compared.
            for session in found { _ = try compare(session.path, library, index) }
            found = try handles.sessions(named: name)
        }
        guard found.count <= 1 else {
            let names = try found.prefix(10).map { try handles.handle(of: $0.path, $0.id) }
            throw Problem(
                .conflict, "ambiguous-session", "'\(name)' matches \(found.count) sessions",
                cure: "use one of these handles: \(names.joined(separator: ", "))")
        }
        guard let session = found.first else { return nil }
        var (change, state) = try compare(session.path, library, index)
        if change.outcome != .unchanged, change.outcome != .removed {
            // It may have got another id or another title.
            guard try handles.sessions(named: name).contains(where: { $0.path == session.path }) else {
                return nil
            }
            // Once more, to know that what has been read now was all.
            (change, state) = try compare(session.path, library, index)
        }
        guard change.outcome != .removed, let known = try index.session(at: session.path) else { return nil }
        return try CalledSession(known, handles, index, state: state)
    }

    /// Compares the files of a session with the index.
    ///
    /// Of a long file that has grown, the beginning and the end of what is known are compared, as the daemon does after an event: all of
    /// it is compared once it has come to rest (docs/index.md), and whatever is shown of it comes out of the file.
    private func compare(
        _ path: FilePath, _ library: JournalLibrary, _ index: JournalIndex
    ) throws -> (JournalReconciliation, JournalState?) {
        // Before the comparison: what changes later differs from it.
        let snapshot = try index.formats.snapshot(at: path, settleTime: library.settleTime)
        let change = try index.reconcile(
            journal: path, in: context.roots.root(of: path), settleTime: library.settleTime,
            verification: .quick)
        let isCertain = change.outcome == .unchanged && change.isSettled
        return (change, isCertain ? snapshot.map { JournalState($0) } : nil)
    }

    /// The names of the sessions that this client may see.
    func handles(_ index: JournalIndex) -> SessionHandles {
        SessionHandles(index, within: visitor.sessions(of: context.roots))
    }

    /// How answers name sessions for this client.
    ///
    /// - Parameter sessions: Those that the answer is about, as far as they are known: their handles are looked up in one question.
    func form(_ index: JournalIndex, for sessions: [IndexedSession] = []) -> AnswerForm {
        let handles = handles(index)
        let name = try? handles.naming(sessions.compactMap(\.id))
        return AnswerForm(
            showsPaths: visitor.seesPlaces,
            handle: name ?? { path, id in
                (try? handles.handle(of: path, id)) ?? SessionHandles.digest(of: path)
            })
    }
}

extension Problem {
    /// There is no such session, or none that the client may see.
    static let noSession = Problem(
        .notFound, "no-such-session", "no such session",
        cure: "GET /api/v1/sessions lists those that this token sees")
}
