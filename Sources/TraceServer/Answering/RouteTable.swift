internal import HTTPTypes

/// Finds the endpoint of a request. It compares whole segments, decoded once: no other spelling of an address reaches a route.
///
/// Hummingbird's router answers 404 for a method that a path does not have, takes `//` for `/` and leaves segments as they
/// were sent (docs/decisions/0020-our-own-route-table.md).
struct RouteTable: Sendable {
    /// What a path leads to.
    enum Match: Sendable {
        case endpoint(Endpoint, [String: RequestTarget.Segment])
        /// The path has other methods only.
        case wrongMethod(allowed: [HTTPRequest.Method])
        case nothing
    }

    private let root: Node

    private struct Node: Sendable {
        var literals: [String: Node] = [:]
        /// The subtree of `{name}`, in an array of one since a value can't hold itself.
        var parameter: [Node] = []
        var endpoints: [HTTPRequest.Method: Endpoint] = [:]
        /// Endpoints that take all segments from here on: `{name...}`.
        var rests: [HTTPRequest.Method: Endpoint] = [:]
    }

    /// - Precondition: No two endpoints have the same method and path; a test looks.
    init(_ endpoints: [Endpoint]) {
        var root = Node()
        for endpoint in endpoints {
            Self.add(endpoint, endpoint.segments[...], to: &root)
        }
        self.root = root
    }

    private static func add(_ endpoint: Endpoint, _ segments: ArraySlice<PathPattern>, to node: inout Node) {
        guard let first = segments.first else {
            node.endpoints[endpoint.method] = endpoint
            return
        }
        switch first {
        case .literal(let name):
            add(endpoint, segments.dropFirst(), to: &node.literals[name, default: Node()])
        case .parameter:
            if node.parameter.isEmpty { node.parameter = [Node()] }
            add(endpoint, segments.dropFirst(), to: &node.parameter[0])
        case .rest: node.rests[endpoint.method] = endpoint
        }
    }

    /// Finds the endpoint of a path. A literal segment goes before a parameter.
    func match(_ method: HTTPRequest.Method, _ path: [RequestTarget.Segment]) -> Match {
        var allowed: Set<HTTPRequest.Method> = []
        if let endpoint = find(method, path[...], root, &allowed) {
            return .endpoint(endpoint, endpoint.parameters(of: path))
        }
        guard !allowed.isEmpty else { return .nothing }
        if allowed.contains(.get) { allowed.insert(.head) }
        return .wrongMethod(allowed: (allowed + [.options]).sorted { $0.rawValue < $1.rawValue })
    }

    private func find(
        _ method: HTTPRequest.Method, _ path: ArraySlice<RequestTarget.Segment>, _ node: Node,
        _ allowed: inout Set<HTTPRequest.Method>
    ) -> Endpoint? {
        guard let first = path.first else { return choose(method, node.endpoints, &allowed) }
        if let text = first.text, let next = node.literals[text],
            let found = find(method, path.dropFirst(), next, &allowed)
        {
            return found
        }
        if let next = node.parameter.first, let found = find(method, path.dropFirst(), next, &allowed) {
            return found
        }
        return choose(method, node.rests, &allowed)
    }

    private func choose(
        _ method: HTTPRequest.Method, _ endpoints: [HTTPRequest.Method: Endpoint],
        _ allowed: inout Set<HTTPRequest.Method>
    ) -> Endpoint? {
        if let endpoint = endpoints[method] ?? (method == .head ? endpoints[.get] : nil) { return endpoint }
        allowed.formUnion(endpoints.keys)
        return nil
    }
}

extension Endpoint {
    /// What stands for the parameters in a path that leads here.
    fileprivate func parameters(of path: [RequestTarget.Segment]) -> [String: RequestTarget.Segment] {
        var values: [String: RequestTarget.Segment] = [:]
        for (pattern, segment) in zip(segments, path) {
            if case .parameter(let name) = pattern { values[name] = segment }
        }
        return values
    }

    /// The segments that `{name...}` stands for.
    func rest(of path: [RequestTarget.Segment]) -> [RequestTarget.Segment] {
        guard case .rest? = segments.last else { return [] }
        return Array(path.dropFirst(segments.count - 1))
    }
}
