internal import Synchronization

/// What `/metrics` says of requests: by route and status, never by address.
final class RequestCounts: Sendable {
    private let state = Mutex(State())

    private struct State {
        var requests: [Key: Int] = [:]
        var seconds: [String: (sum: Double, count: Int)] = [:]
        var refused: [String: Int] = [:]
        var uploadedBytes: Int64 = 0
    }

    private struct Key: Hashable {
        let route: String
        let status: Int
    }

    /// Counts an answer.
    func note(_ route: String, _ status: Int, _ time: Duration) {
        state.withLock { state in
            state.requests[Key(route: route, status: status), default: 0] += 1
            let known = state.seconds[route] ?? (0, 0)
            state.seconds[route] = (known.sum + time / .seconds(1), known.count + 1)
        }
    }

    /// Counts a request that was not let in.
    func noteRefused(_ reason: String) { state.withLock { $0.refused[reason, default: 0] += 1 } }

    /// Counts bytes of audio that have come.
    func noteUploaded(_ count: Int) { state.withLock { $0.uploadedBytes += Int64(count) } }

    /// In Prometheus' text format.
    ///
    /// - Parameters:
    ///   - connections: How many are open, and how many were refused.
    ///   - streams: How many streams of events are open.
    func text(connections: (open: Int, refused: Int), streams: Int) -> String {
        let state = state.withLock { $0 }
        var lines = [
            "# HELP trace_http_requests_total Requests answered, by route and status.",
            "# TYPE trace_http_requests_total counter",
        ]
        lines += state.requests.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }.map {
            "trace_http_requests_total{route=\"\($0.key.route)\",status=\"\($0.key.status)\"} \($0.value)"
        }
        lines += [
            "# HELP trace_http_request_seconds Time from the head of a request to the head of its answer.",
            "# TYPE trace_http_request_seconds summary",
        ]
        for (route, time) in state.seconds.sorted(by: { $0.key < $1.key }) {
            lines.append("trace_http_request_seconds_sum{route=\"\(route)\"} \(time.sum)")
            lines.append("trace_http_request_seconds_count{route=\"\(route)\"} \(time.count)")
        }
        lines += [
            "# HELP trace_http_upload_bytes_total Bytes of audio received.",
            "# TYPE trace_http_upload_bytes_total counter",
            "trace_http_upload_bytes_total \(state.uploadedBytes)",
            "# HELP trace_http_connections Connections that are open.", "# TYPE trace_http_connections gauge",
            "trace_http_connections \(connections.open)",
            "# HELP trace_http_streams Streams of events that are open.", "# TYPE trace_http_streams gauge",
            "trace_http_streams \(streams)",
            "# HELP trace_http_refused_total Connections and requests that were not let in, by reason.",
            "# TYPE trace_http_refused_total counter",
            "trace_http_refused_total{reason=\"connections\"} \(connections.refused)",
        ]
        lines += state.refused.sorted { $0.key < $1.key }.map {
            "trace_http_refused_total{reason=\"\($0.key)\"} \($0.value)"
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
