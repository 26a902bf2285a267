internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore
internal import TraceText

/// Answers questions about several sessions: out of the index, once it is compared with the files; where it can't be
/// used, out of one that is made of the files for this question alone.
///
/// What can't be read lacks in the answer: once that is shown, ``end()`` tells it.
final class Answering {
    let workplace: Workplace
    let scope: RecordFilter.Scope
    private let kinds: Set<RecordKind>
    /// Why something lacks in the answer.
    private(set) var failures: [CommandFailure] = []

    /// Those below the roots, or the one that `--session` names.
    ///
    /// - Parameter kinds: What the answer is about; nil for everything.
    init(_ workplace: Workplace, session: FilePath?, about kinds: Set<RecordKind>? = nil) {
        self.workplace = workplace
        self.kinds = (kinds ?? Set(RecordKind.allCases)).union([.session])
        scope = session.map { .session($0) } ?? .roots(workplace.settings.roots)
    }

    /// Whether everything could be read.
    var isWhole: Bool { failures.isEmpty }

    /// Tells what could not be read, and where the cure is.
    ///
    /// - Throws: ``CommandFailure`` where there is any.
    func end() throws(CommandFailure) { try failures.end() }

    /// How often a question is asked again while files change under it.
    private static let attemptLimit = 5

    /// What `body` makes of an index that is up to date.
    ///
    /// - Parameter body: Is called again when it throws ``IndexError`` with `.stale`, which is what
    ///   ``ShownSessions/line(of:)`` does when a file has changed in between.
    func answer<Answer>(_ body: (SessionIndex) throws -> Answer) throws -> Answer {
        if case .session(let session) = scope, workplace.root(of: session) == nil {
            workplace.explain("answered from the files: the session lies in no configured root")
            return try answerFromFiles(body)
        }
        do {
            return try repeated(workplace.openIndex(), body)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            workplace.explain("answered from the files: \(error)")
            return try answerFromFiles(body)
        }
    }

    private func answerFromFiles<Answer>(_ body: (SessionIndex) throws -> Answer) throws -> Answer {
        try PrivateDirectory.with(in: workplace.temporaryDirectory) { directory in
            try repeated(SessionIndex(ownAt: directory.appending("index.sqlite")), isOwn: true, body)
        }
    }

    private func repeated<Answer>(
        _ index: SessionIndex, isOwn: Bool = false, _ body: (SessionIndex) throws -> Answer
    ) throws -> Answer {
        for _ in 1..<Self.attemptLimit {
            let lagging = try bringUpToDate(index)
            let lagged =
                lagging == 0 ? "" : "; \(counted(lagging, "session")) lagged and were brought up to date"
            if !isOwn { workplace.explain("answered from the index\(lagged)") }
            do { return try complete(body, index) } catch let error as IndexError
                where error.code == .stale || error.code == .corrupt
            {}
        }
        do {
            _ = try bringUpToDate(index)
            return try complete(body, index)
        } catch let error as IndexError where error.code == .stale {
            throw CommandFailure(.tryAgain, "\(error)")
        }
    }

    /// Asks, and notes which files could not be read.
    private func complete<Answer>(_ body: (SessionIndex) throws -> Answer, _ index: SessionIndex) throws
        -> Answer
    {
        let answer = try body(index)
        for found in try index.unreadableFiles() where isAsked(found) {
            let file = found.session.pushing(FilePath(found.finding.place.file))
            failures.append(CommandFailure(unreadable: file, found.finding))
        }
        return answer
    }

    private func isAsked(_ found: IndexedFinding) -> Bool {
        guard kinds.contains(where: { $0.fileName == found.finding.place.file }) else { return false }
        return switch scope {
        case .session(let session): found.session == session
        case .roots(let roots): roots.contains { found.session.starts(with: $0) }
        }
    }

    /// - Returns: How many sessions lagged.
    private func bringUpToDate(_ index: SessionIndex) throws -> Int {
        failures = []
        guard case .session(let session) = scope else {
            return try Catalogue(workplace).bringUpToDate(index) { self.failures.append(CommandFailure($0)) }
        }
        let change = try index.reconcile(
            session: session, in: workplace.root(of: session), settleTime: workplace.settings.settleTime,
            verification: .thorough)
        return change.outcome == .unchanged ? 0 : 1
    }
}

/// The sessions of an answer, and the lines that are shown of them.
final class ShownSessions {
    private let index: SessionIndex
    private let workplace: Workplace
    private let lines = RecordLines()
    private var known: [FilePath: IndexedSession] = [:]

    init(_ index: SessionIndex, _ workplace: Workplace) {
        self.index = index
        self.workplace = workplace
    }

    /// What is known of a session.
    ///
    /// - Throws: ``IndexError`` with `.stale` where it has gone in between.
    subscript(path: FilePath) -> IndexedSession {
        get throws {
            if let session = known[path] { return session }
            guard var session = try index.session(at: path) else {
                throw IndexError(.stale, "the session is gone", path: path)
            }
            session.isOnline = try session.root.map { try index.look(atRoot: $0) == .online } ?? true
            known[path] = session
            return session
        }
    }

    /// A record's line as it stands in the file; nil where the root is offline, and what was last known is all there is.
    ///
    /// - Throws: ``IndexError`` with `.stale` where the file has changed since the index read it.
    func line(of record: IndexedRecord) throws -> [UInt8]? {
        guard try self[record.session].isOnline else { return nil }
        do { return try lines.line(of: record) } catch let error as FileError where error.code == .notFound {
            throw IndexError(.stale, "the file is gone", path: record.file, underlying: error)
        }
    }
}

extension IndexedSession {
    /// What a list calls it: its title, else the name of its directory.
    var listName: String { displayTitle ?? path.lastComponent?.escaped ?? path.escaped }

    /// The members that tell which session something is of.
    func addIdentity(to object: inout JSONObjectText) {
        object.session(at: path, id)
        object.member("title", title.map { JSONText($0) })
        object.member("online", JSONText(isOnline))
    }
}
