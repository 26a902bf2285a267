import Synchronization

/// A value that is set once, by any thread, and that one task waits for.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case settled(Value)
    }

    private let state = Mutex(State.empty)

    /// Sets the value; a second call changes nothing.
    func settle(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .settled: return nil
            case .empty:
                state = .settled(value)
                return nil
            case .awaited(let continuation):
                state = .settled(value)
                return continuation
            }
        }
        waiting?.resume(returning: value)
    }

    /// The value, as soon as it is set.
    ///
    /// - Precondition: Called once.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                switch state {
                case .settled(let value): return value
                case .awaited: preconditionFailure("one task waits for the value")
                case .empty:
                    state = .awaited(continuation)
                    return nil
                }
            }
            if let value {
                continuation.resume(returning: value)
            }
        }
    }
}
