internal import RecordFormat

/// What a write comes with: an object, whose members have types.
struct WritePayload {
    private let value: JSONValue

    init(_ value: JSONValue) throws(WriteRejection) {
        guard value.kind == .object else { throw WriteRejection("The payload is not an object.") }
        self.value = value
    }

    var members: [(name: String, value: JSONValue)] {
        value.members.map { (String(decoding: $0.0, as: UTF8.self), $0.1) }
    }

    /// A member; nil if it is missing or `null`.
    func json(_ name: StaticString) -> JSONValue? {
        guard let found = value[name: name], !found.isNull else { return nil }
        return found
    }

    func text(_ name: StaticString) throws(WriteRejection) -> String? {
        try read(name, "a text", \.string)
    }

    func number(_ name: StaticString) throws(WriteRejection) -> Double? {
        try read(name, "a number", \.number)
    }

    func integer(_ name: StaticString) throws(WriteRejection) -> Int? {
        try read(name, "a whole number") { $0.integer.map { Int(clamping: $0) } }
    }

    func boolean(_ name: StaticString) throws(WriteRejection) -> Bool? {
        try read(name, "true or false", \.boolean)
    }

    func texts(_ name: StaticString) throws(WriteRejection) -> [String]? {
        try read(name, "an array of texts") { list in
            guard list.kind == .array, list.elements.allSatisfy({ $0.utf8 != nil }) else { return nil }
            return list.elements.compactMap(\.string)
        }
    }

    /// A word of an enumeration: what we write, every app must know.
    func word<Known: RawRepresentable & CaseIterable>(
        _ name: StaticString, _: Known.Type
    ) throws(WriteRejection) -> Known? where Known.RawValue == String {
        let words = Known.allCases.map(\.rawValue).joined(separator: ", ")
        return try read(name, "one of \(words)") { $0.string.flatMap(Known.init) }
    }

    func required<Value>(_ name: StaticString, _ value: Value?) throws(WriteRejection) -> Value {
        guard let value else { throw WriteRejection("\(name) is missing.") }
        return value
    }

    private func read<Value>(
        _ name: StaticString, _ type: String, _ read: (JSONValue) -> Value?
    ) throws(WriteRejection) -> Value? {
        guard let found = json(name) else { return nil }
        guard let value = read(found) else { throw WriteRejection("\(name) must be \(type).") }
        return value
    }
}
