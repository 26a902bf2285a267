import Dispatch
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import TraceFiles
import TraceText

@testable import TraceWatch

/// Takes all events of a watcher and lets a test wait for those it expects.
final class Recorder: Sendable {
    struct TimedOut: Error, CustomStringConvertible {
        let events: [WatchEvent]
        var description: String {
            "the event did not come; what came:\n" + events.suffix(40).map { "  \($0)\n" }.joined()
        }
    }

    private struct Waiter {
        let matches: @Sendable (WatchEvent) -> Bool
        let answer: OneShot<WatchEvent?>
    }

    private struct State {
        var events: [WatchEvent] = []
        var waiters: [Waiter] = []
        var isFinished = false
    }

    private let state = Mutex(State())

    init(_ watcher: Watcher) {
        Task(executorPreference: QueueExecutor.shared) {
            for await event in watcher { self.record(event) }
            self.finish()
        }
    }

    var events: [WatchEvent] { state.withLock { $0.events } }
    var count: Int { state.withLock { $0.events.count } }

    /// The first event from `start` on that matches.
    @discardableResult
    func event(
        from start: Int = 0, within limit: Duration = waitLimit,
        where matches: @escaping @Sendable (WatchEvent) -> Bool
    ) async throws -> WatchEvent {
        let answer = OneShot<WatchEvent?>()
        state.withLock { state in
            if let event = state.events.dropFirst(start).first(where: matches) {
                answer.settle(event)
            } else if state.isFinished {
                answer.settle(nil)
            } else {
                state.waiters.append(Waiter(matches: matches, answer: answer))
            }
        }
        let timer = Task(executorPreference: QueueExecutor.shared) {
            try await Task.sleep(for: limit)
            answer.settle(nil)
        }
        defer { timer.cancel() }
        guard let event = await answer.value() else { throw TimedOut(events: events) }
        return event
    }

    /// Waits until an event is there.
    func expect(_ event: WatchEvent, from start: Int = 0) async throws {
        try await self.event(from: start) { $0 == event }
    }

    /// Waits until the sequence has ended.
    func end() async {
        _ = try? await event { _ in false }
    }

    /// All events so far, and surely those of all that was done before the call.
    ///
    /// A file is made in a watched directory; when its event has come, so have all earlier ones. It is made
    /// again if it falls into a rescan.
    @discardableResult
    func settle(in directory: FilePath) async throws -> [WatchEvent] {
        for attempt in 0... {
            let cookie = directory.appending("cookie-\(events.count)-\(attempt)")
            try write("", to: cookie)
            defer { try? remove(cookie) }
            let seen = try? await event(within: .milliseconds(500)) { $0.isChange(.created, at: cookie) }
            if seen != nil { break }
            if attempt == 40 { throw TimedOut(events: events) }
        }
        return events.filter { !$0.description(contains: "cookie-") }
    }

    private func record(_ event: WatchEvent) {
        let done = state.withLock { state in
            state.events.append(event)
            let done = state.waiters.filter { $0.matches(event) }
            state.waiters.removeAll { $0.matches(event) }
            return done
        }
        for waiter in done { waiter.answer.settle(event) }
    }

    private func finish() {
        let left = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in left { waiter.answer.settle(nil) }
    }
}

extension WatchEvent {
    func isChange(_ wanted: Change, at path: FilePath) -> Bool {
        // It is asked of each of many thousand events, so that no path is made of those with other names.
        guard case .changed(let directory, let name, wanted, _) = self,
            directory.length + 1 + name.withPlatformString(strlen) == path.length,
            name.withPlatformString({ name in
                path.withPlatformString { strcmp($0 + directory.length + 1, name) == 0 }
            })
        else { return false }
        return directory == path.removingLastComponent()
    }

    /// The file that was closed after writing.
    var writtenFile: FilePath? {
        if case .changed(let directory, let name, .written, _) = self {
            directory.appending(name)
        } else {
            nil
        }
    }

    var rescanReason: RescanReason? {
        if case .rescan(let reason) = self { reason } else { nil }
    }

    func isUnwatched(_ path: FilePath, _ code: WatchError.Code) -> Bool {
        guard case .unwatched(path, let error) = self else { return false }
        return error.code == code
    }

    func description(contains text: String) -> Bool {
        guard case .changed(_, let name, _, _) = self else { return false }
        return name.string.contains(text)
    }
}

/// A watcher with its recorder, stopped at the end of the closure.
func withWatcher(
    _ roots: FilePath..., backend: InotifyBackend, options: WatchOptions = .quick,
    _ body: (Watcher, Recorder) async throws -> Void
) async throws {
    let watcher = try await Watcher(roots: roots, options: options.with(backend))
    let recorder = Recorder(watcher)
    defer { watcher.stop() }
    try await body(watcher, recorder)
}

extension WatchOptions {
    func with(_ backend: InotifyBackend) -> WatchOptions {
        var options = self
        options.backend = backend
        return options
    }

    /// Intervals that a test can wait for.
    static var quick: WatchOptions {
        var options = WatchOptions()
        options.rootRetry = RetryInterval(first: .milliseconds(20), longest: .milliseconds(100))
        options.unwatchedRetry = RetryInterval(first: .milliseconds(50), longest: .milliseconds(200))
        options.recoveryDelay = RetryInterval(first: .milliseconds(10), longest: .milliseconds(100))
        return options
    }
}

/// Does something while the watchers' threads stand still.
func hold(_ watchers: [Watcher], while body: () throws -> Void) rethrows {
    let held = DispatchSemaphore(value: 0), go = DispatchSemaphore(value: 0)
    for watcher in watchers {
        watcher.runOnThread {
            held.signal()
            go.wait()
        }
        held.wait()
    }
    defer { for _ in watchers { go.signal() } }
    try body()
}
