/// One segment of an endpoint's path.
enum PathPattern: Sendable, Equatable {
    case literal(String)
    case parameter(String)
    /// All that follow, at least one.
    case rest(String)

    /// The segments of a path as OpenAPI writes it.
    static func all(in path: String) -> [PathPattern] {
        path.split(separator: "/").map { part in
            guard part.hasPrefix("{"), part.hasSuffix("}") else { return .literal(String(part)) }
            let name = part.dropFirst().dropLast()
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
        }
    }
}

extension Endpoint {
    /// Where all but a few addresses begin.
    static let base = "/api/v1"
}
