/// Lends single lines to readers that need room behind the text.
package enum PaddedBytes {
    /// Hands `body` these bytes as the first line of a file, with a line break.
    package static func withLine<Result>(_ bytes: some Collection<UInt8>, _ body: (Line) throws -> Result)
        rethrows
        -> Result
    {
        // Sound: an array's capacity is memory of its own, behind its elements, for as long as the array is lent; of the bytes there
        // nothing but that they can be read is asked.
        if let array = bytes as? [UInt8], array.capacity - array.count >= JSONParser.padding {
            return try array.withUnsafeBytes {
                try body(Line(number: 1, offset: 0, content: $0, ending: .lineBreak))
            }
        }
        return try withUnsafeTemporaryAllocation(byteCount: bytes.count + JSONParser.padding, alignment: 1) {
            buffer in
            // A whole array's bytes are copied at once; only what has none of its own goes one by one.
            let isCopied: Void? = bytes.withContiguousStorageIfAvailable {
                buffer.copyMemory(from: UnsafeRawBufferPointer($0))
            }
            if isCopied == nil { buffer.copyBytes(from: bytes) }
            buffer[bytes.count...].initializeMemory(as: UInt8.self, repeating: 0)
            let content = UnsafeRawBufferPointer(rebasing: buffer[..<bytes.count])
            return try body(Line(number: 1, offset: 0, content: content, ending: .lineBreak))
        }
    }
}

extension JSONParser {
    /// Parses a text that stands alone, in a padded copy of it, and hands the root to `body`.
    package func withParsed<Result>(
        _ text: some Collection<UInt8>, _ body: (JSONValue) throws -> Result
    ) throws -> Result {
        try PaddedBytes.withLine(text) { try body(parse(padded: $0.content)) }
    }
}

extension JSONText {
    /// Whether two texts are JSON and mean the same (``JSONValue/isEquivalent(to:)``).
    package static func isEquivalent(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard let one = try? JSONParser(), let two = try? JSONParser() else { return false }
        let same = try? one.withParsed(left) { left in try two.withParsed(right) { left.isEquivalent(to: $0) }
        }
        return same ?? false
    }
}
