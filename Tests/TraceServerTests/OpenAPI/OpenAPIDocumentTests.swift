import Foundation
import HTTPTypes
import ProgramHarness
import RecordFormat
import Testing
import TraceFormat
import TraceLibrary
import TraceAccess

@testable import TraceServer

/// The description of the API: complete, consistent, and valid OpenAPI.
struct OpenAPIDocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardized
    private let text = OpenAPIDocument.text(of: Endpoint.all)
    private let document: [String: Any]

    init() throws {
        document = try #require(JSONSerialization.jsonObject(with: Data(text.bytes)) as? [String: Any])
    }

    private var paths: [String: [String: [String: Any]]] {
        get throws { try #require(document["paths"] as? [String: [String: [String: Any]]]) }
    }

    // MARK: - As it is kept

    @Test func `docs/openapi.json is the description`() throws {
        let kept = Self.root.appending(path: "docs/openapi.json")
        let indented = Data(text.indented.bytes + [0x0A])
        if ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] != nil { try indented.write(to: kept) }
        #expect(try Data(contentsOf: kept) == indented, "run the tests with TRACE_UPDATE_GOLDEN=1")
    }

    /// By PyPI's `openapi-spec-validator`, which `make test` installs.
    @Test func `it is valid OpenAPI 3.1`() throws {
        let python = Self.root.appending(path: ".build/python/bin/python").path
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "'make test' installs Tests/requirements.txt there, from PyPI, which it must be able to reach")
        let scratch = try Scratch()
        try Data(text.bytes).write(to: URL(filePath: "\(scratch.path)/openapi.json"))
        let arguments = ["-B", "-m", "openapi_spec_validator", "--schema", "3.1", "openapi.json"]
        let outcome = try scratch.run(python, arguments)
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test func `it is served to anyone`() throws {
        let served = try ServedSample()
        let answer = try served.ask("GET", "//api/openapi.json", token: "")
        #expect(answer.status == 200)
        #expect(answer["content-type"] == "application/json")
        #expect(answer.body == Data(text.bytes + [0x0A]))
        let tag = try #require(answer["etag"])
        let again = try served.ask("GET", "//api/openapi.json", [("If-None-Match", tag)], token: "")
        #expect(again.status == 304)
    }

    // MARK: - What is in it

    @Test func `every endpoint is an operation of it, and there are no others`() throws {
        let described = try paths.flatMap { path, operations in
            operations.map { "\($0.key.uppercased()) \(path) \($0.value["operationId"] as? String ?? "")" }
        }
        let expected = Endpoint.all.map {
            "\($0.method.rawValue) \($0.fullPath.replacing("...}", with: "}")) \($0.id)"
        }
        #expect(described.sorted() == expected.sorted())
    }

    @Test func `no two operations have one id`() {
        #expect(Set(Endpoint.all.map(\.id)).count == Endpoint.all.count)
    }

    @Test func `no two endpoints have one method and one path`() {
        let routes = Endpoint.all.map { "\($0.method.rawValue) \(Self.withoutNames($0.fullPath))" }
        #expect(Set(routes).count == routes.count)
    }

    /// OpenAPI 3.1.1, "Paths Object": such paths are identical.
    @Test func `no two paths differ by the names of their parameters alone`() {
        let paths = Set(Endpoint.all.map(\.fullPath))
        #expect(Set(paths.map(Self.withoutNames)).count == paths.count)
    }

    private static func withoutNames(_ path: String) -> String { path.replacing(/{[^}]*}/, with: "{}") }

    @Test func `every component that is referred to is there`() throws {
        let components = try #require(document["components"] as? [String: [String: Any]])
        let known = Set(components.flatMap { kind, parts in parts.keys.map { "#/components/\(kind)/\($0)" } })
        let references = Set(Self.references(in: document))
        #expect(references.contains("#/components/schemas/MarkerRecord"))
        #expect(references.subtracting(known) == [])
    }

    private static func references(in value: Any) -> [String] {
        if let array = value as? [Any] { return array.flatMap(references) }
        guard let object = value as? [String: Any] else { return [] }
        return object.flatMap { name, value in
            name == "$ref" ? [value as? String ?? ""] : references(in: value)
        }
    }

    @Test(arguments: RecordKind.allCases)
    func `every kind of record has a component, of which no more is promised than that it is an object`(
        kind: RecordKind
    ) throws {
        let component = try #require(RecordComponent(rawValue: kind.rawValue))
        #expect(Schema.record(kind) == component.name)
        let schema = try JSONSerialization.jsonObject(with: Data(component.schema(forHTTP: true).bytes))
        let members = try #require(schema as? [String: Any])
        #expect(members["type"] as? String == "object")
        #expect(Set(members.keys) == ["type", "description"])
    }

    @Test func `an operation needs a token in the header unless its address is enough`() throws {
        for endpoint in Endpoint.all {
            let path = endpoint.fullPath.replacing("...}", with: "}")
            let operation = try #require(try paths[path]?[endpoint.method.rawValue.lowercased()])
            #expect(
                (operation["security"] != nil) == [.anyone, .feed].contains(endpoint.access), "\(endpoint.id)"
            )
            #expect(operation["x-scope"] as? String == endpoint.scope?.rawValue, "\(endpoint.id)")
        }
    }
}
