internal import HTTPTypes
internal import NIOCore
internal import RecordFormat
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary

/// What is about the server itself.
enum MachineEndpoints {
    static let all = [about, health, readiness, metrics, description]

    private static let about = Endpoint(
        method: .get, path: "//api/v1", id: "getServer", access: .scope(.read),
        summary: "The server, its clock, and the caller's token",
        answers: [.json(.component("Server"), "The server")], work: .asking
    ) { call in
        .json(
            .object { object in
                object.member("version", Release.version)
                object.member("now", call.now)
                object.member(
                    "token",
                    .object { object in
                        let token = call.visitor.token
                        object.member("id", token.map { JSONText($0.id) })
                        object.member("name", token.map { JSONText($0.name) })
                        object.member("person", call.visitor.person)
                        object.member("scope", call.visitor.scope.rawValue)
                        object.member("filtered", JSONText(token?.filter != nil))
                        object.member(
                            "sessions", (token?.filter?.sessions).map { .array($0.map { JSONText($0) }) })
                        object.member(
                            "journals", (token?.filter?.journals).map { .array($0.map { JSONText($0) }) })
                        object.member("expires_at", (token?.expiresAt).map { JSONText($0) })
                    })
                object.member(
                    "limits",
                    .object { object in
                        object.member("body_bytes", JSONText(Int64(1 << 20)))
                        object.member("page_rows", JSONText(Int64(1000)))
                        object.member("queue_entries", JSONText(Int64(200)))
                        object.member("audio_bytes", JSONText(call.context.settings.httpUploadLimit))
                    })
                object.member("features", features(call.context.settings))
            }
        ).with(.cacheControl, "no-store")
    }

    /// What this machine can do beyond the files of sessions.
    private static func features(_ settings: TraceSettings) -> JSONText {
        func isThere(_ program: String?) -> Bool { program.flatMap { ProgramSearch.find($0) } != nil }
        return .object { object in
            object.member("ffmpeg", JSONText(isThere("ffmpeg") && isThere("ffprobe")))
            object.member("speech", JSONText(isThere(settings.speechCommand.first)))
            object.member("run_actions", JSONText(false))
        }
    }

    private static let health = Endpoint(
        method: .get, path: "//healthz", id: "getHealth", access: .anyone,
        summary: "Whether the server answers", answers: [ok], work: .immediate
    ) { _ in fine }

    private static let readiness = Endpoint(
        method: .get, path: "//readyz", id: "getReadiness", access: .anyone,
        summary: "Whether the first scan is done, and the index and the watcher have responded recently",
        answers: [ok, Outcome(status: 503, summary: "Not yet, or no longer", types: ["text/plain"])],
        work: .immediate
    ) { call in
        call.context.host.isReady()
            ? fine : Response(.serviceUnavailable, plain, "not ready\n".utf8).with(.retryAfter, "1")
    }

    private static let metrics = Endpoint(
        method: .get, path: "//metrics", id: "getMetrics", access: .unfiltered(.read),
        summary: "Metrics in Prometheus' text format",
        answers: [Outcome(status: 200, summary: "The metrics", types: ["text/plain"])], work: .asking
    ) { call in
        let text =
            call.context.host.metrics(call.visitor.seesPlaces)
            + call.context.counts.text(
                connections: call.context.connections.counts, streams: call.context.host.events.count)
        return Response(.ok, "text/plain; version=0.0.4; charset=utf-8", text.utf8).with(
            .cacheControl, "no-store")
    }

    private static let description = Endpoint(
        method: .get, path: "//api/openapi.json", id: "getDescription", access: .anyone,
        summary: "This description of the API (OpenAPI 3.1)",
        answers: [.json(.inline(#"{"type":"object"}"#), "The description")], work: .asking
    ) { _ in document }
    /// Rendered for the first request, and kept.
    private static let document: Response = {
        let text = OpenAPIDocument.text(of: Endpoint.all)
        var answer = Response.json(text).with(.eTag, EntityTag(contents: text.bytes).description)
        answer.compressed = CompressedBody()
        return answer
    }()

    private static let plain = "text/plain; charset=utf-8"
    /// True of this moment only.
    private static let fine = Response(.ok, plain, "ok\n".utf8).with(.cacheControl, "no-store")
    private static let ok = Outcome(status: 200, summary: "It does", types: ["text/plain"])
}
