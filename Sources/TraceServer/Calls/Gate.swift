internal import TraceAccess
internal import Glibc
internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import Synchronization
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Lets requests in: by which name the server is called, who calls it, and whether they may.
///
/// No text of an address decides whether a token is needed: the endpoint does, which the route table has found.
///
/// Source: docs/http.md#tokens.
final class Gate: Sendable {
    private let state = Mutex<Rules?>(nil)
    private let limits = Mutex(Limits())
    private let counts: RequestCounts

    /// What follows from the settings and the listeners. Each request takes it as it is: one object, of which nothing is copied.
    private final class Rules: Sendable {
        let settings: TraceSettings
        let names: [String]
        let hosts: HostRule
        let origins: OriginRule
        let proxies: Set<IPAddress>
        let tokens: TokenTable
        let uses: TokenUses
        let refusals: RefusalLog

        /// - Parameter old: Those of before, of which what is known of tokens is kept.
        init(_ settings: TraceSettings, listeningAt names: [String], after old: Rules?) {
            self.settings = settings
            self.names = names
            hosts = Gate.hosts(names, settings)
            origins = OriginRule(publicAddress: settings.httpPublicURL)
            proxies = Set(settings.httpTrustedProxies.compactMap { IPAddress($0) })
            let state = settings.stateDirectory
            let same = old.flatMap { $0.settings.stateDirectory == state ? $0 : nil }
            let isSharedAsBefore = same?.settings.stateShared == settings.stateShared
            tokens =
                (isSharedAsBefore ? same?.tokens : nil)
                ?? TokenTable(state: state, isShared: settings.stateShared)
            uses = same?.uses ?? TokenUses(state: state)
            refusals = same?.refusals ?? RefusalLog(settings)
        }
    }

    private struct Limits {
        /// Wrong tokens of a client: 20, then one in 6 s.
        var wrongTokens = LimitTable(RateLimit(burst: 20, every: .seconds(6)), capacity: 4096)
        /// Writes of a token: 500 at once, 50 a second.
        var writes = LimitTable(RateLimit(burst: 500, perSecond: 50), capacity: 4096)
        /// Searches of a token.
        var searches = LimitTable(RateLimit(burst: 10, perSecond: 5), capacity: 4096)
    }

    init(_ counts: RequestCounts) { self.counts = counts }

    /// Takes other settings up.
    func adopt(_ settings: TraceSettings) {
        state.withLock { $0 = Rules(settings, listeningAt: $0?.names ?? [], after: $0) }
    }

    /// The addresses by which it may be called, as listeners name them.
    func noteListening(at names: [String]) {
        state.withLock { state in
            guard let rules = state else { return }
            state = Rules(rules.settings, listeningAt: names, after: rules)
        }
    }

    private static func hosts(_ names: [String], _ settings: TraceSettings) -> HostRule {
        var name = [CChar](repeating: 0, count: 256)
        let isNamed = gethostname(&name, name.count - 1) == 0
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let hostName = isNamed ? String(decoding: bytes, as: UTF8.self) : nil
        let publicHost = settings.httpPublicURL.flatMap { address in
            address.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first.map(
                String.init)
        }
        return HostRule(
            addresses: names.compactMap { name in
                name.lastIndex(of: ":").flatMap { colon in
                    IPAddress(String(name[..<colon].filter { !"[]".contains($0) }))
                }
            }, hostName: hostName, configured: settings.httpHosts + [publicHost].compactMap(\.self))
    }

    private var rules: Rules {
        get throws(Problem) {
            guard let rules = state.withLock({ $0 }) else {
                throw Problem(
                    .serviceUnavailable, "starting", "the server is starting", retryAfter: .seconds(1))
            }
            return rules
        }
    }

    // MARK: - In this order

    /// Whether the server is called by a name of its own. Asked before anything else, for every address.
    ///
    /// - Parameter address: The address of this machine at which the connection arrived; nil by a Unix socket.
    func checkHost(_ request: HTTPRequest, calledAt address: IPAddress?) throws {
        let hosts = try rules.hosts
        do throws(ProtocolError) { try hosts.check(HostRule.values(of: request), calledAt: address) } catch {
            counts.noteRefused("host")
            throw error
        }
    }

