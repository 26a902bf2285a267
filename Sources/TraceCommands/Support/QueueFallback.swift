internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// The session that something is to be written into, or its id alone where it can't be found now.
struct WriteTarget {
    /// Nil where it is not here, or can't be reached.
    var place: SessionTarget?
    /// What is known of it: of what is not in `session.json`, or while that is torn, what the index remembers.
    var session: Session
    /// Why it can't be reached.
    private(set) var problem = "the session is not here"

    /// The id that ``place`` was found to have.
    var id: ULID? { place.map(\.session.id) ?? session.id }

    /// - Parameters:
    ///   - mayBeAbsent: Whether what is written can wait in the queue.
    ///   - offset: Where it is to stand, as it was typed.
    /// - Throws: Where several sessions are active and none is named, ``CommandFailure`` with what to run instead
    ///   (``ReadyCommands``).
    init(_ argument: String?, in workplace: Workplace, mayBeAbsent: Bool, offset: String) throws {
        let now = Clock.now()
        do {
            let place = try workplace.target(argument)
            self.place = place
            session = place.session
            if session.id == nil {
                session = Self.remembered(workplace.remembered(at: place.path)) ?? session
            }
        } catch let error as FileError
            where error.code == .ambiguousSession && workplace.selector(argument) == nil
        {
            throw ReadyCommands(workplace: workplace, offset: offset, now: now).failure(error)
        } catch let error as FileError where mayBeAbsent && error.code == .noSuchSession {
            // A session may lie on a disk that is not here now.
            guard let id = workplace.wholeID(argument) ?? workplace.offlineID(argument) else { throw error }
            session = Session()
            session.id = id
        } catch let error as FileError where mayBeAbsent && error.isAboutReaching {
            session = Session()
            session.id = workplace.wholeID(argument)
            if session.id == nil {
                guard case .directory(let typed)? = workplace.selector(argument),
                    let known = Self.remembered(workplace.remembered(at: workplace.absolute(typed)))
                else { throw error }
                session = known
            }
            problem = error.description
        }
    }

    private static func remembered(_ known: IndexedSession?) -> Session? {
        guard let known else { return nil }
        var session = Session()
        session.id = known.id
        session.status = known.status
        session.startTime = known.startTime
        session.duration = known.duration
        return session
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

extension FileError {
    /// Whether the session could not be reached or written, rather than what was to be written being wrong.
    var isAboutReaching: Bool {
        switch code {
        // Links that go round in circles, or lead to another user's place.
        case .leavesSession: underlying != nil
        case .invalidData, .alreadyExists, .alreadyClosed, .alreadyPaused, .notPaused, .noSuchSession,
            .ambiguousSession,
            .noSuchRecord:
            false
        default: true
        }
    }
}

extension OffsetResolution {
    /// For what is to be written, be it into a session or into the queue.
    init(for target: WriteTarget, now: Timestamp) {
        let session = target.session
        self.init(
            session: session,
            clock: {
                guard let place = target.place else { return PauseReader().clock(of: session) }
                return try OpenSession(place.directory).clock(of: session)
            },
            lastMarker: { try target.place.flatMap { try MarkerReading.lastMarker(in: $0) } }, now: now)
    }
}
