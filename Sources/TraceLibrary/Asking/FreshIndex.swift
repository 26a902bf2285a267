internal import Journals
internal import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceIndex
package import TraceText

/// Answers questions about several sessions: out of the index, once it is compared with the files; where it can't be
/// used, out of one that is made of the files for this question alone.
///
/// What can't be read lacks in the answer, and is among the ``failures``. That is so of a whole journal, too, whose files keep changing
/// or can't be read while the question is asked about all: the others are answered for.
package final class FreshIndex {
    private let library: JournalLibrary
    private let whole: RecordFilter.Scope
    /// The journals that lack in the answer, and why.
    private var leftOut: [(path: FilePath, error: any StructuredError)] = []
    private let kinds: Set<RecordKind>?
    /// Whether the caller has compared the session's files just now.
    private let isCompared: Bool
    private let listsUnreadable: Bool
    private let mayLeaveOut: Bool
    /// Why something lacks in the answer.
    package private(set) var failures: [any StructuredError] = []
    /// Whether a daemon answered for all sessions, so that none was compared.
    package private(set) var isWatched = false

    /// - Parameters:
    ///   - session: The one that is asked about; nil for all below the roots.
    ///   - kinds: What the answer is about; nil for everything.
    ///   - isCompared: Whether the index was brought up to date for this question already; it is done again only where a file has
    ///     changed since.
    ///   - listsUnreadable: Whether files that the daemon could not read are among the ``failures``.
    ///   - mayLeaveOut: Whether the question can be answered without one of the journals: not if it is about one.
    package init(
        _ library: JournalLibrary, session: FilePath?, about kinds: Set<RecordKind>? = nil,
        isCompared: Bool = false, listsUnreadable: Bool = true, mayLeaveOut: Bool = true
    ) {
        self.library = library
        self.mayLeaveOut = mayLeaveOut && session == nil
        self.isCompared = isCompared
        self.listsUnreadable = listsUnreadable
        self.kinds = kinds?.union([.session])
        whole = session.map { .session($0) } ?? .roots(library.roots.paths)
    }

    /// What is asked about: each time that the question is asked, for a journal may have been left out meanwhile.
    package var scope: RecordFilter.Scope { narrowed(whole) }

    /// A scope without the journals that are left out.
    package func narrowed(_ scope: RecordFilter.Scope) -> RecordFilter.Scope {
        leftOut.isEmpty ? scope : .without(leftOut.map(\.path), scope)
    }

    /// How many journals of a scope lack in the answer, as a whole or with a file that can't be read.
    ///
    /// - Throws: ``IndexError``, as ``JournalIndex/unreadableFiles()``.
    package func leftOutCount(in index: JournalIndex, where isInScope: (FilePath) -> Bool) throws -> Int {
        let unreadable = try index.unreadableFiles().filter(isAsked).map(\.session)
        return Set(leftOut.map(\.path) + unreadable).count(where: isInScope)
    }

    /// Whether everything could be read.
    package var isWhole: Bool { failures.isEmpty }

    /// How often a question is asked again while files change under it.
    private static let attemptLimit = 5

    /// What `body` makes of an index that is up to date.
    ///
    /// - Parameters:
    ///   - shown: The sessions of which an answer shows what only the index says, the first ones first. If the daemon has answered
    ///     for them, they are compared besides, and `body` is called again if one has changed.
    ///   - body: Is called again when it throws ``IndexError`` with `.stale`, which is what
    ///     ``SessionCache/line(of:)`` does when a file has changed in between; and again without a journal (``scope``) whose files kept
    ///     changing, or gave it a ``FileError``.
    /// - Throws: ``UnstableFiles``; ``IndexError`` and ``FileError`` if neither the index nor the files answer; what else
    ///   `body` throws.
    package func answer<Answer>(
        comparing shown: (Answer) -> [FilePath] = { _ in [] }, _ body: (JournalIndex) throws -> Answer
    ) throws -> Answer {
        if case .session(let session) = scope, let reason = library.reasonNotIndexed(session) {
            return try answerFromFiles(because: reason, body)
        }
        do {
            return try repeated(library.openIndex(), shown, body)
        } catch let error as IndexError where error.code == .interrupted {
            throw error
        } catch let error as any StructuredError where !(error is UnstableFiles) {
            return try answerFromFiles(because: "\(error)", body)
        }
    }

    private func answerFromFiles<Answer>(
        because reason: String, _ body: (JournalIndex) throws -> Answer
    ) throws -> Answer {
        library.tell(.answered(.files(reason)))
        return try PrivateDirectory.with(in: library.temporaryDirectory) { directory in
            let index = try JournalIndex(ownAt: directory.appending("index.sqlite"), formats: Journals.all)
            return try repeated(index, isOwn: true, { _ in [] }, body)
        }
    }

    private func repeated<Answer>(
        _ index: JournalIndex, isOwn: Bool = false, _ shown: (Answer) -> [FilePath],
        _ body: (JournalIndex) throws -> Answer
    ) throws -> Answer {
        defer { if !isOwn { library.tellNotices(of: index) } }
        var attempt = 1
        while true {
            let isFresh = isCompared && !isOwn && attempt == 1
            let freshness = isFresh ? JournalLibrary.Freshness(lagging: 0) : try bringUpToDate(index)
            let opened = try index.opened()
            if !isOwn, attempt < Self.attemptLimit { tell(freshness) }
            do {
                let answer = try complete(shown, body, index)
                // Another process may have put a new index in the place of the one that was brought up to date.
                guard try index.opened() == opened else {
                    throw IndexError(.stale, "the index was replaced while it was asked", path: index.path)
                }
                failures += leftOut.map(\.error)
                return answer
            } catch let error as IndexError
                where error.code == .stale || error.code == .corrupt && attempt < Self.attemptLimit
            {
                attempt += 1
                guard attempt > Self.attemptLimit else { continue }
                let unstable = UnstableFiles(report: error.report)
                guard try leavesOut(error.path, unstable, index) else { throw unstable }
                attempt = 1
            } catch let error as any LocatedError where error.isOfOneJournal {
                guard try leavesOut(error.path, error, index) else { throw error }
                attempt = 1
            }
        }
    }

    /// Leaves out the journal that a path leads into, where all are asked about.
    ///
    /// - Returns: Whether there is one.
    private func leavesOut(
        _ path: FilePath?, _ error: any StructuredError, _ index: JournalIndex
    ) throws -> Bool {
        guard mayLeaveOut, var path else { return false }
        while !path.components.isEmpty {
            if try !index.journals(.session(path)).isEmpty {
                guard !leftOut.contains(where: { $0.path == path }) else { return false }
                leftOut.append((path, error))
                return true
            }
            path.removeLastComponent()
        }
        return false
    }

    private func tell(_ freshness: JournalLibrary.Freshness) {
        if case .session = scope {
            library.tell(.answered(.index(lagging: freshness.lagging)))
        } else {
            library.answered(freshness)
        }
    }

    /// Asks, and notes which files could not be read.
    private func complete<Answer>(
        _ shown: (Answer) -> [FilePath], _ body: (JournalIndex) throws -> Answer, _ index: JournalIndex
    ) throws -> Answer {
        var answer = try body(index)
        if isWatched, try library.readChanges(of: shown(answer), index) { answer = try body(index) }
        guard listsUnreadable else { return answer }
        for found in try index.unreadableFiles() where isAsked(found) {
            let file = found.session.pushing(FilePath(found.finding.place.file))
            failures.append(UnreadableFile(path: file, finding: found.finding))
        }
        return answer
    }

    private func isAsked(_ found: IndexedFinding) -> Bool {
        let isAbout = kinds?.contains { $0.fileName == found.finding.place.file } ?? true
        guard isAbout else { return false }
        if case .session(let session) = whole { return found.session == session }
        return library.roots.paths.contains { found.session.starts(with: $0) }
    }

    private func bringUpToDate(_ index: JournalIndex) throws -> JournalLibrary.Freshness {
        failures = []
        isWatched = false
        guard case .session(let session) = scope else {
            let freshness = try library.bringUpToDate(index) { self.failures.append($0) }
            isWatched = freshness.isWatched
            return freshness
        }
        let change = try index.reconcile(
            journal: session, in: library.roots.root(of: session), settleTime: library.settleTime,
            verification: .thorough)
        return JournalLibrary.Freshness(lagging: change.outcome == .unchanged ? 0 : 1)
    }
}

/// Files kept changing during every attempt of a query.
struct UnstableFiles: StructuredError {
    package let report: ErrorReport

    package var meaning: ErrorMeaning { ErrorMeaning(http: 503, exit: .tryAgain, .again) }
}

/// A file could not be read when the index was compared with it.
struct UnreadableFile: StructuredError {
    let path: FilePath
    let finding: Finding

    init(path: FilePath, finding: Finding) {
        self.path = path
        self.finding = finding
    }

    /// The code is the rule's.
    package var report: ErrorReport {
        ErrorReport(
            code: finding.rule.id, place: path.escaped, message: finding.message,
            cure: finding.rule.cure)
    }

    package var meaning: ErrorMeaning { .failure }
}
