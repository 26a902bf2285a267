import HTTPTypes
import ProgramHarness
import TestSupport
import Testing
import TraceAccess

@testable import TraceServer

/// Every route, asked by every kind of token.
struct AccessMatrixTests {
    /// What a token sees.
    enum Filter: CaseIterable {
        case none
        /// The session and the journal that the requests are about.
        case inside
        /// Another session only.
        case outside

        var arguments: [String] {
            switch self {
            case .none: []
            case .inside:
                ["--session", ServedSample.lateSet]
                    + FilledRoutes.journals.flatMap { ["--journal", "\($0.id)"] }
            case .outside: ["--session", ServedSample.active]
            }
        }
    }

    private let sample: ServedSample

    init() throws {
        sample = try ServedSample()
        #expect(try FilledRoutes.prepare(sample).status == 202)
    }

    private func newToken(_ scope: AccessScope, _ filter: Filter) throws -> String {
        try sample.newToken(["--scope", scope.rawValue] + filter.arguments)
    }

    private func ask(_ endpoint: Endpoint, _ token: String) throws -> WireAnswer {
        let (fields, body) = FilledRoutes.request(endpoint)
        return try sample.ask(
            endpoint.method.rawValue, FilledRoutes.path(of: endpoint), fields, token: token, json: body)
    }

    /// One after the other, with one daemon.
    @Test func `access is what the route table says`() throws {
        try `no route changes anything when it is asked with GET`()
        try `without a token every route but the declared ones is closed`()
        try `every route lets in exactly those that it declares`()
    }

    private func `every route lets in exactly those that it declares`() throws {
        for scope in AccessScope.allCases {
            for filter in Filter.allCases {
                let token = try newToken(scope, filter)
                // The last one ends the token that asks. Feeds take theirs in the address (FeedOverTheWireTests), and would count these
                // as guesses.
                for endpoint in Endpoint.routed
                where !["logOut", "deleteSession"].contains(endpoint.id) && endpoint.access != .feed {
                    try check(ask(endpoint, token), endpoint, scope, filter)
                }
                let deletion = try #require(Endpoint.all.first { $0.id == "deleteSession" })
                let deleted = try ask(deletion, token)
                check(deleted, deletion, scope, filter)
                if deleted.status == 200, let id = deleted.object["session_id"] as? String {
                    #expect(try sample.ask("POST", "/bin/\(id)/restore").status == 200)
                }
                let last = try #require(Endpoint.all.first { $0.id == "logOut" })
                try check(ask(last, token), last, scope, filter)
            }
        }
    }

    private func check(
        _ answer: WireAnswer, _ endpoint: Endpoint, _ scope: AccessScope, _ filter: Filter
    ) {
        let what = "\(endpoint.id), \(scope.rawValue), \(filter): \(answer)"
        switch refusal(of: endpoint, scope, filter) {
        case let code?:
            #expect(answer.status == 403, "\(what)")
            #expect(answer.code == code, "\(what)")
        case nil where filter == .outside && endpoint.id == "createSession":
            #expect(answer.status == 409 && answer.code == "id-taken", "\(what)")
        case nil where filter == .outside && FilledRoutes.isAboutSession(endpoint):
            #expect(answer.status == 404, "\(what)")
            let kind = FilledRoutes.isAboutJournal(endpoint) ? "journal" : "session"
            #expect(answer.code == "no-such-\(kind)", "\(what)")
        case nil where endpoint.id == "restoreSession":
            #expect(answer.status == 404, "nothing is in the bin: \(what)")
        case nil where endpoint.id == "revokeToken":
            #expect(answer.status == 404, "there is no such token: \(what)")
        case nil where endpoint.id == "resumeVoiceNoteAudio":
            #expect(answer.code == "no-such-upload", "there is nothing to continue: \(what)")
        case nil:
            #expect(![401, 403, 404].contains(answer.status), "\(what)")
            #expect(answer.status < 500, "\(what)")
        }
    }

    /// By which code a route is to refuse; nil if it is not to.
    private func refusal(of endpoint: Endpoint, _ scope: AccessScope, _ filter: Filter) -> String? {
        switch endpoint.access {
        case .anyone, .feed: nil
        case .scope(let needed), .scopeOrLink(let needed): scope.allows(needed) ? nil : "scope-insufficient"
        case .unfiltered(let needed):
            filter != .none ? "token-filtered" : scope.allows(needed) ? nil : "scope-insufficient"
        }
    }

    private func `without a token every route but the declared ones is closed`() throws {
        for endpoint in Endpoint.routed {
            let answer = try ask(endpoint, "")
            if endpoint.access == .anyone {
                #expect(answer.status != 401, "\(endpoint.id): \(answer)")
            } else if endpoint.access == .feed {
                #expect(answer.status == 404, "\(endpoint.id): \(answer)")
            } else {
                #expect(answer.status == 401, "\(endpoint.id): \(answer)")
                #expect(answer["www-authenticate"]?.hasPrefix("Bearer") == true, "\(endpoint.id)")
            }
        }
        let free = Set(Endpoint.routed.filter { $0.access == .anyone }.map(\.id))
        #expect(
            free == [
                "getDescription", "getHealth", "getPage", "getPageFile", "getPageFolderFile", "getReadiness",
                "pair",
            ])
    }

    private func `no route changes anything when it is asked with GET`() throws {
        let before = try sample.filesOfSessions()
        for endpoint in Endpoint.routed where endpoint.method == .get {
            _ = try sample.ask("GET", FilledRoutes.path(of: endpoint))
        }
        #expect(try sample.filesOfSessions() == before)
    }
}
