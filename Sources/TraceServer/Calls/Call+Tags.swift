internal import HTTPTypes
internal import NIOCore
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// What is known of an answer before it is made.
///
/// Source: server.md, section 3, "Caching".
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

    /// Whether the answer changes while nothing else does.
    func isAboutNow(_ parameters: [Parameter]) -> Bool {
        parameters.contains { parameter in
            guard case .offset = parameter.type, let text = self[parameter.name] else { return false }
            return switch try? OffsetExpression(text) {
            case .now?, .beforeNow?: true
            default: false
            }
        }
    }

    // MARK: - Many sessions

    /// The state of the index that an answer about many sessions is made of, and the tag that follows.
    struct IndexTag {
        let tag: EntityTag
        fileprivate let revision: IndexRevision

        /// The tag of an answer that is made now: weak if the index has changed meanwhile, for then it may be of either state.
        func confirmed(_ index: SessionIndex) throws -> EntityTag {
            try index.revision() == revision ? tag : tag.weak
        }
    }

    /// The tag of an answer that is made of the index alone, and of the lines that it leads to.
    ///
    /// - Parameters:
    ///   - index: One that is up to date.
    ///   - moments: What the moments of the query mean now.
    func tag(
        of index: SessionIndex, _ type: String, _ moments: ClosedRange<Timestamp>? = nil
    ) throws -> IndexTag {
        let revision = try index.revision()
        var ingredients = context.ingredients
        addQuestion(type, to: &ingredients)
        ingredients.add(context.memory.process)
        ingredients.add(revision.epoch)
        ingredients.add(revision.number)
        for moment in [moments?.lowerBound, moments?.upperBound] {
            ingredients.add(moment?.milliseconds ?? 0)
        }
        ingredients.add(
            try context.memory.active.forgottenCount(
                index, revision, now: now, after: context.settings.staleAfter))
        // Whether a root is there is told by a look at it, not by the index.
        for root in context.roots.paths { ingredients.add(try index.look(atRoot: root) == .online) }
        if let filter = visitor.token?.filter {
            for id in filter.sessions { ingredients.add("\(id)") }
            for root in filter.roots { ingredients.add(root.bytes) }
        }
        return IndexTag(tag: ingredients.tag(), revision: revision)
    }
}

extension Endpoint {
    /// Answers a call; with 304, before anything but the files of a session is asked, if the client has the answer.
    func answer(_ call: Call) throws -> Answer {
        guard case .session(let types, let isLocated) = caching, call.method.isRead, !call.isAboutNow(query),
            let type = AcceptHeader(call.fields[values: .accept]).best(of: types),
            type != Call.streamedType
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

extension Answer {
    /// With a weak tag of its bytes: the files that it is made of may change without a trace.
    fileprivate func weaklyTagged() -> Answer {
        guard status == .ok, fields[.eTag] == nil, case .bytes(let bytes) = body else { return self }
        return with(.eTag, EntityTag(contents: Array(bytes.readableBytesView)).weak.description)
    }
}
