internal import Dispatch
internal import Synchronization
internal import TraceIndex
internal import TraceLibrary
internal import TraceServer

/// Questions of commands and of the HTTP API: what is in the index of all that was written before the question?
///
/// An answer takes a *barrier* through the watcher and the reconciler. One is under way at a time, and those who ask meanwhile share
/// the next. Of those that find something to look at there are five a second at most, and ten at once, so that a question by itself
/// never waits for that. Where there are so few sessions that comparing all takes less than waiting, nobody waits.
final class Barriers: Sendable {
    /// Gets the answer, on any thread, and must not block; nil if it is not known, so that everything must be compared.
    typealias Asker = @Sendable (WatchedRoots?) -> Void

    /// Tells whether nothing has happened since the barrier of a number, the answer to which was about this file.
    typealias StillCheck = @Sendable (_ number: UInt64, _ index: OpenedIndex) -> Bool

    fileprivate struct State {
        /// Sends a barrier of a number through the watcher; nil while there is none.
        var pass: (@Sendable (UInt64) -> Void)?
        /// Whether the answer of a barrier still holds.
        var isStill: StillCheck?
        /// The last answer that holds as long as nothing happens, and the barrier that it is of.
        var lasting: (number: UInt64, index: OpenedIndex, answer: WatchedRoots)?
        /// How many scans are running, during which nothing is known.
        var scanCount = 0
        var number: UInt64 = 0
        /// The barrier that is under way, and who waits for it.
        var running: (number: UInt64, since: ContinuousClock.Instant, askers: [Asker])?
        /// Who waits for the next one.
        var next: [Asker] = []
        var bucket = TokenBucket(RateLimit(burst: 10, perSecond: 5))
        /// How many sessions there are below all roots.
        var sessionCount = 0
        /// Whether the next one is to begin at a later moment.
        var isScheduled = false
    }

    fileprivate enum Step {
        case none
        case pass(@Sendable (UInt64) -> Void, UInt64)
        case wait(Duration)
        case refuse([Asker])
    }

    private let state = Mutex(State())

    /// A barrier that takes longer holds nobody else up: the reconciler is busy, and to compare everything may be faster.
    private static let patience = Duration.seconds(1)
    /// How many may wait.
    private static let capacity = 1024
    /// To compare so many sessions takes some 50 ms.
    fileprivate static let few = 1000

    // MARK: - Asking

    /// Answers when everything that was written before the call has been handled, or at once if that is not to be expected soon.
    func ask(_ asker: @escaping Asker) {
        if let answer = lastingAnswer() { return asker(answer) }
        let step = state.withLock { state -> Step? in
            guard state.pass != nil, state.scanCount == 0, state.next.count < Self.capacity,
                state.running.map({ $0.since.duration(to: .now) < Self.patience }) ?? true
            else { return nil }
            state.next.append(asker)
            return state.nextStep(at: .now)
        }
        guard let step else { return asker(nil) }
        take(step)
    }

    /// Waits for the answer, for a second at most; not to be called on the cooperative pool.
    func wait() -> WatchedRoots? {
        if let answer = lastingAnswer() { return answer }
        let answer = AwaitedAnswer()
        ask { answer.set($0) }
        return answer.value()
    }

    /// The answer of the last barrier, if nothing at all has happened since.
    private func lastingAnswer() -> WatchedRoots? {
        let (lasting, isStill) = state.withLock { ($0.lasting, $0.isStill) }
        guard let lasting, let isStill, isStill(lasting.number, lasting.index) else { return nil }
        return lasting.answer
    }

    private func take(_ step: Step) {
        switch step {
        case .none: break
        case .pass(let pass, let number): pass(number)
        case .refuse(let askers): for asker in askers { asker(nil) }
        case .wait(let delay):
            let moment = DispatchTime.now() + .nanoseconds(Int(delay / .nanoseconds(1)) + 1)
            DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: moment) {
                self.take(
                    self.state.withLock { state in
                        state.isScheduled = false
                        return state.nextStep(at: .now)
                    })
            }
        }
    }

    // MARK: - Answering

    /// A watcher reports everything from now on, and a scan has read what was there before.
    ///
    /// - Parameters:
    ///   - isStill: Whether the answer of a barrier still holds; nil if that can't be known without another.
    ///   - pass: Sends a barrier of a number through the watcher; the reconciler then calls ``finish(_:_:isFree:lasting:)``.
    func begin(
        isStill: StillCheck? = nil,
        _ pass: @escaping @Sendable (UInt64) -> Void
    ) {
        state.withLock { state in
            state.isStill = isStill
            state.pass = pass
        }
    }

    /// The watcher stops: nothing is known any more.
    func end() {
        giveUp { state in
            state.pass = nil
            state.isStill = nil
        }
    }

    /// A scan begins; until it ends, nothing is known. Scans may be nested.
    func beginScan() { giveUp { $0.scanCount += 1 } }

    /// - Parameter sessionCount: How many sessions there are now.
    func endScan(sessionCount: Int) {
        state.withLock { state in
            state.scanCount -= 1
            state.sessionCount = sessionCount
        }
    }

    /// Whether anybody waits for the barrier of a number.
    func isAwaited(_ number: UInt64) -> Bool { state.withLock { $0.running?.number == number } }

    /// The barrier of a number has come through.
    ///
    /// - Parameters:
    ///   - isFree: Whether there was nothing to look at for it.
    ///   - lasting: The index for which the answer is the same for as long as nothing happens; nil if it isn't.
    func finish(
        _ number: UInt64, _ answer: WatchedRoots?, isFree: Bool = false, lasting: OpenedIndex? = nil
    ) {
        let (askers, step) = state.withLock { state -> ([Asker], Step) in
            guard let running = state.running, running.number == number else { return ([], .none) }
            state.running = nil
            state.lasting = lasting.flatMap { index in answer.map { (number, index, $0) } }
            if !isFree { _ = state.bucket.take(at: .now) }
            return (running.askers, state.nextStep(at: .now))
        }
        take(step)
        for asker in askers { asker(answer) }
    }

    private func giveUp(_ change: (inout State) -> Void) {
        let askers = state.withLock { state in
            change(&state)
            state.lasting = nil
            defer { (state.running, state.next) = (nil, []) }
            return (state.running?.askers ?? []) + state.next
        }
        for asker in askers { asker(nil) }
    }
}

/// An answer for which a thread waits.
private final class AwaitedAnswer: Sendable {
    private let answer = Mutex<WatchedRoots?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ answer: WatchedRoots?) {
        self.answer.withLock { $0 = answer }
        isSet.signal()
    }

    /// Nil also if none comes within a second.
    func value() -> WatchedRoots? {
        guard isSet.wait(timeout: .now() + .seconds(1)) == .success else { return nil }
        return answer.withLock { $0 }
    }
}

extension Barriers.State {
    fileprivate mutating func nextStep(at now: ContinuousClock.Instant) -> Barriers.Step {
        guard running == nil, !next.isEmpty, !isScheduled, let pass else { return .none }
        if let delay = bucket.delay(at: now) {
            if sessionCount <= Barriers.few {
                defer { next = [] }
                return .refuse(next)
            }
            isScheduled = true
            return .wait(delay)
        }
        number += 1
        running = (number, now, next)
        next = []
        return .pass(pass, number)
    }
}
