import Foundation
import TestSupport

/// What `docs/cli-json.md` promises of a command's JSON.
package struct JSONContract {
    /// The keys of one section.
    private let keys: [String: DocumentedKeys.Key]

    /// Reads the section of a command.
    package init(of command: String) throws {
        keys = try DocumentedKeys(of: command).keys
    }

    /// What a JSON text has that was not promised, or lacks though it was.
    package func breaches(in text: String) throws -> [String] {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return (value as? [Any] ?? [value]).flatMap { breaches(in: $0, at: "") }
    }

    private func breaches(in value: Any, at place: String) -> [String] {
        guard let object = value as? [String: Any] else { return ["\(place) is no object"] }
        let prefix = place.isEmpty ? "" : "\(place)."
        let promised = keys.filter { name, key in
            key.isAlwaysThere && name.hasPrefix(prefix)
                && !name.dropFirst(prefix.count).contains { ".[".contains($0) }
        }
        let missing = promised.keys.filter { object[String($0.dropFirst(prefix.count))] == nil }.map {
            "\($0) is missing"
        }
        return missing + object.flatMap { breaches(of: prefix + $0.key, $0.value) }
    }

    private func breaches(of name: String, _ value: Any) -> [String] {
        guard let key = keys[name] else { return ["\(name) is not promised"] }
        let type = Self.type(of: value)
        if key.type == "any" { return [] }
        if key.type == "record" { return type == "object" ? [] : ["\(name) is no record"] }
        guard key.type.components(separatedBy: " or ").contains(type) else {
            return ["\(name) is \(type), not \(key.type)"]
        }
        if let elements = value as? [Any] {
            return elements.filter { $0 is [String: Any] }.flatMap { breaches(in: $0, at: "\(name)[]") }
        }
        // Of an object without a key on the page, the names are data.
        guard value is [String: Any], keys.keys.contains(where: { $0.hasPrefix("\(name).") }) else {
            return []
        }
        return breaches(in: value, at: name)
    }

    /// What JSON calls a value.
    package static func type(of value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case is String: "string"
        case is [Any]: "array"
        case is [String: Any]: "object"
        case let number as NSNumber where String(cString: number.objCType) == "c": "boolean"
        case let number as NSNumber where number.doubleValue == number.doubleValue.rounded(): "integer"
        default: "number"
        }
    }
}
