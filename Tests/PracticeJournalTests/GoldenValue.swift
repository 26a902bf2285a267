import Foundation
import RecordFormat
import Testing

/// A JSON value of a golden file: a piece of its text.
struct GoldenValue: Sendable {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The last member of that name; nil if it is missing or null.
    subscript(name: String) -> GoldenValue? {
        guard let found = members.last(where: { $0.name == name })?.value, !found.isNull else { return nil }
        return found
    }

    /// In the order of the text; none of anything but an object.
    var members: [(name: String, value: GoldenValue)] {
        bytes.withUnsafeBytes { text in
            ((try? JSONScanner.members(of: text)) ?? []).map { ($0.name, GoldenValue(text[$0.valueRange])) }
        }
    }

    var elements: [GoldenValue] {
        bytes.withUnsafeBytes { text in
            ((try? JSONScanner.elements(of: text)) ?? []).map { GoldenValue(text[$0]) }
        }
    }

    var isNull: Bool { bytes.elementsEqual("null".utf8) }
    var string: String? { read(\.string) }
    var number: Double? { read(\.number) }
    var integer: Int? { read(\.integer).map { Int($0) } }
    var boolean: Bool? { read(\.boolean) }

    /// What the library's own view of the value gives.
    func read<Result>(_ body: (JSONValue) throws -> Result?) rethrows -> Result? {
        guard let parser = try? JSONParser() else { return nil }
        return try? parser.withParsed(bytes, body)
    }

    func text(_ name: String) -> String { self[name]?.string ?? "" }

    /// A member that must be there.
    func need(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> GoldenValue {
        try #require(self[name], "\(name)", sourceLocation: location)
    }
}

extension GoldenValue: CustomStringConvertible {
    var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension GoldenValue: Equatable {
    /// As JSON: the order of members does not count.
    static func == (one: GoldenValue, other: GoldenValue) -> Bool {
        JSONText.isEquivalent(one.bytes, other.bytes)
    }
}

/// A case of a golden file, by its name.
struct GoldenCase: Sendable, CustomTestStringConvertible {
    let name: String
    let value: GoldenValue
    /// The file with what all of its cases share.
    let file: GoldenValue

    var testDescription: String { name }

    subscript(name: String) -> GoldenValue? { value[name] }
    func text(_ name: String) -> String { value.text(name) }
    func need(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> GoldenValue {
        try value.need(name, location)
    }

    /// The cases of a file of Tests/Fixtures/journals.
    static func all(of file: String, _ isWanted: (GoldenCase) -> Bool = { _ in true }) -> [GoldenCase] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/journals/\(file).json")
        let golden = GoldenValue((try? Data(contentsOf: url)) ?? Data())
        let cases = golden["cases"]?.elements ?? []
        precondition(!cases.isEmpty, "\(file) has no cases")
        return cases.map { GoldenCase(name: $0.text("name"), value: $0, file: golden) }.filter(isWanted)
    }
}
