internal import Journals
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceIndex
package import TraceText

/// Answers questions about several sessions: out of the index, once it is compared with the files; where it can't be
/// used, out of one that is made of the files for this question alone.
///
/// What can't be read lacks in the answer, and is among the ``failures``.
package final class FreshIndex {
    private let library: SessionLibrary
    /// What is asked about.
    package let scope: RecordFilter.Scope
    private let kinds: Set<RecordKind>
    /// Whether the caller has compared the session's files just now.
    private let isCompared: Bool
    /// Why something lacks in the answer.
    package private(set) var failures: [any StructuredError] = []

    /// - Parameters:
    ///   - session: The one that is asked about; nil for all below the roots.
    ///   - kinds: What the answer is about; nil for everything.
    ///   - isCompared: Whether the index was brought up to date for this question already; it is done again only where a file has
    ///     changed since.
    package init(
        _ library: SessionLibrary, session: FilePath?, about kinds: Set<RecordKind>? = nil,
        isCompared: Bool = false
    ) {
        self.library = library
        self.isCompared = isCompared
        self.kinds = (kinds ?? Set(RecordKind.allCases)).union([.session])
        scope = session.map { .session($0) } ?? .roots(library.roots.paths)
    }

    /// Whether everything could be read.
    package var isWhole: Bool { failures.isEmpty }

    /// How often a question is asked again while files change under it.
    private static let attemptLimit = 5

    /// What `body` makes of an index that is up to date.
    ///
    /// - Parameter body: Is called again when it throws ``IndexError`` with `.stale`, which is what
    ///   ``SessionCache/line(of:)`` does when a file has changed in between.
    /// - Throws: ``UnstableFiles``; ``IndexError`` and ``FileError`` if neither the index nor the files answer; what else
    ///   `body` throws.
    package func answer<Answer>(_ body: (SessionIndex) throws -> Answer) throws -> Answer {
        if case .session(let session) = scope, library.roots.root(of: session) == nil {
            return try answerFromFiles(because: SessionLibrary.liesInNoRoot, body)
        }
        do {
            return try repeated(library.openIndex(), body)
        } catch let error as IndexError where error.code == .interrupted {
            throw error
        } catch let error as any StructuredError where !(error is UnstableFiles) {
            return try answerFromFiles(because: "\(error)", body)
        }
    }

    private func answerFromFiles<Answer>(
        because reason: String, _ body: (SessionIndex) throws -> Answer
    ) throws -> Answer {
        library.tell(.answered(.files(reason)))
        return try PrivateDirectory.with(in: library.temporaryDirectory) { directory in
            let index = try SessionIndex(ownAt: directory.appending("index.sqlite"), formats: Journals.all)
            return try repeated(index, isOwn: true, body)
        }
    }

    private func repeated<Answer>(
        _ index: SessionIndex, isOwn: Bool = false, _ body: (SessionIndex) throws -> Answer
    ) throws -> Answer {
        for attempt in 1..<Self.attemptLimit {
            let lagging = isCompared && !isOwn && attempt == 1 ? 0 : try bringUpToDate(index)
            if !isOwn { library.tell(.answered(.index(lagging: lagging))) }
            do { return try complete(body, index) } catch let error as IndexError
                where error.code == .stale || error.code == .corrupt
            {}
        }
        do {
            _ = try bringUpToDate(index)
            return try complete(body, index)
        } catch let error as IndexError where error.code == .stale {
            throw UnstableFiles(report: error.report)
        }
    }

    /// Asks, and notes which files could not be read.
    private func complete<Answer>(
        _ body: (SessionIndex) throws -> Answer, _ index: SessionIndex
    ) throws -> Answer {
        let answer = try body(index)
        for found in try index.unreadableFiles() where isAsked(found) {
            let file = found.session.pushing(FilePath(found.finding.place.file))
            failures.append(UnreadableFile(path: file, finding: found.finding))
        }
        return answer
    }

    private func isAsked(_ found: IndexedFinding) -> Bool {
        guard kinds.contains(where: { $0.fileName == found.finding.place.file }) else { return false }
        return switch scope {
        case .session(let session): found.session == session
        case .sessions(let sessions): sessions.contains(found.session)
        case .roots(let roots): roots.contains { found.session.starts(with: $0) }
        }
    }

    /// - Returns: How many sessions lagged.
    private func bringUpToDate(_ index: SessionIndex) throws -> Int {
        failures = []
        guard case .session(let session) = scope else {
            return try library.bringUpToDate(index) { self.failures.append($0) }
        }
        let change = try index.reconcile(
            session: session, in: library.roots.root(of: session), settleTime: library.settleTime,
            verification: .thorough)
        return change.outcome == .unchanged ? 0 : 1
    }
}

/// Files kept changing during every attempt of a query.
package struct UnstableFiles: StructuredError {
    package let report: ErrorReport
}

/// A file could not be read when the index was compared with it.
package struct UnreadableFile: StructuredError {
    package let path: FilePath
    package let finding: Finding

    package init(path: FilePath, finding: Finding) {
        self.path = path
        self.finding = finding
    }

    /// The code is the rule's.
    package var report: ErrorReport {
        ErrorReport(
            code: finding.rule.id, place: path.escaped, message: finding.message, hint: finding.rule.cure)
    }
}
