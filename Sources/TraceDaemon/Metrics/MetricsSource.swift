internal import Dispatch
internal import Synchronization

/// Where the metrics of this moment come from: the part that knows them is made after those that are asked for them.
final class MetricsSource: Sendable {
    private let read = Mutex<(@Sendable (_ showsPlaces: Bool) async -> String)?>(nil)

    /// Sets what reads them.
    func set(_ read: (@Sendable (_ showsPlaces: Bool) async -> String)?) { self.read.withLock { $0 = read } }

    /// The metrics in Prometheus' text format; empty while nothing is known. Blocks: not for the threads of tasks.
    ///
    /// - Parameter showsPlaces: Whether they name paths of this machine.
    func awaitText(showsPlaces: Bool) -> String {
        guard let read = read.withLock({ $0 }) else { return "" }
        let answer = Answer()
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let text = await read(showsPlaces)
            answer.text.withLock { $0 = text }
            isDone.signal()
        }
        isDone.wait()
        return answer.text.withLock { $0 }
    }

    private final class Answer: Sendable {
        let text = Mutex("")
    }
}
