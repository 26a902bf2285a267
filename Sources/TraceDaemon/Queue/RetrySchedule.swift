internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText
internal import TraceWatch

/// Entries of the queue that could not be written, and when each is tried again: after pauses that grow, or soon after
/// something about its session has changed.
struct RetrySchedule {
    /// A failure in a drain: of an entry's file, or of a whole spool or queue.
    struct Failure {
        var file: FilePath
        var isEntry = true
        var session: FilePath?
        var error: any StructuredError
        /// The id of an entry that holds up what is behind it in its journal.
        var heldUpFrom: ULID?
    }

    /// What waits for its next try.
    struct Entry {
        let isEntry: Bool
        private(set) var session: FilePath?
        /// Its id, if it holds up what is behind it in its journal.
        private(set) var heldUpFrom: ULID?
        /// What the last try ran into.
        private(set) var error: any StructuredError
        private(set) var tryCount = 1
        let firstTry: ContinuousClock.Instant
        private(set) var lastTry: ContinuousClock.Instant
        fileprivate var pause: Backoff

        fileprivate init(_ failure: Failure, at now: ContinuousClock.Instant) {
            isEntry = failure.isEntry
            session = failure.session
            heldUpFrom = failure.heldUpFrom
            error = failure.error
            firstTry = now
            lastTry = now
            pause = Backoff(error.isOfLock ? RetrySchedule.lockPauses : RetrySchedule.pauses)
            wait(from: now)
        }

        fileprivate mutating func fail(_ failure: Failure, at now: ContinuousClock.Instant) {
            session = failure.session
            heldUpFrom = failure.heldUpFrom
            error = failure.error
            tryCount += 1
            lastTry = now
            wait(from: now)
        }

        /// Until a moment that many entries share, whose last tries were not at the same time.
        private mutating func wait(from now: ContinuousClock.Instant) {
            pause.schedule(after: now)
            guard let deadline = pause.deadline else { return }
            let step = now.duration(to: deadline) / 4
            let steps = (RetrySchedule.epoch.duration(to: deadline) / step).rounded(.up)
            pause.move(to: RetrySchedule.epoch + step * steps)
        }

        fileprivate mutating func restart(at moment: ContinuousClock.Instant) {
            pause.reset()
            pause.move(to: moment)
        }
    }

    private static let epoch = ContinuousClock.now

    /// By the path of their files.
    private(set) var entries: [FilePath: Entry] = [:]
    /// How each session was after the last try, so that what a try itself leaves behind is not taken for a cure.
    private var states: [FilePath: SessionState?] = [:]

    /// After most failures; and after a lock that somebody held, of whose end nobody tells.
    private static let pauses = RetryInterval(first: .seconds(1), longest: .seconds(60))
    private static let lockPauses = RetryInterval(first: .milliseconds(50), longest: .seconds(1))
    /// At least so long after the last try, whatever happens to the session.
    private static let leastPause = Duration.milliseconds(250)

    /// Whether an entry is to be tried; one that has not failed is.
    func isDue(_ file: FilePath, at now: ContinuousClock.Instant) -> Bool {
        entries[file].map { $0.pause.isDue(now) } ?? true
    }

    /// The first entry of each journal that is not to be tried yet, and holds up those behind it: by the journal's directory.
    func heldUp(at now: ContinuousClock.Instant) -> [FilePath: ULID] {
        var first: [FilePath: ULID] = [:]
        for entry in entries.values where !entry.pause.isDue(now) {
            guard let session = entry.session, let id = entry.heldUpFrom else { continue }
            first[session] = min(first[session] ?? id, id)
        }
        return first
    }

    /// When the next entry is due; nil if none has failed.
    var nextTry: ContinuousClock.Instant? { entries.values.compactMap(\.pause.deadline).min() }

    /// The sessions whose entries have failed.
    var sessions: Set<FilePath> { Set(states.keys) }

    /// Takes over how a drain ended.
    ///
    /// - Parameters:
    ///   - start: When it began: what was due then, and has not failed again, is written or gone.
    ///   - isUntried: Whether it did not come to an entry, which then waits as long as what was in the way.
    mutating func take(
        _ failures: [Failure], of start: ContinuousClock.Instant, isUntried: (FilePath) -> Bool
    ) {
        let now = ContinuousClock.now
        var left = entries.filter { !$0.value.pause.isDue(start) || isUntried($0.key) }
        for failure in failures {
            let isLocked = failure.error.isOfLock
            if var entry = entries[failure.file], (entry.error.isOfLock) == isLocked {
                entry.fail(failure, at: now)
                left[failure.file] = entry
            } else {
                left[failure.file] = Entry(failure, at: now)
            }
        }
        let next = failures.compactMap { left[$0.file]?.pause.deadline }.min() ?? now
        for (file, entry) in left where entry.pause.isDue(now) { left[file]?.pause.move(to: next) }
        entries = left
        let failing = Set(left.values.compactMap(\.session))
        states = states.filter { failing.contains($0.key) }
        for session in Set(failures.compactMap(\.session)) {
            states.updateValue(SessionState(of: session), forKey: session)
        }
    }

    /// Something happened to sessions: where they are not as the last try left them, their entries are due soon.
    mutating func noteChange(of changed: Set<FilePath>) {
        let cured = changed.filter { session in
            guard let old = states[session] else { return false }
            return SessionState(of: session) != old
        }
        guard !cured.isEmpty else { return }
        let files = entries.filter { $0.value.session.map(cured.contains) ?? false }
        let lastTry = files.values.map(\.lastTry).max() ?? .now
        for file in files.keys { entries[file]?.restart(at: lastTry + Self.leastPause) }
    }
}

extension StructuredError {
    /// Whether somebody else holds the session's lock, and soon lets go.
    var isOfLock: Bool { (self as? FileError)?.code == .sessionLocked }
}
