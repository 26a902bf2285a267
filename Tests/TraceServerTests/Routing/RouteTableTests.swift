import HTTPTypes
import Testing

@testable import TraceServer

/// Which endpoint an address and a method lead to.
struct RouteTableTests {
    private let table = RouteTable(Endpoint.all)

    private func match(_ method: HTTPRequest.Method, _ path: String) throws -> RouteTable.Match {
        table.match(method, try RequestTarget(path, method: method).segments)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/healthz", "getHealth"), (.get, "/api/v1", "getServer"),
        (.get, "/api/v1/sessions", "listSessions"), (.get, "/api/v1/sessions/last", "getSession"),
        (.head, "/api/v1/sessions/last", "getSession"), (.put, "/api/v1/sessions/x", "createSession"),
        (.get, "/api/v1/sessions/a%20b/markers", "listMarkers"),
        (.get, "/api/v1/sessions/x/files/media/a/b.m4a", "getSessionFile"),
        (.post, "/api/v1/queue/flush", "flushQueue"), (.put, "/api/v1/queue/flush", "putQueueEntry"),
        (.get, "/api/v1/queue/flush", "getQueueEntry"),
    ])
    func `an address leads to its endpoint`(method: HTTPRequest.Method, path: String, id: String) throws {
        guard case .endpoint(let endpoint, _) = try match(method, path) else {
            Issue.record("\(method) \(path) leads nowhere")
            return
        }
        #expect(endpoint.id == id)
    }

    @Test(arguments: [
        "/", "/api", "/api/v2", "/API/v1", "/api/v1/Sessions", "/api/v1/sessions/x/nothing", "/healthz/x",
        "/api/v1/sessions/x/files", "/api/v1/sessions%2Fx",
    ])
    func `no other spelling leads anywhere`(path: String) throws {
        guard let segments = try? RequestTarget(path, method: .get).segments else { return }
        if case .nothing = table.match(.get, segments) { return }
        Issue.record("\(path) leads somewhere")
    }

    @Test(
        arguments: [
            ("/", "getPage"), ("/core.js", "getPageFile"), ("/api", "getPageFile"), ("/healthz", "getHealth"),
            ("/api/v1", "getServer"), ("/practice/kind.js", "getPageFolderFile"),
            ("/api/core.js", "getPageFolderFile"), ("/api/openapi.json", "getDescription"),
            ("/page/practice/kind.js", nil), ("/api/v1/core.js", nil),
        ] as [(String, String?)])
    func `the files of the page are beside the API`(path: String, id: String?) throws {
        let table = RouteTable(Endpoint.routed)
        let target = try RequestTarget(path, method: .get)
        guard case .endpoint(let endpoint, _) = table.match(.get, target.segments) else {
            #expect(id == nil)
            return
        }
        #expect(endpoint.id == id)
    }

    @Test func `an address with other methods only names them`() throws {
        guard case .wrongMethod(let allowed) = try match(.delete, "/api/v1/sessions/x/digest") else {
            Issue.record("DELETE leads somewhere")
            return
        }
        #expect(allowed.map(\.rawValue) == ["GET", "HEAD", "OPTIONS", "PUT"])
    }

    @Test func `what stands for a parameter is decoded once`() throws {
        guard case .endpoint(_, let values) = try match(.get, "/api/v1/sessions/a%2520b") else {
            Issue.record("it leads nowhere")
            return
        }
        #expect(values["s"]?.text == "a%20b")
    }

    @Test func `no two endpoints have one address and method, or one name`() {
        let addresses = Endpoint.routed.map { endpoint in
            let path = endpoint.segments.map { segment in
                if case .literal(let name) = segment { name } else { "{}" }
            }
            return "\(endpoint.method.rawValue) /\(path.joined(separator: "/"))"
        }
        #expect(Set(addresses).count == addresses.count)
        #expect(Set(Endpoint.routed.map(\.id)).count == Endpoint.routed.count)
    }
}
