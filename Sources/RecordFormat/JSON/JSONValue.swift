/// A value on the tape of a ``JSONParser``: a view that costs nothing and reads nothing but what it is asked
/// for.
///
/// Its pointers belong to the parser: a value must not be used after the parser's next parse. A value is passed on only for the
/// duration of a call.
package struct JSONValue {
    private let tape: UnsafePointer<UInt64>
    private let strings: UnsafePointer<UInt8>
    let index: Int

    init(tape: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>, index: Int) {
        self.tape = tape
        self.strings = strings
        self.index = index
    }

    /// The value that is at another place of the same tape.
    func value(at index: Int) -> JSONValue { JSONValue(tape: tape, strings: strings, index: index) }

    /// The type of a value; `integer` follows JSON Schema, so it includes `1.0` and `1e3`.
    package enum Kind: Equatable {
        case null, boolean, integer, number, string, array, object
    }

    private var tag: UInt8 { UInt8(truncatingIfNeeded: tape[index] >> 56) }
    private var payload: UInt64 { tape[index] & 0x00FF_FFFF_FFFF_FFFF }

    /// What the value is.
    package var kind: Kind {
        switch tag {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "l"), UInt8(ascii: "u"): .integer
        case UInt8(ascii: "d"): double.rounded() == double ? .integer : .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        default: .null
        }
    }

    /// Where the next value after this one is on the tape.
    var nextIndex: Int {
        switch tag {
        case UInt8(ascii: "{"), UInt8(ascii: "["): Int(payload & 0xFFFF_FFFF)
        case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
        default: index + 1
        }
    }

    /// How many elements an array has, or how many there are at least: libsimdjson counts in 24 bits, and not further.
    fileprivate var countOnTape: Int { Int(payload >> 32) }

    private var double: Double { Double(bitPattern: tape[index + 1]) }

    /// Whether the value is `null`.
    package var isNull: Bool { tag == UInt8(ascii: "n") }

    /// The boolean, or nil.
    package var boolean: Bool? {
        switch tag {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The integer, or nil when the value is not one or does not fit.
    package var integer: Int64? {
        switch tag {
        case UInt8(ascii: "l"): Int64(bitPattern: tape[index + 1])
        case UInt8(ascii: "d"): Int64(exactly: double)
        default: nil
        }
    }

    /// The integer where it is one that ``integer`` has no room for, and that is written as one.
    var largeInteger: UInt64? { tag == UInt8(ascii: "u") ? tape[index + 1] : nil }

    /// Whether the value is a number below zero.
    package var isNegative: Bool {
        switch tag {
        case UInt8(ascii: "l"): Int64(bitPattern: tape[index + 1]) < 0
        case UInt8(ascii: "d"): double < 0
        default: false
        }
    }

    /// The number, rounded to a double, or nil.
    package var number: Double? {
        switch tag {
        case UInt8(ascii: "l"): Double(Int64(bitPattern: tape[index + 1]))
        case UInt8(ascii: "u"): Double(tape[index + 1])
        case UInt8(ascii: "d"): double
        default: nil
        }
    }

    /// The UTF-8 bytes of a string with its escapes resolved, or nil when the value is not one.
    package var utf8: UnsafeRawBufferPointer? {
        guard tag == UInt8(ascii: "\"") else { return nil }
        // The tape gives the place of a 32-bit length in native order, which the bytes follow.
        let start = UnsafeRawPointer(strings) + Int(payload)
        let length = Int(start.loadUnaligned(as: UInt32.self))
        return UnsafeRawBufferPointer(start: start + 4, count: length)
    }

    /// The string, or nil.
    package var string: String? { utf8.map { String(decoding: $0, as: UTF8.self) } }

    /// The values of an array; of anything else none.
    package var elements: Elements {
        Elements(container: self, cursor: index + 1, end: kind == .array ? nextIndex - 1 : index + 1)
    }

    /// The members of an object in their order, duplicates included; of anything else none.
    package var members: Members {
        Members(container: self, cursor: index + 1, end: kind == .object ? nextIndex - 1 : index + 1)
    }

    /// The last member of that name, or nil.
    package subscript(name name: StaticString) -> JSONValue? {
        var found: JSONValue?
        for (key, value) in members where key.equals(name) { found = value }
        return found
    }

    package struct Elements: Sequence, IteratorProtocol {
        fileprivate let container: JSONValue
        fileprivate var cursor: Int
        fileprivate let end: Int

        /// The number of the elements; of very many, of which the tape does not say it, a smaller one.
        package var underestimatedCount: Int { container.kind == .array ? container.countOnTape : 0 }

        package mutating func next() -> JSONValue? {
            guard cursor < end else { return nil }
            let value = container.value(at: cursor)
            cursor = value.nextIndex
            return value
        }
    }

    package struct Members: Sequence, IteratorProtocol {
        fileprivate let container: JSONValue
        fileprivate var cursor: Int
        fileprivate let end: Int

        package mutating func next() -> (key: UnsafeRawBufferPointer, value: JSONValue)? {
            guard cursor < end, let key = container.value(at: cursor).utf8 else { return nil }
            let value = container.value(at: cursor + 1)
            cursor = value.nextIndex
            return (key, value)
        }
    }
}

extension JSONValue {
    /// Whether two values mean the same: members in any order, numbers by value, the last of a name counts.
    func isEquivalent(to other: JSONValue) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .null: return true
        case .boolean: return boolean == other.boolean
        case .integer, .number:
            if tag == UInt8(ascii: "u"), other.tag == tag {
                return tape[index + 1] == other.tape[other.index + 1]
            }
            if let left = integer, let right = other.integer { return left == right }
            return number == other.number
        case .string: return utf8.map(Array.init) == other.utf8.map(Array.init)
        case .array:
            var left = elements
            var right = other.elements
            while true {
                switch (left.next(), right.next()) {
                case (nil, nil): return true
                case (let one?, let two?) where one.isEquivalent(to: two): continue
                default: return false
                }
            }
        case .object:
            let left = lastMembers
            let right = other.lastMembers
            guard left.count == right.count else { return false }
            return left.allSatisfy { name, value in right[name].map(value.isEquivalent) ?? false }
        }
    }

    /// By the bytes of their names: `String` takes texts for equal that differ in their normalisation.
    var lastMembers: [[UInt8]: JSONValue] {
        Dictionary(members.map { (Array($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are that text.
    ///
    /// Names of members are compared a few times for each line, so that it is done in words: two that overlap
    /// cover up to sixteen bytes.
    package func equals(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count == length else { return false }
        guard let bytes = baseAddress, length > 0 else { return true }
        let other = UnsafeRawPointer(text.utf8Start)
        func word<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Word.Type) -> Bool {
            bytes.loadUnaligned(fromByteOffset: offset, as: Word.self)
                == other.loadUnaligned(fromByteOffset: offset, as: Word.self)
        }
        switch length {
        case 17...: return elementsEqual(UnsafeRawBufferPointer(start: other, count: length))
        case 8...: return word(0, UInt64.self) && word(length - 8, UInt64.self)
        case 4...: return word(0, UInt32.self) && word(length - 4, UInt32.self)
        case 2...: return word(0, UInt16.self) && word(length - 2, UInt16.self)
        default: return word(0, UInt8.self)
        }
    }
}
