internal import DequeModule
import Synchronization

/// The bounded queue between the watcher's thread and its one consumer.
///
/// An event that a waiting rescan covers is not queued: the consumer scans after it has taken the rescan, and finds
/// by itself what was changed before.
final class EventBuffer: Sendable {
    fileprivate struct State {
        var events: Deque<WatchEvent> = []
        var consumer: CheckedContinuation<WatchEvent?, Never>?
        var isRescanQueued = false
        var isFinished = false
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: Most events that wait, ≥ 1; ``WatchEvent/unwatched(_:_:)`` and
    ///   ``WatchEvent/watchedAgain(_:)`` are kept beyond it, as no scan could make up for them.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Queues an event, or hands it to the consumer that waits for one.
    func push(_ event: WatchEvent) {
        let consumer = state.withLock { state -> CheckedContinuation<WatchEvent?, Never>? in
            if state.isFinished { return nil }
            if let consumer = state.consumer.take() { return consumer }
            state.enqueue(event, capacity: capacity)
            return nil
        }
        consumer?.resume(returning: event)
    }

    /// Ends the sequence after the events that are queued; what is pushed later is dropped.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            return state.consumer.take()
        }
        consumer?.resume(returning: nil)
    }

    /// The next event; nil when the sequence has ended or the calling task is cancelled.
    ///
    /// - Precondition: No other call of `next` is waiting.
    func next(isolation: isolated (any Actor)?) async -> WatchEvent? {
        if case .some(let answer) = state.withLock({ $0.dequeue() }) {
            return answer
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { continuation in
                let answer = state.withLock { state in state.dequeueOrWait(continuation) }
                if case .some(let answer) = answer {
                    continuation.resume(returning: answer)
                }
            }
        } onCancel: {
            state.withLock { $0.consumer.take() }?.resume(returning: nil)
        }
    }
}

extension EventBuffer.State {
    mutating func enqueue(_ event: WatchEvent, capacity: Int) {
        if event.isCoveredByRescan {
            if isRescanQueued || repeatsLast(event) { return }
            if events.count >= capacity {
                collapse()
                return
            }
        }
        if case .rescan = event {
            isRescanQueued = true
        }
        events.append(event)
    }

    /// The next event, `.some(nil)` at the end of the sequence, or `.none` if there is nothing yet.
    mutating func dequeue() -> WatchEvent?? {
        guard let event = events.popFirst() else { return isFinished ? .some(nil) : .none }
        if case .rescan = event {
            isRescanQueued = false
        }
        return .some(event)
    }

    /// Like ``dequeue()``, but leaves the continuation behind if there is nothing yet and the task is not cancelled.
    mutating func dequeueOrWait(_ continuation: CheckedContinuation<WatchEvent?, Never>) -> WatchEvent?? {
        if let answer = dequeue() { return .some(answer) }
        // The cancellation handler takes the lock after the task is marked as cancelled: either it finds the
        // continuation that is stored here, or the mark is seen here.
        if Task.isCancelled { return .some(nil) }
        precondition(consumer == nil, "a watcher has one consumer at a time")
        // What a burst took is given back.
        events.removeAll()
        consumer = continuation
        return .none
    }

    /// Whether the event says of a file what the last queued one says of it: its contents changed.
    private func repeatsLast(_ event: WatchEvent) -> Bool {
        guard case .changed(_, _, .contents, _) = event else { return false }
        return events.last == event
    }

    /// Puts one rescan in the place of all that a scan finds. Barriers follow it: what they promise is true only after it.
    private mutating func collapse() {
        let barriers = events.filter(\.isBarrier)
        events.removeAll { $0.isCoveredByRescan || $0.isBarrier }
        events.append(.rescan(.bufferOverflow))
        events.append(contentsOf: barriers)
        isRescanQueued = true
    }
}
