internal import RecordFormat
internal import TraceText

/// Buffers data for standard output.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    /// How a terminal gets the characters that it would obey (``Output/raw(_:as:)``).
    private let escape: VisibleText.Escape?
    /// Whether some of it has been printed.
    private(set) var hasBegun = false

    /// How many bytes are collected before they are printed.
    static let pieceSize = 64 << 10

    init(_ escape: VisibleText.Escape? = .braces) { self.escape = escape }

    /// Adds what `body` appends.
    mutating func add(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
        if bytes.count >= Self.pieceSize { flush() }
    }

    /// Prints what there is.
    mutating func flush() {
        guard !bytes.isEmpty else { return }
        Output.raw(bytes, as: escape)
        bytes.removeAll(keepingCapacity: true)
        hasBegun = true
    }
}

/// Collects the elements of a JSON array that is on a line of standard output.
struct JSONArrayBuffer {
    private var buffer = OutputBuffer(.json)
    private var isEmpty = true
    private let end: [UInt8]

    /// - Parameters:
    ///   - before: What precedes the array on its line.
    ///   - after: What follows it.
    init(before: [UInt8] = [], after: [UInt8] = []) {
        end = [UInt8(ascii: "]")] + after + [0x0A]
        buffer.add { $0 += before + [UInt8(ascii: "[")] }
    }

    mutating func add(_ element: JSONText) {
        let isFirst = isEmpty
        isEmpty = false
        buffer.add { text in
            if !isFirst { text.append(UInt8(ascii: ",")) }
            text += element.bytes
        }
    }

    /// Ends the array, and prints what is left of it.
    mutating func finish() {
        buffer.add { $0 += end }
        buffer.flush()
    }
}
