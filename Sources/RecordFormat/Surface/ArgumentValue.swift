/// The value of an argument that fits its declaration.
package indirect enum ArgumentValue: Sendable, Equatable {
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case array([ArgumentValue])
    /// In the order in which they are written.
    case object([Member])
    /// `null`, of a member of an object whose names are data: there it clears something.
    case null
    /// JSON, as it was written.
    case json([UInt8])

    /// A member of an object.
    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: ArgumentValue

        package init(_ name: String, _ value: ArgumentValue) {
            self.name = name
            self.value = value
        }
    }

    package var string: String? { if case .text(let text) = self { text } else { nil } }
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    var strings: [String]? {
        if case .array(let all) = self { all.compactMap(\.string) } else { nil }
    }
    package var elements: [ArgumentValue]? { if case .array(let all) = self { all } else { nil } }
    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    package var integer: Int? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// As an entry has it; a number that is whole without a fraction.
    package var json: JSONText {
        switch self {
        case .text(let text): JSONText(text)
        case .integer(let number): JSONText(Int64(number))
        case .number(let number): Int64(exactly: number).map { JSONText($0) } ?? JSONText(number)
        case .boolean(let value): JSONText(value)
        case .array(let all): .array(all.map(\.json))
        case .object(let members):
            .object { object in for member in members { object.member(member.name, member.value.json) } }
        case .null: .null
        case .json(let bytes): JSONText(verbatim: bytes)
        }
    }
}

extension ArgumentValue {
    /// The same as a value of JSON whose type is not declared: a number that is whole is an integer there.
    package var asUndeclared: ArgumentValue { integer.map(ArgumentValue.integer) ?? self }

    /// A value of JSON whose type is not declared.
    package init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .boolean: self = .boolean(value.boolean ?? false)
        case .integer: self = value.integer.map { .integer(Int($0)) } ?? .number(value.number ?? 0)
        case .number: self = .number(value.number ?? 0)
        case .string: self = .text(value.string ?? "")
        case .array: self = .array(value.elements.map { ArgumentValue($0) })
        case .object:
            self = .object(
                value.members.map { Member(String(decoding: $0.key, as: UTF8.self), ArgumentValue($0.value)) }
            )
        }
    }
}
