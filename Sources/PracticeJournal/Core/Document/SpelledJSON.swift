internal import RecordFormat

/// A value in a JSON text, with the text as it is spelled.
///
/// The text is one that was read before: what is not JSON is empty.
package struct SpelledJSON {
    private let bytes: [UInt8]
    private let range: Range<Int>

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        range = 0..<bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    var text: ArraySlice<UInt8> { bytes[range] }

    /// Of an object, in their order; of anything else none.
    var members: [(name: String, value: SpelledJSON)] {
        let members = try? DocumentOutline.members(of: bytes, in: range)
        return (members ?? []).map { ($0.name, SpelledJSON(bytes, $0.valueRange)) }
    }

    /// Of an array; of anything else none.
    var elements: [SpelledJSON] {
        let found = bytes.withUnsafeBytes {
            try? JSONScanner.elements(of: UnsafeRawBufferPointer(rebasing: $0[range]))
        }
        return (found ?? []).map {
            SpelledJSON(bytes, $0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound)
        }
    }

    /// The last member of that name.
    subscript(name: String) -> SpelledJSON? { members.last { $0.name == name }?.value }

    var string: String? {
        guard text.first == UInt8(ascii: "\"") else { return nil }
        return text.withUnsafeBytes { JSONText.unescaped($0) }
    }

    var integer: Int? { Int(String(decoding: text, as: UTF8.self)) }

    var isTrue: Bool { text.elementsEqual("true".utf8) }
}
