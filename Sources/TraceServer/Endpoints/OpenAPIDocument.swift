internal import HTTPTypes
internal import RecordFormat
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFormat
internal import TraceLibrary

/// The description of the API, made of the endpoints that answer it.
///
/// Source: OpenAPI 3.1.1; its schemas are JSON Schema 2020-12.
enum OpenAPIDocument {
    /// The document of an API that consists of these endpoints.
    static func text(of endpoints: [Endpoint]) -> JSONText {
        .object { object in
            object.member("openapi", "3.1.1")
            object.member(
                "info",
                .object { object in
                    object.member("title", "TRACE")
                    object.member("version", Release.version)
                    object.member(
                        "description",
                        "Sessions on a home server over HTTP: query, listen, mark. docs/http.md has examples."
                    )
                    object.member(
                        "license",
                        .object { object in
                            object.member("name", "Apache License 2.0")
                            object.member("identifier", "Apache-2.0")
                        })
                })
            object.member("servers", .array([.object { $0.member("url", "/") }]))
            object.member(
                "security",
                .array([
                    .object { $0.member("token", .array([])) }, .object { $0.member("cookie", .array([])) },
                ]))
            object.member("paths", paths(of: endpoints))
            object.member(
                "components",
                .object { object in
                    object.member("securitySchemes", securitySchemes)
                    object.member("headers", ResponseHeader.components)
                    object.member("schemas", AnswerShapes.components(forHTTP: true))
                })
        }
    }

    private static let securitySchemes: JSONText = .object { object in
        object.member(
            "token",
            .object { object in
                object.member("type", "http")
                object.member("scheme", "bearer")
                object.member("description", "A token made by 'trace token add'.")
            })
        object.member(
            "cookie",
            .object { object in
                object.member("type", "apiKey")
                object.member("in", "cookie")
                object.member("name", "__Host-trace")
                object.member(
                    "description", "Set when a browser is paired; named 'trace' without encryption.")
            })
    }

    // MARK: - Operations

    /// An object for each path, with its operations by method, in the order of the endpoints.
    private static func paths(of endpoints: [Endpoint]) -> JSONText {
        var order: [String] = []
        var operations: [String: [Endpoint]] = [:]
        for endpoint in endpoints {
            if operations[endpoint.documentedPath] == nil { order.append(endpoint.documentedPath) }
            operations[endpoint.documentedPath, default: []].append(endpoint)
        }
        return .object { object in
            for path in order {
                object.member(
                    path,
                    .object { object in
                        for endpoint in operations[path] ?? [] {
                            object.member(endpoint.method.rawValue.lowercased(), endpoint.operation)
                        }
                    })
            }
        }
    }
}

extension Schema {
    /// The component of a kind of record.
    static func record(_ kind: RecordKind) -> String {
        RecordComponent(rawValue: kind.rawValue)?.name ?? kind.rawValue
    }

    /// An entry of the queue for a session. Those for journals of other kinds are components of their own, which the makers of requests can't
    /// put together beside it.
    static let queueEntry = component(RecordComponent.queueEntry.name)

    /// As the document has it.
    var text: JSONText {
        switch self {
        case .component, .inline: line
        case .array, .arrayOfAny:
            .object { object in
                object.member("type", "array")
                object.member("items", line)
            }
        }
    }

    /// The schema of an element of a list, which is a line of it where it is sent as lines.
    var line: JSONText {
        switch self {
        case .component(let name), .array(let name): Self.reference(name)
        case .arrayOfAny(let names): .object { $0.member("anyOf", .array(names.map(Self.reference))) }
        case .inline(let text): JSONText(verbatim: text.utf8)
        }
    }

    private static func reference(_ name: String) -> JSONText {
        .object { $0.member("$ref", "#/components/schemas/\(name)") }
    }
}

extension Endpoint {
    /// The path as OpenAPI writes it; `{name...}` is one parameter there.
    fileprivate var documentedPath: String { fullPath.replacing("...}", with: "}") }

