import Foundation
import HTTPTypes
import ProgramHarness
import RecordFormat
import TestSupport
import Testing

@testable import TraceServer

/// Requests that are well-formed and still not what an address takes; made from the route table.
struct RequestLimitsTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    /// One after the other, with one daemon.
    @Test func `a request has what its address takes, and no more`() throws {
        try `parameters that an address does not have, or of another type, are refused`()
        try `a method that an address does not have is refused with those that it has`()
        try `a body that is too large, of another type, encoded, missing or not expected is refused`()
        try `a form that there is not is refused with those that there are`()
        try `what there is not is not found, whatever is asked of it`()
    }

    private func `parameters that an address does not have, or of another type, are refused`() throws {
        let feed = try sample.newToken("--scope", "feed")
        for endpoint in Endpoint.all where endpoint.method == .get {
            let path = FilledRoutes.path(of: endpoint, feed: feed)
            let sign = path.contains("?") ? "&" : "?"
            let unknown = try sample.ask("GET", "\(path)\(sign)unknown=1")
            #expect(unknown.status == 400, "\(endpoint.id): \(unknown)")
            #expect(unknown.code == "parameter-unknown")
            let bare = String(path.prefix { $0 != "?" })
            let required = endpoint.query.filter { $0.presence == .required }
            if !required.isEmpty {
                #expect(try sample.ask("GET", bare).code == "parameter-missing", "\(endpoint.id)")
            }
            // A link is refused as a whole.
            for parameter in endpoint.query where !MediaLink.names.contains(parameter.name) {
                let others = required.filter { $0.name != parameter.name }.isEmpty
                guard others, let wrong = Self.wrong(parameter.type) else { continue }
                for value in wrong {
                    let answer = try sample.ask("GET", "\(bare)?\(parameter.name)=\(value)")
                    #expect(answer.status == 400, "\(endpoint.id) \(parameter.name)=\(value): \(answer)")
                }
                if parameter.presence != .repeated, let right = Self.right(parameter.type) {
                    let twice = "\(bare)?\(parameter.name)=\(right)&\(parameter.name)=\(right)"
                    #expect(try sample.ask("GET", twice).code == "query-duplicate", "\(endpoint.id)")
                }
            }
        }
    }

    private static func wrong(_ type: ValueType) -> [String]? {
        switch type {
        case .text(let most):
            most < 4000 ? [String(repeating: "x", count: most + 1), "%ff", "%00", "%zz"] : nil
        case .choice: ["", "nonsense"]
        case .boolean: ["yes", "1", "True"]
        case .integer(let range):
            ["", "x", "\(range.lowerBound - 1)", "\(range.upperBound + 1)", "1.5", "99999999999999999999"]
        case .offset, .moment: ["", "nonsense", String(repeating: "1", count: 101)]
        case .cursor: ["nonsense", "AQ", "%00", String(repeating: "A", count: 4000)]
        case .number, .file, .array, .object, .members, .any: nil
        }
    }

    private static func right(_ type: ValueType) -> String? {
        switch type {
        case .text: "x"
        case .choice(let words): words.first
        case .boolean: "true"
        case .integer(let range): "\(range.lowerBound)"
        case .offset: "1s"
        case .moment: "2026-02-04"
        case .cursor: "x"
        case .number, .file, .array, .object, .members, .any: nil
        }
    }

    private func `a method that an address does not have is refused with those that it has`() throws {
        var methods: [String: Set<String>] = [:]
        for endpoint in Endpoint.routed {
            let path = FilledRoutes.path(of: endpoint).prefix { $0 != "?" }
            methods[String(path), default: ["OPTIONS"]].insert(endpoint.method.rawValue)
        }
        let table = RouteTable(Endpoint.routed)
        func isServed(_ method: String, _ path: String) throws -> Bool {
            let method = try #require(HTTPRequest.Method(method))
            let target = path.hasPrefix("//") ? String(path.dropFirst()) : "/api/v1\(path)"
            if case .endpoint = table.match(method, try RequestTarget(target, method: method).segments) {
                return true
            }
            return false
        }
        for (path, own) in methods {
            let allowed = own.contains("GET") ? own.union(["HEAD"]) : own
            for method in ["GET", "PUT", "POST", "PATCH", "DELETE", "PROPFIND", "TRACE"]
            where try !isServed(method, path) {
                let answer = try sample.ask(method, path)
                #expect(answer.status == 405, "\(method) \(path): \(answer)")
                let named = (answer["allow"] ?? "").components(separatedBy: ", ")
                #expect(allowed.isSubset(of: named), "\(method) \(path): \(named)")
            }
            let options = try sample.ask("OPTIONS", path)
            #expect(options.status == 204, "\(path): \(options)")
            #expect(options["allow"] != nil)
        }
    }

    private func `a body that is too large, of another type, encoded, missing or not expected is refused`()
        throws
    {
        for endpoint in Endpoint.all where endpoint.method != .get {
            let path = FilledRoutes.path(of: endpoint)
            let (fields, body) = FilledRoutes.request(endpoint)
            let conditions = fields.filter { $0.0 != "Content-Type" }
            let method = endpoint.method.rawValue
            guard let rule = endpoint.body else {
                guard endpoint.id != "logOut" else { continue }
                let answer = try sample.ask(method, path, conditions, json: "{}")
                #expect(answer.status == 413, "\(endpoint.id): \(answer)")
                continue
            }
            if rule.isRequired {
                let missing = try sample.ask(method, path, conditions)
                #expect(missing.status == 400 && missing.code == "body-missing", "\(endpoint.id): \(missing)")
            }
            if rule.types[0] != "*/*" {
                for type in ["application/x-unknown", "application/jsonx", ""] {
                    let answer = try sample.ask(
                        method, path, conditions + [("Content-Type", type)], json: body)
                    #expect(answer.status == 415, "\(endpoint.id) '\(type)': \(answer)")
                    let hint = answer.object["hint"] as? String ?? ""
                    #expect(hint.contains(rule.types[0]), "\(endpoint.id): \(answer)")
                }
            }
            let encoded = try sample.ask(method, path, fields + [("Content-Encoding", "gzip")], json: body)
            #expect(encoded.status == 415, "\(endpoint.id): \(encoded)")
            // What is said of the length is enough: no byte of it has to come.
            let client = try sample.connect()
            try client.send(
                sample.bytes(
                    method, path,
                    fields + [("Content-Length", "\(rule.limit + 1)"), ("Expect", "100-continue")]))
            let large = try client.answer()
            #expect(large.status == 413, "\(endpoint.id): \(large)")
        }
    }

    private func `a form that there is not is refused with those that there are`() throws {
        for endpoint in Endpoint.all where endpoint.method == .get {
            guard let types = endpoint.answers.first?.types, types.count > 1 else { continue }
            let path = FilledRoutes.path(of: endpoint)
            for type in types {
                let answer = try sample.ask("GET", path, [("Accept", type)])
                #expect(answer["content-type"]?.hasPrefix(type) == true, "\(endpoint.id): \(answer)")
            }
            let none = try sample.ask("GET", path, [("Accept", "image/png, \(types[0]);q=0")])
            #expect(none.status == 406, "\(endpoint.id): \(none)")
            let hint = none.object["hint"] as? String ?? ""
            #expect(types.allSatisfy(hint.contains), "\(endpoint.id): \(none)")
        }
    }

    private func `what there is not is not found, whatever is asked of it`() throws {
        let session = "/sessions/\(ServedSample.lateSetID)"
        for (method, path, code) in [
            ("GET", "/sessions/none", "no-such-session"),
            ("GET", "/sessions/\(number(1))", "no-such-session"),
            ("GET", "/sessions/~0123456789abcdef", "no-such-session"),
            ("GET", "\(session)/markers/\(number(1))", "no-such-record"),
            ("GET", "\(session)/media/\(number(1))", "no-such-media"),
            ("GET", "\(session)/actions/\(number(1))", "no-such-record"),
            ("GET", "/rules/none", "no-such-rule"),
            ("GET", "/queue/\(number(1))", "no-such-entry"),
            ("POST", "/queue/\(number(1))/retry", "no-such-entry"),
            ("DELETE", "/tokens/\(number(1))", "no-such-token"), ("GET", "/none", "not-found"),
        ] {
            let answer = try sample.ask(method, path)
            #expect(answer.status == 404, "\(method) \(path): \(answer)")
            #expect(answer.code == code)
            #expect(answer["content-type"] == "application/problem+json")
            #expect(answer.object["type"] as? String == "urn:trace:problem:\(code)")
        }
    }
}
