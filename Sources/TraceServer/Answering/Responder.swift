internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import RecordFormat
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Takes a request from the connection to its endpoint, and the answer back: the one path of all requests.
///
/// name of the server → address → route → token, scope, origin → parameters → body → endpoint → conditions → bytes
final class Responder: Sendable {
    private let threads: ServerThreads
    private let connections: ConnectionTable
    private let log: Logger
    private let routes = RouteTable(Endpoint.routed)
    private let gate: Gate
    private let counts: RequestCounts
    private let contexts: ServerContexts
    private let lanes = FastLanes()
    private let bodies = BodyRoom()
    private let memory: MemoryRelease
    private let tokens: TokenWatch

    init(
        _ host: ServerHost, _ loops: any EventLoopGroup, _ threads: ServerThreads,
        _ connections: ConnectionTable, _ log: Logger
    ) {
        self.threads = threads
        self.connections = connections
        self.log = log
        let counts = RequestCounts()
        self.counts = counts
        let gate = Gate(counts)
        self.gate = gate
        tokens = TokenWatch(loops, threads, connections) { gate.isAlive($0) }
        let contexts = ServerContexts(host, counts, connections)
        self.contexts = contexts
        memory = MemoryRelease(loops, threads) { contexts.releaseMemory() }
    }

    /// What counts from now on.
    func adopt(_ settings: TraceSettings) {
        contexts.adopt(settings)
        gate.adopt(settings)
    }

    /// Ends the questions that are under way, and what it does between requests; for a process that is about to end.
    func stop() {
        contexts.stop()
        tokens.stop()
        memory.stop()
    }

    /// The addresses by which it may be called.
    func noteListening(at names: [String]) { gate.noteListening(at: names) }