    /// Its operation object.
    fileprivate var operation: JSONText {
        .object { object in
            object.member("operationId", id)
            object.member("summary", summary)
            if let scope {
                object.member("x-scope", scope.rawValue)
            } else {
                object.member("security", .array([]))
            }
            let parameters = pathParameters + query.map(\.object) + knownFields.map(\.object)
            if !parameters.isEmpty { object.member("parameters", .array(parameters)) }
            if let body {
                object.member(
                    "requestBody",
                    .object { object in
                        object.member("required", JSONText(body.isRequired))
                        object.member("content", Self.content(body.types, body.schema))
                    })
            }
            object.member(
                "responses",
                .object { object in
                    for outcome in knownAnswers {
                        object.member("\(outcome.status)", outcome.object(headers(of: outcome)))
                    }
                    object.member("default", Outcome.anyProblem.object([.traceTime, .retryAfter]))
                })
        }
    }

    private var knownFields: [FieldParameter] { (method == .get ? [.ifNoneMatch] : []) + fields }

    /// Whatever can be read is not sent again to a client that has it.
    private var knownAnswers: [Outcome] {
        let isMissing = method == .get && !answers.contains { $0.status == 304 }
        return answers + (isMissing ? [Outcome(status: 304, summary: "The client has it")] : [])
    }

    private func headers(of outcome: Outcome) -> [ResponseHeader] {
        var headers = [ResponseHeader.traceTime]
        if method == .get, outcome.status < 400 { headers.append(.eTag) }
        if outcome.status == 200, outcome.types.starts(with: Call.listTypes) { headers.append(.link) }
        if outcome.status == 206 || outcome.status == 416 { headers.append(.contentRange) }
        if outcome.status == 429 || outcome.status == 503 { headers.append(.retryAfter) }
        return headers
    }

    private var pathParameters: [JSONText] {
        segments.compactMap { segment in
            guard let name = segment.parameterName else { return nil }
            return .object { object in
                object.member("name", name)
                object.member("in", "path")
                object.member("required", JSONText(true))
                object.member("schema", .object { $0.member("type", "string") })
            }
        }
    }

    fileprivate static func content(_ types: [String], _ schema: Schema?) -> JSONText {
        .object { object in
            for type in types {
                object.member(
                    type,
                    .object { object in
                        if let schema = self.schema(of: type, schema) { object.member("schema", schema) }
                    })
            }
        }
    }

    /// The schema of a body of a media type; nil if there is none, as of a recording.
    private static func schema(of type: String, _ schema: Schema?) -> JSONText? {
        switch type {
        case "application/jsonl", "application/x-ndjson": schema?.line
        case "application/sarif+json": .object { $0.member("type", "object") }
        case _ where type.hasSuffix("json"): schema?.text
        case _ where type.hasPrefix("text/"): .object { $0.member("type", "string") }
        default: nil
        }
    }
}

extension Outcome {
    /// What every operation may answer.
    fileprivate static let anyProblem = problem(
        "The request failed; the body says why, and what to do", status: 0)

    fileprivate func object(_ headers: [ResponseHeader]) -> JSONText {
        .object { object in
            object.member("description", summary)
            object.member(
                "headers",
                .object { object in for header in headers { object.member(header.name, header.reference) } })
            if !types.isEmpty { object.member("content", Endpoint.content(types, schema)) }
        }
    }
}

extension PathPattern {
    /// Its name, if it is a parameter.
    fileprivate var parameterName: String? {
        switch self {
        case .literal: nil
        case .parameter(let name), .rest(let name): name
        }
    }
}

extension Endpoint {
    /// The scope that a token in the header must have; nil if none is needed there.
    var scope: AccessScope? {
        switch access {
        case .anyone, .feed: nil
        case .scope(let scope), .scopeOrLink(let scope), .unfiltered(let scope): scope
        }
    }
}
