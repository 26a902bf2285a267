internal import Dispatch
package import RecordFormat
internal import Synchronization
package import SystemPackage
internal import TraceAccess
internal import TraceFiles
internal import TraceFormat
package import TraceIndex
package import TraceStore

/// Tells clients what happens to sessions, to other journals and to the queue, by any program.
///
/// reconciler, queue, HTTP writes → hints where to look → ``EventDeriver`` → ``EventRing`` → subscriptions
///
/// An event is a hint: the files are the truth. While nobody follows, nothing is looked at; who comes next has everything compared once.
///
/// Source: docs/http.md#events.
package final class EventHub: Sendable {
    private let work = DispatchQueue(label: "traced.events", qos: .userInitiated)
    private let state: Mutex<State>
    private let isFollowed = Atomic(false)
    /// The look itself; only one at a time.
    private let deriver = Mutex<Deriving?>(nil)

    private struct State {
        var ring: EventRing
        var subscriptions: [Int: Subscription.Wake] = [:]
        var lastNumber = 0
        var countOfOwner: [ULID: Int] = [:]
        var hints = Hints()
        var isScheduled = false
        var isEnded = false
    }

    private struct Hints {
        /// Where to look, and whether the index is to be brought up to date first.
        var sessions: [FilePath: Bool] = [:]
        var queue = false
        var all = false
    }

    fileprivate struct Deriving {
        let source: Source
        var deriver: EventDeriver
    }

    /// Where events come from; another one tells everybody to ask again.
    package struct Source: Sendable {
        let index: JournalIndex
        let roots: SessionRoots
        let queue: QueueDirectories
        let settleTime: Duration

        package init(
            _ index: JournalIndex, _ roots: SessionRoots, _ queue: QueueDirectories, settleTime: Duration
        ) {
            self.index = index
            self.roots = roots
            self.queue = queue
            self.settleTime = settleTime
        }

        func isSame(as other: Source) -> Bool {
            index === other.index && roots.paths == other.roots.paths && queue == other.queue
        }
    }

    /// How many streams a token may have, and all together.
    static let limitPerOwner = 8
    static let limit = 512

    package init() { state = Mutex(State(ring: EventRing())) }

    // MARK: - Hints

    /// A session has been looked at, and its rows are up to date.
    package func noteLook(at session: FilePath) {
        hint { $0.sessions[session] = $0.sessions[session] ?? false }
    }

    /// This process has written into a session: events of it need not wait for the watcher.
    package func noteWrite(to session: FilePath) { hint { $0.sessions[session] = true } }

    /// Something in the spools may have changed.
    package func noteQueue() { hint { $0.queue = true } }

    /// Anything may have changed.
    package func noteAll() { hint { $0.all = true } }

    private func hint(_ note: (inout Hints) -> Void) {
        guard isFollowed.load(ordering: .relaxed) else { return }
        let isFirst = state.withLock { state in
            note(&state.hints)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { work.async { self.look() } }
    }

    private func look() {
        deriver.withLock { deriving in
            let hints = state.withLock { state in
                defer { (state.hints, state.isScheduled) = (Hints(), false) }
                return state.hints
            }
            guard var now = deriving else { return }
            do {
                var news: [EventDeriver.News] = []
                for (session, isWritten) in hints.sessions.sorted(by: { $0.key.string < $1.key.string }) {
                    if isWritten { try now.bringUpToDate(session) }
                    if !hints.all { news += try now.deriver.look(at: session) }
                }
                if hints.all { news += try now.deriver.lookAtAll() }
                if hints.queue { news += now.deriver.lookAtQueue() }
                deriving = now
                tell(news, now.source)
            } catch {
                // The index was replaced, or can't be read now: what is not known is asked for.
                deriving = try? Deriving(now.source)
                reset()
            }
        }
    }

    // MARK: - Telling

    private func tell(_ news: [EventDeriver.News], _ source: Source) {
        guard !news.isEmpty else { return }
        let handles = SessionHandles(source.index, within: SessionScope(roots: source.roots.paths))
        let form = AnswerForm(showsPaths: false) { path, id in
            (try? handles.handle(of: path, id)) ?? SessionHandles.digest(of: path)
        }
        let encoded = news.map { Self.encoded($0, form) }
        state.withLock { state in
            for (kind, data, audience) in encoded { state.ring.append(kind, data, audience) }
            for wake in state.subscriptions.values { wake.yield() }
        }
    }

    private static func encoded(
        _ news: EventDeriver.News, _ form: AnswerForm
    ) -> (String, JSONText, EventRing.Audience) {
        switch news {
        case .reset(let path, let id):
            let data = JSONText.object { $0.session(at: path, id, form) }
            return ("reset", data, .records(path, id))
        case .event(let event):
            let audience: EventRing.Audience
            switch (event.subject, event.session) {
            case (.queue, _): audience = .queue(event.sessionID)
            case (.session, let path?), (.journal, let path?): audience = .session(path, event.sessionID)
            case (_, let path?): audience = .records(path, event.sessionID)
            case (_, nil): audience = .everyone
            }
            return ("watch", event.json(form), audience)
        }
    }

    private func reset() {
        state.withLock { state in
            state.ring.append("reset", .object { _ in }, .everyone)
            for wake in state.subscriptions.values { wake.yield() }
        }
    }

    // MARK: - Subscriptions

    /// Why a client can't follow.
    package enum Refusal: Error {
        /// So many streams are open already, of its token or in all.
        case tooMany
        /// The process ends.
        case ending
    }

    /// Follows from now on, or from the event on that a client got last.
    ///
    /// - Parameters:
    ///   - sessions: Those whose records are reported, too; brought up to date by the caller.
    ///   - owner: The token, of which there are ``limitPerOwner`` at most.
    ///   - lastEvent: As the client has it.
    /// - Throws: ``Refusal``; ``IndexError``.
    package func subscribe(
        to sessions: Set<FilePath>, seeing scope: SessionScope, of owner: ULID?, after lastEvent: String?,
        from source: Source
    ) throws -> Subscription {
        try deriver.withLock { deriving in
            var now: Deriving
            if let known = deriving, known.source.isSame(as: source) {
                now = known
                if !isFollowed.load(ordering: .relaxed) { tell(try now.deriver.lookAtAll(), source) }
            } else {
                let isOther = deriving != nil
                now = try Deriving(source)
                if isOther { reset() }
            }
            let known = lastEvent.flatMap { id in state.withLock { $0.ring.number(of: id) } }
            let isComplete = known.map { now.deriver.isComplete(for: sessions, since: $0) } ?? false
            for session in sessions.sorted(by: { $0.string < $1.string }) {
                // What came while nobody followed it.
                tell(try now.deriver.look(at: session), source)
                try now.deriver.follow(session, at: state.withLock { $0.ring.last })
            }
            deriving = now
            let (stream, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            return try state.withLock { state in
                guard !state.isEnded else { throw Refusal.ending }
                guard state.subscriptions.count < Self.limit,
                    owner.map({ state.countOfOwner[$0, default: 0] < Self.limitPerOwner }) ?? true
                else { throw Refusal.tooMany }
                state.lastNumber += 1
                state.subscriptions[state.lastNumber] = wake
                if let owner { state.countOfOwner[owner, default: 0] += 1 }
                isFollowed.store(true, ordering: .relaxed)
                // What lies further back is found to be gone when it is taken.
                let after = isComplete ? known : nil
                wake.yield()
                return Subscription(
                    number: state.lastNumber, hub: self, wakes: stream, owner: owner, sessions: sessions,
                    scope: scope, after: after ?? state.ring.last, isReset: lastEvent != nil && after == nil,
                    start: state.ring.id(after ?? state.ring.last))
            }
        }
    }

    /// How many follow.
    package var count: Int { state.withLock { $0.subscriptions.count } }

    /// Ends all subscriptions; nobody can follow from now on.
    package func end() {
        let wakes = state.withLock { state in
            state.isEnded = true
            return Array(state.subscriptions.values)
        }
        for wake in wakes { wake.finish() }
    }

    fileprivate func wake(_ number: Int) { state.withLock { $0.subscriptions[number] }?.yield() }

    fileprivate func leave(_ number: Int, _ owner: ULID?) {
        state.withLock { state in
            state.subscriptions[number] = nil
            if let owner {
                let left = state.countOfOwner[owner, default: 1] - 1
                state.countOfOwner[owner] = left > 0 ? left : nil
            }
            if state.subscriptions.isEmpty { isFollowed.store(false, ordering: .relaxed) }
        }
    }

    /// What is to be sent to a subscription that has got everything up to a number.
    fileprivate func events(
        after number: Int64, _ isSeen: (EventRing.Audience) -> Bool
    ) -> (events: [[UInt8]]?, last: Int64, id: String) {
        state.withLock { state in
            let (last, id) = (state.ring.last, state.ring.id(state.ring.last))
            guard number >= state.ring.first - 1 else { return (nil, last, id) }
            let seen = state.ring.events(after: number).filter { isSeen($0.audience) }
            guard seen.count <= Subscription.lagLimit else { return (nil, last, id) }
            return (seen.map(\.text), last, id)
        }
    }
}

extension EventHub.Deriving {
    init(_ source: EventHub.Source) throws {
        self.source = source
        deriver = try EventDeriver(source.index, source.roots, source.queue)
    }

    /// Reads what has been written into a session.
    func bringUpToDate(_ session: FilePath) throws {
        guard let root = source.roots.root(of: session) else { return }
        _ = try source.index.reconcile(
            journal: session, in: root, settleTime: source.settleTime, verification: .quick)
    }
}

/// The events of one client. It ends with its last use.
package final class Subscription: Sendable {
    typealias Wake = AsyncStream<Void>.Continuation

    /// Comes when there may be something to send; ends when the process does.
    package let wakes: AsyncStream<Void>
    /// The field that names where it began.
    package let start: String
    private let number: Int
    private let hub: EventHub
    private let owner: ULID?
    private let sessions: Set<FilePath>
    private let scope: SessionScope
    private let place: Mutex<(after: Int64, isReset: Bool)>

    /// A client that is so many events behind gets a request to ask again, instead of each.
    fileprivate static let lagLimit = 256

    fileprivate init(
        number: Int, hub: EventHub, wakes: AsyncStream<Void>, owner: ULID?, sessions: Set<FilePath>,
        scope: SessionScope, after: Int64, isReset: Bool, start: String
    ) {
        self.number = number
        self.hub = hub
        self.wakes = wakes
        self.owner = owner
        self.sessions = sessions
        self.scope = scope
        self.start = start
        place = Mutex((after, isReset))
    }

    deinit { hub.leave(number, owner) }

    /// Has ``wakes`` come, though there may be nothing to send.
    package func wake() { hub.wake(number) }

    /// What is to be sent now, as server-sent events; empty if nothing is.
    package func take() -> [[UInt8]] {
        place.withLock { place in
            let found = hub.events(after: place.after, isSeen)
            let isReset = place.isReset || found.events == nil
            place = (found.last, false)
            return isReset ? [Array("id: \(found.id)\nevent: reset\ndata: {}\n\n".utf8)] : found.events ?? []
        }
    }

    private func isSeen(_ audience: EventRing.Audience) -> Bool {
        switch audience {
        case .everyone: true
        case .session(let path, let id): scope.shows(path, id)
        case .records(let path, let id): sessions.contains(path) && scope.shows(path, id)
        // An entry says to which journal it belongs, and not where that lies: a token that sees a directory is not told.
        case .queue(let id):
            scope.filter.map { filter in
                id.map { filter.sessions.contains($0) || filter.journals.contains($0) } ?? false
            } ?? true
        }
    }
}