    /// Who asks. Reads the status of a directory, and after a change of the tokens their files.
    ///
    /// - Throws: ``Problem`` with 401 without a token that is ours, 403 if its scope or its filter does not allow it, or if a browser
    ///   was made to send it by another page, 429 after too many wrong ones; ``FileError`` if the tokens can't be read.
    func visitor(_ request: HTTPRequest, _ peer: Peer, for access: Endpoint.Access) throws -> Visitor {
        let rules = try rules
        let forwarded = Forwarded(
            peer: peer.address, isSecure: peer.isSecure, request.headerFields, trusting: rules.proxies)
        let client = forwarded.client.map { "\($0)" } ?? (peer.isLocal ? "unix" : "unknown")
        if access == .anyone {
            if !request.method.isRead { try checkPairing(request, isSecure: forwarded.isSecure, rules) }
            return Visitor(token: nil, scope: .read, client: client, isSecure: forwarded.isSecure)
        }
        if access == .feed {
            return try visitor(
                ofFeed: request, client, isSecure: forwarded.isSecure, rules)
        }
        if case .scopeOrLink = access,
            let target = try? RequestTarget(request.path ?? "", method: request.method),
            MediaLink.isPresented(in: target)
        {
            return try visitor(by: target, for: access, client, isSecure: forwarded.isSecure, rules)
        }
        let presented = try Authorization.presented(
            in: request.headerFields, cookie: AccessCookie(isSecure: forwarded.isSecure))
        guard let presented else {
            guard peer.isLocal else { throw Self.unauthorized("token-missing", "no token was sent") }
            return Visitor(token: nil, scope: .admin, client: client, isSecure: false)
        }
        let token = try token(presented.token, client, rules)
        try rules.origins.check(
            request.method, request.headerFields, authorization: presented,
            host: request.authority ?? "", isSecure: forwarded.isSecure)
        try check(token, for: access)
        try? rules.uses.note(token.id, TokenUse(at: Clock.now(), address: client))
        return Visitor(token: token, scope: token.scope, client: client, isSecure: forwarded.isSecure)
    }

    /// Checks before a code is looked at, and used up, that the cookie which it brings would count.
    private func checkPairing(
        _ request: HTTPRequest, isSecure: Bool, _ rules: Rules
    ) throws(ProtocolError) {
        _ = try Authorization.fieldToken(in: request.headerFields)
        try rules.origins.checkPairing(
            request.headerFields, host: request.authority ?? "", isSecure: isSecure)
    }

    /// Who comes by a link: the bearer of its token, who may do no more with it than listen.
    private func visitor(
        by target: RequestTarget, for access: Endpoint.Access, _ client: String, isSecure: Bool,
        _ rules: Rules
    ) throws -> Visitor {
        let time = Clock.now()
        let key = try LinkKey(state: rules.settings.stateDirectory)
        guard let link = MediaLink(target, signedBy: key), time.milliseconds / 1000 < link.expiry,
            case .granted(let token) = try rules.tokens.decision(for: link.token, at: time)
        else {
            throw refusal(
                "link", of: client, rules,
                Self.unauthorized(
                    "link-invalid", "the link is not valid, or no longer", cure: "ask for another one"))
        }
        try check(token, for: access)
        try? rules.uses.note(token.id, TokenUse(at: time, address: client))
        return Visitor(token: token, scope: .read, client: client, isSecure: isSecure)
    }

    /// Who asks by the address of a feed. An app that subscribes sends no header; its maker's servers may ask for it.
    private func visitor(
        ofFeed request: HTTPRequest, _ client: String, isSecure: Bool, _ rules: Rules
    ) throws -> Visitor {
        let time = Clock.now()
        let target = try RequestTarget(request.path ?? "", method: request.method)
        guard let text = target.segments.dropFirst().first?.text,
            let secret = try? TokenSecret(parsing: text.utf8),
            case .granted(let token) = try rules.tokens.decision(for: secret, at: time), token.scope == .feed
        else { throw refusal("feed", of: client, rules, .notFound) }
        try? rules.uses.note(token.id, TokenUse(at: time, address: client))
        return Visitor(token: token, scope: .feed, client: client, isSecure: isSecure)
    }

    /// What is answered to a wrong token, which is counted: the refusal, or that too many came from its address.
    ///
    /// Only wrong ones are counted, and only they have to wait: however many come from an address, a right one gets in. It has so many bits
    /// that nobody finds it by trying; what is limited is the work, and the lines of the log.
    private func refusal(
        _ what: String, of client: String, _ rules: Rules, _ refusal: Problem
    ) -> Problem {
        // One subscriber has a whole network of IPv6.
        let key = IPAddress(client)?.limitKey ?? client
        guard let delay = limits.withLock({ $0.wrongTokens.take(key, at: .now) }) else {
            counts.noteRefused(what)
            rules.refusals.note(client)
            return refusal
        }
        counts.noteRefused("guessing")
        return Problem(
            .tooManyRequests, "too-many-attempts", "too many wrong tokens came from this address",
            cure: "wait, then try again with the right token", retryAfter: delay)
    }

