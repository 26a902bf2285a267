import Foundation
import RecordFormat
import TestSupport
import Testing
import TraceFormat

@testable import TraceLibrary

/// The shapes of answers: what docs/cli-json.md promises, as JSON Schemas.
struct ShapesTests {
    @Test(arguments: AnswerShapes.commands)
    func `the keys of a command in docs/cli-json.md are the members of its shape`(
        _ answer: CommandAnswer
    ) throws {
        let documented = try DocumentedKeys(of: "\(answer)").keys
        let declared = answer.type.keys(at: "")
        #expect(Set(documented.keys) == Set(declared.keys))
        for (name, key) in documented { #expect(declared[name] == key, "\(name)") }
    }

    @Test func `no two shapes have one name`() {
        let names = AnswerShapes.all.map(\.name) + RecordComponent.allCases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /([A-Z][a-z]+)+/) != nil })
    }

    @Test(arguments: [true, false])
    func `every component that a schema refers to is there`(forHTTP: Bool) throws {
        let components = try Self.object(AnswerShapes.components(forHTTP: forHTTP))
        let answers = try AnswerShapes.commands.map { try Self.object($0.type.schema()) }
        let references = Self.references(in: components) + answers.flatMap(Self.references)
        #expect(references.contains("#/components/schemas/MarkerRecord"))
        let known = Set(components.keys.map { "#/components/schemas/\($0)" })
        #expect(Set(references).subtracting(known) == [])
    }

    @Test(arguments: [true, false])
    func `every schema is an object's, which has what it requires`(forHTTP: Bool) throws {
        for shape in AnswerShapes.all {
            let schema = try Self.object(shape.schema(forHTTP: forHTTP))
            #expect(schema["type"] as? String == "object", "\(shape.name)")
            let properties = try #require(schema["properties"] as? [String: Any], "\(shape.name)")
            let required = try #require(schema["required"] as? [String], "\(shape.name)")
            #expect(Set(required).isSubset(of: properties.keys), "\(shape.name)")
            #expect(Set(shape.members.map(\.name)).count == shape.members.count, "\(shape.name)")
        }
    }

    @Test
    func `HTTP requires no place of the server, and has a handle where the command line has a directory`()
        throws
    {
        for shape in AnswerShapes.all {
            let printed = try Self.names(shape.schema(forHTTP: false))
            let sent = try Self.names(shape.schema(forHTTP: true))
            #expect(!sent.required.contains("session_path"), "\(shape.name)")
            #expect(!printed.all.contains("handle"), "\(shape.name)")
            guard printed.all.contains("session_path") else { continue }
            #expect(sent.all.contains("handle"), "\(shape.name)")
            #expect(
                sent.required.contains("handle") == printed.required.contains("session_path"), "\(shape.name)"
            )
        }
    }

    @Test func `a schema names the members in their order, and what they say`() {
        let shape = AnswerShape(
            "Example", "An example",
            [
                .sessionPath, .always("id", .nullable(.id), "its id"),
                .sometimes("moments", .array(.object(.moment)), "markers"),
                .always("daemon", .nullable(.object(.daemonStatus)), "the daemon"),
                .sentSometimes("record", .record(.marker, .voiceNote), "the line"),
            ])
        #expect(
            text(shape.schema(forHTTP: false)) == #"""
                {"type":"object","description":"An example","properties":{\#
                "session_path":{"type":"string","description":"the session's directory"},\#
                "id":{"type":["string","null"],"pattern":"^[0-9A-HJKMNP-TV-Z]{26}$","maxLength":26,\#
                "description":"its id"},\#
                "moments":{"type":"array","items":{"$ref":"#/components/schemas/Moment"},\#
                "description":"markers"},\#
                "daemon":{"anyOf":[{"$ref":"#/components/schemas/DaemonStatus"},{"type":"null"}],\#
                "description":"the daemon"}},"required":["session_path","id","daemon"]}
                """#)
        #expect(
            text(shape.schema(forHTTP: true)).hasSuffix(
                #"""
                "record":{"anyOf":[{"$ref":"#/components/schemas/MarkerRecord"},\#
                {"$ref":"#/components/schemas/VoiceNoteRecord"}],"description":"the line"}},\#
                "required":["handle","id","daemon"]}
                """#))
    }

    @Test func `ids and times are those of the records' schemas`() throws {
        let properties = try #require(
            Self.object(RecordComponent.marker.schema)["properties"] as? [String: [String: Any]])
        let id = try Self.object(ShapeType.id.schema())
        #expect(id["pattern"] as? String == properties["id"]?["pattern"] as? String)
        let pattern = try #require(Self.object(ShapeType.time.schema())["pattern"] as? String)
        let time = Timestamp(milliseconds: 1_770_235_200_007).description
        #expect(try Regex(pattern).wholeMatch(in: time) != nil)
        #expect(try Regex(pattern).wholeMatch(in: time.replacing(".007", with: "")) == nil)
    }

    // MARK: - Reading schemas

    private func text(_ json: JSONText) -> String { String(decoding: json.bytes, as: UTF8.self) }

    private static func object(_ json: JSONText) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    }

    /// The members of an object that has this schema, and those that it must have.
    private static func names(_ json: JSONText) throws -> (all: Set<String>, required: Set<String>) {
        let schema = try object(json)
        let properties = try #require(schema["properties"] as? [String: Any])
        return (Set(properties.keys), Set(try #require(schema["required"] as? [String])))
    }

    private static func references(in value: Any) -> [String] {
        if let array = value as? [Any] { return array.flatMap(references) }
        guard let object = value as? [String: Any] else { return [] }
        return object.flatMap { name, value in
            name == "$ref" ? [value as? String ?? ""] : references(in: value)
        }
    }
}

extension ShapeType {
    /// How docs/cli-json.md writes it.
    var documentedName: String {
        switch self {
        case .string, .id, .time: "string"
        case .integer: "integer"
        case .number: "number or integer"
        case .boolean: "boolean"
        case .array: "array"
        case .object, .named, .map: "object"
        case .records: "record"
        case .nullable(let type): "\(type.documentedName) or null"
        case .any: "any"
        }
    }

    /// The keys of an answer of this type, by the names in docs/cli-json.md; of an array, those of its elements.
    fileprivate func keys(at prefix: String) -> [String: DocumentedKeys.Key] {
        if case .array(let element) = self { return element.keys(at: prefix) }
        if case .records(let kinds) = self {
            return kinds.reduce(into: [:]) { keys, kind in keys.merge(kind.keys) { $1 } }
        }
        return shape?.members.reduce(into: [:]) { keys, member in
            guard member.printed != .never else { return }
            let name = prefix + member.name
            keys[name] = DocumentedKeys.Key(
                type: member.type.documentedName, isAlwaysThere: member.printed == .always)
            guard member.type.shape != nil else { return }
            let separator = if case .array = member.type { "[]." } else { "." }
            keys.merge(member.type.keys(at: name + separator)) { $1 }
        } ?? [:]
    }
}

extension RecordComponent {
    /// The members of a line. A line is listed if it has an id and an offset, whatever else is wrong with it.
    fileprivate var keys: [String: DocumentedKeys.Key] {
        let fields = RecordKind(rawValue: rawValue).map { RecordSchema.of($0).fields } ?? []
        return fields.reduce(into: [:]) { keys, field in
            let name = "\(field.name)"
            keys[name] = DocumentedKeys.Key(
                type: field.type.documentedName, isAlwaysThere: ["id", "offset_ms"].contains(name))
        }
    }
}

extension RecordSchema.FieldType {
    /// How docs/cli-json.md writes it.
    fileprivate var documentedName: String {
        switch self {
        case .wholeNumber, .milliseconds: "integer"
        case .confidence, .number: "number"
        case .object: "object"
        case .tags, .items: "array"
        case .ulid, .timestamp, .string, .mediaPath, .word, .constant, .optionalConstant: "string"
        }
    }
}
