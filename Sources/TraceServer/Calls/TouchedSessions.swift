internal import Synchronization
internal import SystemPackage
internal import TraceLibrary

/// The sessions that a request was about: what it has written there is reported without waiting for the watcher.
final class TouchedSessions: Sendable {
    private let paths = Mutex<Set<FilePath>>([])

    /// Notes a session; nil is none.
    func note(_ path: FilePath?) { if let path { _ = paths.withLock { $0.insert(path) } } }

    /// Those that were noted.
    var all: Set<FilePath> { paths.withLock { $0 } }
}

extension Call {
    /// Has those told who follow the sessions of this request.
    func noteWritten() { for session in touched.all { context.host.events.noteWrite(to: session) } }
}
