import Foundation
import HTTPTypes
import ProgramHarness
import RecordFormat

@testable import TraceServer

/// Compares answers with the description of the API: status, header fields, media type, and every member of the body.
///
/// Stricter than the schemas: what a later version may add to an object is a breach, since nobody has described it.
struct DescribedAnswers {
    /// Never changed.
    nonisolated(unsafe) static let shared = DescribedAnswers()

    private let paths: [String: [String: [String: Any]]]
    private let components: [String: [String: [String: Any]]]
    private let table = RouteTable(Endpoint.all)
    /// The files of the web page, which no program needs a description of.
    private let page = RouteTable(PageEndpoints.all)

    private init() {
        let text = Data(OpenAPIDocument.text(of: Endpoint.all).bytes)
        let document = (try? JSONSerialization.jsonObject(with: text)) as? [String: Any] ?? [:]
        paths = document["paths"] as? [String: [String: [String: Any]]] ?? [:]
        components = document["components"] as? [String: [String: [String: Any]]] ?? [:]
    }

    /// What an answer is that the description does not say, or is not though it says so.
    ///
    /// - Parameter target: Of the request, with its query.
    func breaches(_ method: String, _ target: String, _ answer: WireAnswer) -> [String] {
        if isPage(method, target) { return [] }
        guard let outcome = outcome(method, target, answer.status) else {
            return answer.status < 400 ? ["\(answer.status) is not described"] : []
        }
        return breaches(of: answer, outcome, hasBody: method != "HEAD")
    }

    private func isPage(_ method: String, _ target: String) -> Bool {
        guard let method = HTTPRequest.Method(method),
            let segments = try? RequestTarget(target, method: method).segments,
            case .nothing = table.match(method, segments), case .endpoint = page.match(method, segments)
        else { return false }
        return true
    }

    /// The Response Object of a status; nil if the address leads nowhere, or for a success that is not described.
    private func outcome(_ method: String, _ target: String, _ status: Int) -> [String: Any]? {
        // What no operation answers is a problem like any other.
        let any = paths["/healthz"]?["get"]
        var operation = any
        if let method = HTTPRequest.Method(method), let target = try? RequestTarget(target, method: method),
            case .endpoint(let endpoint, _) = table.match(method, target.segments)
        {
            let path = endpoint.fullPath.replacing("...}", with: "}")
            operation = paths[path]?[endpoint.method.rawValue.lowercased()]
        } else if status < 400 {
            // `OPTIONS`, which every address has.
            return status == 204 ? [:] : nil
        }
        let outcomes = operation?["responses"] as? [String: [String: Any]] ?? [:]
        return outcomes["\(status)"] ?? (status >= 400 ? outcomes["default"] : nil)
    }

    private func breaches(of answer: WireAnswer, _ outcome: [String: Any], hasBody: Bool) -> [String] {
        var found: [String] = []
        for name in (outcome["headers"] as? [String: Any] ?? [:]).keys
        where components["headers"]?[name]?["required"] as? Bool == true && answer[name.lowercased()] == nil {
            found.append("\(name) is missing")
        }
        guard let content = outcome["content"] as? [String: [String: Any]] else {
            return found + (answer.body.isEmpty ? [] : ["a body is not described"])
        }
        let type = String((answer["content-type"] ?? "").prefix { $0 != ";" })
        guard let media = content[type] ?? content["*/*"] else {
            return found + ["the type '\(type)' is not described"]
        }
        guard hasBody, let schema = media["schema"] as? [String: Any], type.contains("json") else {
            return found
        }
        guard type == "application/jsonl" else {
            guard let value = answer.json else { return found + ["the body is not JSON"] }
            return found + breaches(in: value, schema, "")
        }
        for line in answer.body.split(separator: UInt8(ascii: "\n")) {
            guard let value = try? JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed) else {
                found.append("a line is not JSON")
                continue
            }
            found += breaches(in: value, schema, "")
        }
        return found
    }

    // MARK: - Schemas

    /// As far as the description uses JSON Schema.
    private func breaches(in value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            let name = String(
                reference[reference.index(after: reference.lastIndex(of: "/") ?? reference.startIndex)...])
            return breaches(in: value, components["schemas"]?[name] ?? [:], place)
        }
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let all = choices.map { breaches(in: value, $0, place) }
            return all.contains([]) ? [] : all.first ?? []
        }
        let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
        let type = JSONContract.type(of: value)
        guard types.isEmpty || types.contains(type) || type == "integer" && types.contains("number") else {
            return ["\(place) is \(type), not \(types.joined(separator: " or "))"]
        }
        switch value {
        case let object as [String: Any]: return breaches(of: object, schema, place)
        case let array as [Any]:
            guard let element = schema["items"] as? [String: Any] else { return [] }
            return array.flatMap { breaches(in: $0, element, "\(place)[]") }
        case let text as String:
            let isAllowed = (schema["enum"] as? [String])?.contains(text) ?? true
            let fits = (schema["pattern"] as? String).map {
                text.range(of: $0, options: .regularExpression) != nil
            }
            return isAllowed && fits ?? true ? [] : ["\(place) is '\(text)'"]
        default: return []
        }
    }

    private func breaches(of object: [String: Any], _ schema: [String: Any], _ place: String) -> [String] {
        let members = schema["properties"] as? [String: [String: Any]]
        let required = schema["required"] as? [String] ?? []
        let missing = required.filter { object[$0] == nil }.map { "\(place).\($0) is missing" }
        return missing
            + object.sorted { $0.key < $1.key }.flatMap { name, value -> [String] in
                let member = "\(place).\(name)"
                if let schema = members?[name] { return breaches(in: value, schema, member) }
                if let schema = schema["additionalProperties"] as? [String: Any] {
                    return breaches(in: value, schema, member)
                }
                return members == nil ? [] : ["\(member) is not described"]
            }
    }
}
