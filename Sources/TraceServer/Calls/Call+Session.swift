internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// The session that a request is about.
struct CalledSession {
    let path: FilePath
    /// What the index knows of it, which was compared with its files for this request.
    let known: IndexedSession
    let handle: String
    let library: SessionLibrary
    let index: SessionIndex

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
        let name = try text("s")
        let library = try context.library()
        let index = try library.openIndex()
        let handles = SessionHandles(index, within: visitor.sessions(of: context.roots))
        let isOneOfAll = name == "last" || (ULID(name.uppercased()) == nil && !name.hasPrefix("~"))
        if isOneOfAll { _ = try library.bringUpToDate(index) { _ in } }
        if let found = try look(for: name, handles, library, index) { return found }
        guard !isOneOfAll else { throw Problem.noSession }
        // It may be too new for the index.
        _ = try library.bringUpToDate(index) { _ in }
        guard let found = try look(for: name, handles, library, index) else { throw Problem.noSession }
        return found
    }

    /// - Returns: Nil if none has that name, or none any more once its files are compared.
    private func look(
        for name: String, _ handles: SessionHandles, _ library: SessionLibrary, _ index: SessionIndex
    ) throws -> CalledSession? {
        let found = try handles.sessions(named: name)
        guard found.count <= 1 else {
            let names = try found.prefix(10).map { try handles.handle(of: $0.path, $0.id) }
            throw Problem(
                .conflict, "ambiguous-session", "'\(name)' matches \(found.count) sessions",
                hint: "use one of these handles: " + names.joined(separator: ", "))
        }
        guard let session = found.first else { return nil }
        let change = try index.reconcile(
            session: session.path, in: context.roots.root(of: session.path), settleTime: library.settleTime,
            verification: .thorough)
        guard change.outcome != .removed, let known = try index.session(at: session.path) else { return nil }
        if change.outcome != .unchanged {
            // It may have got another id or another title.
            guard try handles.sessions(named: name).contains(where: { $0.path == session.path }) else {
                return nil
            }
        }
        return CalledSession(
            path: session.path, known: known, handle: try handles.handle(of: known.path, known.id),
            library: library, index: index)
    }

    /// How answers name sessions for this client.
    func form(_ index: SessionIndex) -> AnswerForm {
        let scope = visitor.sessions(of: context.roots)
        return AnswerForm(showsPaths: visitor.seesPlaces) { path, id in
            (try? SessionHandles(index, within: scope).handle(of: path, id))
                ?? SessionHandles.digest(of: path)
        }
    }
}

extension Problem {
    /// There is no such session, or none that the client may see.
    static let noSession = Problem(
        .notFound, "no-such-session", "no such session",
        hint: "GET /api/v1/sessions lists those that this token sees")
}
