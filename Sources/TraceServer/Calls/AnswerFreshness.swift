internal import HTTPTypes
internal import Synchronization
internal import SystemPackage
internal import TraceLibrary

/// How an answer about many sessions is known to be true: noted while it is made, and sent as `Trace-Fresh`.
final class AnswerFreshness: Sendable {
    private let state = Mutex<(text: String?, shown: [FilePath], leftOut: Int)>((nil, [], 0))

    /// What the field says; nil for an answer that is not about many sessions.
    var text: String? { state.withLock { $0.text } }

    /// The sessions of which the answer shows what only the index says.
    var shown: [FilePath] { state.withLock { $0.shown } }

    /// How many of the journals that the client may see lack in the answer, since their files keep changing, or one of them can't be
    /// read; sent as `Trace-Left-Out`.
    var leftOut: Int { state.withLock { $0.leftOut } }

    /// Notes how many journals lack, each time that the answer is made.
    func note(leftOut: Int) { state.withLock { $0.leftOut = leftOut } }

    /// Notes what the answer shows, each time that it is made.
    func note(shown: [FilePath]) { state.withLock { $0.shown = shown } }

    /// Notes what the index was compared with. If an answer is made of several questions, all must have been watched.
    func note(isWatched: Bool) {
        state.withLock { state in
            state.text = isWatched && state.text != Self.checked ? Self.watched : Self.checked
        }
    }

    /// The files of all sessions were compared with the index.
    private static let checked = "checked"
    /// The daemon had read everything that was written before the question.
    private static let watched = "watched"
}

/// What threads of the API share that bring the index up to date.
final class Sweeping: Sendable {
    let shared = SharedSweeps()
    private let forced = Mutex(TokenBucket(RateLimit(burst: 2, every: .seconds(30))))

    /// Whether a client may have all sessions compared that are watched: twice a minute, of all clients.
    func mayForce() -> Bool { forced.withLock { $0.take(at: .now) == nil } }
}

extension Call {
    /// Asks the daemon what need not be compared; nil if all sessions are to be compared.
    var watched: (@Sendable () -> WatchedRoots?)? { comparesAll ? nil : context.host.watched }

    /// Whether all sessions are to be compared, since the client asks for it with `Cache-Control: no-cache`.
    private var comparesAll: Bool {
        let directives = (fields[.cacheControl] ?? "").split(separator: ",")
        let isAsked = directives.contains { directive in
            directive.filter { $0 != " " && $0 != "\t" }.lowercased() == "no-cache"
        }
        return isAsked && context.host.sweeping.mayForce()
    }

    /// What an endpoint answers, with how it is known to be true.
    func answer(by endpoint: Endpoint) throws -> Response {
        // Also what failed may have been written in part.
        defer { if endpoint.work.writes { noteWritten() } }
        var answer = try endpoint.answer(self)
        if let text = freshness.text { answer = answer.with(.traceFresh, text) }
        return freshness.leftOut > 0 ? answer.with(.traceLeftOut, "\(freshness.leftOut)") : answer
    }
}
