internal import HTTPTypes
internal import NIOCore
internal import RecordFormat
internal import Synchronization
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// What is known of an answer before it is made.
///
/// Source: docs/http.md#conditions-and-ranges.
extension Call {
    /// The tag that the client has already, of either coding; nil if the answer is to be made.
    ///
    /// - Throws: ``Problem`` with 412, if the request is only for another.
    func known(_ tag: EntityTag) throws(Problem) -> EntityTag? {
        switch KnownTags(method, fields).outcome(for: tag) {
        case .known(let known): return known
        case .refused: throw .notNamed
        case nil: return nil
        }
    }

    /// Adds what is asked: the same question, the same answer of one state.
    private func addQuestion(_ type: String, to ingredients: inout TagIngredients) {
        ingredients.add(route)
        ingredients.add(type)
        ingredients.add(visitor.seesPlaces)
        for (name, segment) in path.sorted(by: { $0.key < $1.key }) where name != "s" {
            ingredients.add(name)
            ingredients.add(segment.bytes)
        }
        for (name, values) in query.sorted(by: { $0.key < $1.key }) {
            ingredients.add(name)
            ingredients.add(Int64(values.count))
            for value in values { ingredients.add(value) }
        }
    }

    // MARK: - One session

    /// The tag of an answer that is made of the files of one session; nil while one of them has not rested, for then the same state
    /// does not promise the same bytes.
    func tag(of session: CalledSession, _ type: String) -> EntityTag? {
        guard let state = session.state, state.hasRested(for: context.settings.settleTime) else { return nil }
        var ingredients = context.ingredients
        addQuestion(type, to: &ingredients)
        ingredients.add(session.handle)
        state.add(to: &ingredients)
        return ingredients.tag()
    }

    /// Names an answer that is made of the files of a journal of another kind than the session, before it is made.
    func tag(of journal: FilePath, in state: JournalState, _ zone: ZoneRules) -> EntityTag {
        var ingredients = context.ingredients
        addQuestion("", to: &ingredients)
        ingredients.add(journal.bytes)
        ingredients.add(zone.name)
        state.add(to: &ingredients)
        return ingredients.tag()
    }

    /// Whether the answer changes while nothing else does.
    func isAboutNow(_ parameters: [DeclaredParameter]) -> Bool {
        parameters.contains { parameter in
            guard case .offset = parameter.type, let text = self[parameter.name] else { return false }
            return switch try? OffsetExpression(text) {
            case .now?, .beforeNow?: true
            default: false
            }
        }
    }

    // MARK: - Many sessions

    /// What an endpoint answers about many sessions: what was made a moment ago, if neither they nor the index have changed since; 304, if
    /// the client has that.
    ///
    /// - Parameters:
    ///   - moments: What the moments of the query mean now.
    ///   - make: Makes the answer of the index and of the lines that it leads to; gets what tells it what need not be compared.
    func recalled(
        _ moments: ClosedRange<Timestamp>?,
        _ make: (_ watched: (@Sendable () -> WatchedRoots?)?) throws -> Response
    ) throws -> Response {
        let (pages, answers) = (context.memory.pages, context.memory.answers)
        let start = ContinuousClock.now
        let index = try context.index()
        let watched = watched
        let roots = watched?()
        let key = ArchiveState(roots, of: context.roots, in: index).map {
            KnownPages.Key(question: question(moments), state: $0)
        }
        if let key, let tag = pages.recall(key) {
            freshness.note(isWatched: true)
            if let known = try known(tag) { return .notModified(known) }
            if let answer = answers[tag] { return answer }
        }
        // What has just been asked is asked again only if files change under the question.
        let made = try make(watched.map { Self.askingLater($0, first: roots) })
        guard case .bytes(let bytes) = made.body else { return made }
        // The bytes alone don't tell where the next page is, and cursors end with the process.
        var ingredients = context.ingredients
        addQuestion("", to: &ingredients)
        ingredients.add(context.memory.process)
        ingredients.add(made.fields.contains(.link))
        ingredients.add(Array(bytes.readableBytesView))
        let tag = ingredients.tag()
        let answer = answers.keep(made.with(.eTag, tag.description), tag)
        if let key, ArchiveState(roots, of: context.roots, in: index) == key.state {
            pages.keep(tag, key, since: start)
        }
        return answer
    }

    /// What gives an answer that is there already the first time, and asks from then on.
    private static func askingLater(
        _ ask: @escaping @Sendable () -> WatchedRoots?, first: WatchedRoots?
    ) -> @Sendable () -> WatchedRoots? {
        let isFirst = Atomic(true)
        return {
            isFirst.exchange(false, ordering: .relaxed) ? first : ask()
        }
    }

    /// Names what is asked, and by whom.
    private func question(_ moments: ClosedRange<Timestamp>?) -> EntityTag {
        var ingredients = context.ingredients
        addQuestion("", to: &ingredients)
        for moment in [moments?.lowerBound, moments?.upperBound] {
            ingredients.add(moment?.milliseconds ?? 0)
        }
        ingredients.add(visitor.token?.filter)
        return ingredients.tag()
    }
}

extension Endpoint {
    /// Answers a call; with 304, before anything but the files of a session is asked, if the client has the answer.
    func answer(_ call: Call) throws -> Response {
        guard case .session(let types, let isLocated) = caching, call.method.isRead, !call.isAboutNow(query),
            let type = AcceptHeader(call.fields[values: .accept]).best(of: types),
            type != WholeList.lines.type
        else { return try handle(call) }
        let session = try call.session()
        var call = call
        call.found = session
        guard let tag = call.tag(of: session, type) else { return try handle(call).weaklyTagged() }
        if let known = try call.known(tag) {
            return .notModified(known).with(
                .contentLocation, isLocated ? Endpoint.location(of: session.handle) : nil)
        }
        let answers = call.context.memory.answers
        return try answers[tag] ?? answers.keep(handle(call).with(.eTag, tag.description), tag)
    }

    /// The address of a session.
    static func location(of handle: String) -> String { "\(base)/sessions/\(handle)" }
}

extension Response {
    /// With a weak tag of its bytes: the files that it is made of may change without a trace.
    fileprivate func weaklyTagged() -> Response {
        guard status == .ok, fields[.eTag] == nil, case .bytes(let bytes) = body else { return self }
        return with(.eTag, EntityTag(contents: Array(bytes.readableBytesView)).weak.description)
    }
}
