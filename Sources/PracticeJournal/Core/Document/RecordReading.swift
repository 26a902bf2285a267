internal import RecordFormat

/// What one record of a document is read with.
struct RecordReader {
    let value: JSONValue
    /// The unit of the document's times.
    let unit: DateUnit

    func text(_ name: StaticString) -> String? { value[name: name]?.string }

    func word<Known>(_ name: StaticString, _: Known.Type) -> Word<Known>? { text(name).map(Word<Known>.init) }

    func number(_ name: StaticString) -> Double? { value[name: name]?.number }

    func integer(_ name: StaticString) -> Int? { value[name: name]?.integer.map { Int(clamping: $0) } }

    func boolean(_ name: StaticString) -> Bool? { value[name: name]?.boolean }

    func texts(_ name: StaticString) -> [String]? {
        guard let list = value[name: name], list.kind == .array else { return nil }
        return list.elements.compactMap(\.string)
    }

    /// Milliseconds since 1970.
    func time(_ name: StaticString) -> Double? {
        value[name: name].flatMap(DatedNumber.init)?.number.map { unit.read($0).milliseconds }
    }
}