    /// Whether a token still lets its holder in; false if the tokens can't be read.
    func isAlive(_ token: ULID) -> Bool {
        guard let rules = try? rules, case .granted? = try? rules.tokens.decision(for: token, at: Clock.now())
        else { return false }
        return true
    }

    /// The token that a secret is of.
    private func token(_ secret: String, _ client: String, _ rules: Rules) throws -> AccessToken {
        let wrong: Problem
        do {
            switch try rules.tokens.decision(for: TokenSecret(parsing: secret.utf8), at: Clock.now()) {
            case .granted(let token): return token
            case .expired: wrong = Self.unauthorized("token-expired", "the token has expired")
            case .unknown: wrong = Self.unauthorized("token-unknown", "the token is unknown")
            }
        } catch let error as AccessError where error.code == .tokenMalformed || error.code == .tokenMistyped {
            // That the checksum does not fit, anybody can compute: it tells nothing of the tokens that there are.
            wrong = Self.unauthorized(
                error.code.rawValue, error.message, cure: error.cure ?? "copy the whole token")
        }
        throw refusal("token", of: client, rules, wrong)
    }

    private static func unauthorized(
        _ code: String, _ detail: String,
        cure: Cure = "send 'Authorization: Bearer TOKEN'; on the server, 'trace token add' makes a token"
    ) -> Problem {
        Problem(
            .unauthorized, code, detail, cure: cure,
            fields: [.wwwAuthenticate: "Bearer realm=\"trace\""])
    }

    private func check(_ token: AccessToken, for access: Endpoint.Access) throws(Problem) {
        let needed: AccessScope
        switch access {
        case .anyone, .feed: return
        case .scope(let scope), .scopeOrLink(let scope): needed = scope
        case .unfiltered(let scope):
            needed = scope
            guard token.filter == nil else {
                throw Problem(
                    .forbidden, "token-filtered", "this token is limited to some sessions",
                    cure: "use a token that sees all sessions", fields: [.traceToken: "\(token.id)"])
            }
        }
        guard token.scope.allows(needed) else {
            counts.noteRefused("scope")
            throw Problem(
                .forbidden, "scope-insufficient",
                "this needs scope '\(needed.rawValue)', but the token has '\(token.scope.rawValue)'",
                cure: ["use a token of that scope", "on the server, \(verb: "token add") makes one"],
                fields: [.traceToken: "\(token.id)"])
        }
    }

    /// Counts a write or a search of a token.
    ///
    /// - Throws: ``Problem`` with 429.
    func count(_ work: Endpoint.Work, _ visitor: Visitor) throws(Problem) {
        guard let token = visitor.token?.id.description else { return }
        let now = ContinuousClock.now
        let delay: Duration? = limits.withLock { limits in
            switch work {
            case .writing, .delivering, .importing: limits.writes.take(token, at: now)
            case .searching: limits.searches.take(token, at: now)
            case .asking, .immediate: nil
            }
        }
        guard let delay else { return }
        counts.noteRefused("rate")
        throw Problem(
            .tooManyRequests, "too-many-requests", "this token sends requests too fast",
            cure: "wait as long as Retry-After says", retryAfter: delay)
    }
}

/// Writes refused attempts into the access log: the first of an address at once, those of the next minute together.
final class RefusalLog: Sendable {
    private let log: AccessLog
    private let state = Mutex<[String: (count: Int64, since: Timestamp)]>([:])
    private static let interval: Int64 = 60_000
    private static let capacity = 1000

    init(_ settings: TraceSettings) {
        log = AccessLog(state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory)
    }

    /// Notes an attempt.
    func note(_ client: String) {
        let now = Clock.now()
        let due: Int64? = state.withLock { state in
            guard let known = state[client] else {
                // Of more addresses than that, each attempt is not worth a line.
                if state.count >= Self.capacity { state = [:] }
                state[client] = (0, now)
                return 1
            }
            guard now.milliseconds(since: known.since) >= Self.interval else {
                state[client] = (known.count + 1, known.since)
                return nil
            }
            state[client] = (0, now)
            return known.count + 1
        }
        guard let due else { return }
        try? log.append(AccessEvent(.refused, at: now, address: client, count: due))
    }
}