    /// Answers a request of Hummingbird's.
    func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let start = ContinuousClock.now
        defer { memory.noteWork() }
        let number = connections.beginRequest(channel)
        var note = Note()
        var answer: Response
        do {
            answer = try await self.answer(request, channel, number, writer, &note)
        } catch is CancellationError {
            return
        } catch {
            let problem = Problem(error, isQuestion: request.method == .get || request.method == .head)
            let id = IDGenerator.next()
            if problem.status == .internalServerError {
                log.error(
                    "a request failed", error: error,
                    metadata: ["request": "\(id)", "route": "\(note.route)"])
            }
            answer = problem.answer(id: id, hides: note.redaction).encoded(for: request.head)
            // What is left of a body that nobody reads would be taken for the next request.
            if note.hasUnreadBody { answer.fields[.connection] = "close" }
        }
        answer = ResponseFields.complete(answer)
        // A browser that keeps answers keeps each for the token that it was for.
        if let token = note.token { answer.fields[.traceToken] = "\(token)" }
        // What is sent for long is sent to somebody who may still have it.
        if let token = note.token, answer.body.isLong { tokens.bind(channel, to: token) }
        let time = start.duration(to: .now)
        counts.note(note.route, answer.status.code, time)
        log.debug(
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(note.route)",
                "status": "\(answer.status.code)", "bytes": "\(answer.body.length ?? -1)",
                "milliseconds": "\(Int64(time / .milliseconds(1)))",
                "token": "\(note.token.map { "\($0)" } ?? "none")",
            ])
        defer { if answer.body.isLong { tokens.release(channel) } }
        try await send(answer, to: request, writer, channel.eventLoop)
    }

    /// What is known of a request so far, for the log and for a problem that comes up.
    private struct Note {
        var route = "none"
        var token: ULID?
        var redaction = Redaction.all
        var hasUnreadBody = false
    }

    // MARK: - The steps

    private func answer(
        _ request: Request, _ channel: any Channel, _ number: Int, _ writer: borrowing ResponseWriter,
        _ note: inout Note
    ) async throws -> Response {
        note.hasUnreadBody = Self.hasBody(request.head)
        try gate.checkHost(request.head, calledAt: channel.calledAddress)
        let target = try RequestTarget(request.head.path ?? "", method: request.method)
        guard !target.endsWithSlash, let contexts = contexts.current else { throw Problem.notFound }
        let endpoint: Endpoint
        let path: [String: RequestTarget.Segment]
        switch routes.match(request.method, target.segments) {
        case .nothing: throw Problem.notFound
        case .wrongMethod(let allowed):
            let names = allowed.map(\.rawValue).joined(separator: ", ")
            if request.method == .options { return Response(.noContent, [.allow: names]) }
            throw Problem(
                .methodNotAllowed, "method-not-allowed", "this address allows \(names)",
                fields: [.allow: names])
        case .endpoint(let found, let values): (endpoint, path) = (found, values)
        }
        note.route = endpoint.fullPath
        let context = contexts.context(for: endpoint.work)
        let head = request.head
        let (gate, connections) = (gate, connections)
        let arrive = { @Sendable (body: [UInt8], visitor: Visitor) throws -> Call in
            Call(
                route: endpoint.fullPath, method: head.method, fields: head.headerFields,
                host: head.authority ?? "", path: path,
                rest: endpoint.rest(of: target.segments),
                query: try QueryCheck.values(of: target.query, endpoint), body: body, visitor: visitor,
                context: context, now: Clock.now(), hangUp: { connections.cut(channel) })
        }
        // What never waits is answered here, and for anyone: nothing of the client is looked at.
        if endpoint.work == .immediate, endpoint.access == .anyone, endpoint.body == nil, !note.hasUnreadBody
        {
            return ResponseFields.settled(try arrive([], .anyone).answer(by: endpoint), for: head)
        }
        let peer = Peer(channel, isSecure: connections.isEncrypted(channel))
        guard let rule = endpoint.body else {
            guard !note.hasUnreadBody else {
                throw Problem(
                    .contentTooLarge, "body-unexpected", "this address accepts no body", cure: "leave it out")
            }
            let outcome = try await threads.run(endpoint.work) { () -> Visit in
                let visitor = try gate.visitor(head, peer, for: endpoint.access)
                do {
                    try gate.count(endpoint.work, visitor)
                    let answer = try arrive([], visitor).answer(by: endpoint)
                    return .answered(try Self.settled(answer, for: head), visitor)
                } catch { return .failed(error, visitor) }
            }
            return try take(outcome, context, &note)
        }
        let visitor = try await threads.run(.asking) { try gate.visitor(head, peer, for: endpoint.access) }
        noteVisitor(visitor, context, &note)
        try gate.count(endpoint.work, visitor)
        try BodyCheck.require(rule, head)
        let call = try arrive([], visitor)
        let sink: (any BodySink)? =
            if let begin = endpoint.receive { try await threads.receive { try begin(call) } } else { nil }
        if head.headerFields[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        if let sink { return try await receive(request, sink, visitor, channel, number, &note) }
        let body = try bodies.enter(
            Forwarded.sender(visitor.client, peer.address, head.headerFields),
            in: context.settings.stateDirectory)
        try await gather(request.body, into: body, upTo: rule.limit)
        note.hasUnreadBody = false
        // A client that has gone gets no answer, and what it did not finish is not written.
        guard connections.isWhole(channel, request: number) else { throw CancellationError() }
        return try await threads.run(endpoint.work) {
            try Self.settled(try arrive(body.whole(), visitor).answer(by: endpoint), for: head)
        }
    }

    /// Takes a body into the room of all bodies.
    ///
    /// - Throws: ``Problem`` with 413 as soon as it is longer than `limit`, 503 if there is no room for it, 400 if it ends before it is
    ///   whole, or if its chunks break the grammar; ``FileError`` with `.diskFull`; `CancellationError`.
    private func gather(_ body: RequestBody, into received: ReceivedBody, upTo limit: Int) async throws {
        try await BodyCheck.forEachPiece(of: body) { piece in
            if try received.take(piece, upTo: limit) { try await threads.receive { try received.store() } }
        }
    }

    /// Hands a body on while it comes. What has come of one that is cut off stays with the sink.
    private func receive(
        _ request: Request, _ sink: any BodySink, _ visitor: Visitor, _ channel: any Channel, _ number: Int,
        _ note: inout Note
    ) async throws -> Response {
        let (threads, head) = (threads, request.head)
        if let token = visitor.token?.id { tokens.bind(channel, to: token) }
        do {
            try await BodyCheck.forEachPiece(of: request.body) { piece in
                try await threads.receive { try sink.take(Array(piece.readableBytesView)) }
            }
            guard connections.isWhole(channel, request: number) else { throw CancellationError() }
            note.hasUnreadBody = false
            // Nobody is cut off from the answer to what is written.
            tokens.release(channel)
            return try await threads.run(.delivering) { try Self.settled(try sink.finish(), for: head) }
        } catch {
            tokens.release(channel)
            try? await threads.receive { sink.cutOff() }
            throw error
        }
    }

    /// Up to this length a body is read with its answer.
    private static let gatheredLength: Int64 = 64 * 1024

    private static func settled(_ answer: Response, for head: HTTPRequest) throws -> Response {
        let answer = ResponseFields.settled(answer, for: head)
        return head.method == .head ? answer : try answer.gathered(upTo: gatheredLength)
    }

    private enum Visit: Sendable {
        case answered(Response, Visitor)
        case failed(any Error, Visitor)
    }

    private func take(
        _ outcome: Visit, _ context: ServerContext, _ note: inout Note
    ) throws -> Response {
        switch outcome {
        case .answered(let answer, let visitor):
            noteVisitor(visitor, context, &note)
            return answer
        case .failed(let error, let visitor):
            noteVisitor(visitor, context, &note)
            throw error
        }
    }

    private func noteVisitor(_ visitor: Visitor, _ context: ServerContext, _ note: inout Note) {
        note.token = visitor.token?.id
        note.redaction = visitor.seesPlaces ? .none : .directories(context.places)
    }

    private static func hasBody(_ head: HTTPRequest) -> Bool {
        head.headerFields.contains(.transferEncoding)
            || (head.headerFields[.contentLength].flatMap { Int64($0) } ?? 0) > 0
    }

    // MARK: - Bytes

    private func send(
        _ answer: Response, to request: Request, _ writer: consuming ResponseWriter, _ loop: any EventLoop
    ) async throws {
        let isHead = request.method == .head
        let head = HTTPResponse(status: answer.status, headerFields: answer.fields)
        switch answer.body {
        case .none: try await writer.write(response: head, body: ResponseBody())
        case _ where isHead: try await writer.writeResponse(head)
        case .bytes(let bytes): try await writer.write(response: head, body: ResponseBody(byteBuffer: bytes))
        case .source(let source, _):
            var out = try await writer.writeHead(head)
            try await send(source, to: &out, loop)
            try await out.finish(nil)
        case .events(let subscription):
            var out = try await writer.writeHead(head)
            // Without this, nobody would notice that the client has gone.
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await EventStream(subscription, loop).send(to: &out)
            }
            try await out.finish(nil)
        }
    }

    /// Sends a body piece by piece: a client that is slow has one piece waiting for it, one that is fast is read for ahead.
    ///
    /// A piece is not written when `write` returns, but queued for the connection's thread, and only there it is seen that the socket
    /// takes no more: with many clients at once, what is queued would grow to megabytes for each. So the thread is waited for from the
    /// second piece on.
    private func send(
        _ source: any ResponseSource, to out: inout some ResponseBodyWriter, _ loop: any EventLoop
    ) async throws {
        var pace = SendingPace(lanes)
        var made = try await piece(of: source, pace.pieceSize)
        var isFirst = true
        while let bytes = made.bytes {
            let rest = made.rest
            let start = ContinuousClock.now
            defer { isFirst = false }
            if pace.isFast {
                let size = pace.pieceSize
                async let next = piece(of: rest, size)
                try await out.write(bytes)
                try await loop.submit {}.get()
                pace.note(start.duration(to: .now))
                made = try await next
            } else {
                try await out.write(bytes)
                if !isFirst { try await loop.submit {}.get() }
                pace.note(start.duration(to: .now))
                made = try await piece(of: rest, pace.pieceSize)
            }
        }
    }

    private func piece(
        of source: any ResponseSource, _ size: Int
    ) async throws -> (bytes: ByteBuffer?, rest: any ResponseSource) {
        try await threads.run(.asking) {
            var source = source
            let bytes = try source.next(atMost: size)
            return (bytes, source)
        }
    }
}
