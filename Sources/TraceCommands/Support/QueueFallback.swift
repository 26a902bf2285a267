internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// The session that something is to be written into, or its id alone where it can't be found now.
struct WriteTarget {
    var path: FilePath?
    var session: Session

    /// - Parameter mayBeAbsent: Whether what is written can wait in the queue.
    init(_ argument: String?, in workplace: Workplace, mayBeAbsent: Bool) throws {
        do {
            let path = try workplace.session(argument)
            self.path = path
            session = try SessionCandidate(reading: path).session
        } catch let error as StoreError where error.code == .noSuchSession && mayBeAbsent {
            // A session may lie on a disk that is not here now.
            guard let id = workplace.wholeID(argument) ?? workplace.offlineID(argument) else { throw error }
            session = Session()
            session.id = id
        }
    }
}

extension Workplace {
    /// Puts a record that can't be written into the queue, and says so.
    ///
    /// - Parameters:
    ///   - reason: Why it can't be written.
    ///   - entry: Makes the entry of the session's id.
    /// - Throws: ``CommandFailure`` with `.badData` where the session's id can't be read.
    func enqueue(
        _ noun: String, for target: WriteTarget, reason: String, attachment: FilePath? = nil,
        _ entry: (ULID) throws -> SpoolEntry
    ) throws {
        guard let id = target.session.id else {
            throw CommandFailure(
                .badData, "the \(noun) can't be queued: the session's id can't be read (\(reason))")
        }
        let made = try entry(id)
        try queue.local.add(made, attachment: attachment)
        noteQueued([made.id], made.kind == .voiceNote ? .voiceNote : .mark, for: id)
        let pending = (try? queue.local.files().count) ?? 1
        notice("queued (\(pending) pending): \(reason)")
    }
}

extension StoreError.Code {
    /// Whether the session could not be reached or written, rather than what was to be written being wrong.
    var isAboutReaching: Bool {
        switch self {
        case .invalidData, .leavesSession, .alreadyExists, .alreadyClosed, .noSuchSession, .ambiguousSession,
            .noSuchRecord:
            false
        default: true
        }
    }
}
