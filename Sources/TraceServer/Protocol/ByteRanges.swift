/// A stretch of bytes of a representation, of at least one byte.
package struct ByteRange: Hashable, Sendable {
    /// The first byte, counted from 0.
    package let first: Int64
    /// The last byte, which is part of it.
    package let last: Int64

    /// - Parameters:
    ///   - first: Not negative.
    ///   - last: Not before it.
    package init(first: Int64, last: Int64) {
        self.first = first
        self.last = last
    }

    /// How many bytes it has.
    package var count: Int64 { last - first + 1 }

    /// The value of `Content-Range` in a 206.
    ///
    /// Source: RFC 9110, section 14.4.
    package func contentRange(of size: Int64) -> String { "bytes \(first)-\(last)/\(size)" }

    /// The value of `Content-Range` in a 416.
    package static func unsatisfiedContentRange(of size: Int64) -> String { "bytes */\(size)" }
}

/// The value of `Range`: the parts of a representation that a client asks for.
///
/// Source: RFC 9110, section 14.1.
package struct ByteRanges: Sendable {
    /// The part of a representation that ranges select.
    package enum Selection: Hashable, Sendable {
        /// All of it, with 200, as if no range had been asked for.
        case whole
        /// One range, with 206.
        case part(ByteRange)
        /// None, with 416.
        case nothing
    }

    private enum Request {
        /// From a byte to another or, without one, to the end.
        case from(Int64, to: Int64?)
        /// The last so many bytes.
        case last(Int64)
    }

    private let requests: [Request]

    /// The greatest number of ranges. Several that don't touch are answered whole anyway, and thousands are an attack.
    ///
    /// Source: RFC 9110, section 14.2 ("many small ranges").
    private static let limit = 64

    /// - Returns: nil for a value that must be ignored: a unit other than bytes, a syntax error, a range that ends before it
    ///   begins, or more than 64 ranges.
    /// - Complexity: O(length of the value).
    package init?(_ value: String) {
        var scanner = FieldScanner(value)
        scanner.skipSpace()
        guard scanner.token()?.asciiLowercased == "bytes", scanner.skip(UInt8(ascii: "=")) else { return nil }
        var requests: [Request] = []
        while scanner.moveToElement() {
            guard requests.count < Self.limit, let request = Self.request(&scanner),
                scanner.isAtEndOfElement()
            else { return nil }
            requests.append(request)
        }
        guard !requests.isEmpty else { return nil }
        self.requests = requests
    }

    /// `0-499`, `500-` or `-500`; a number that is too large for 64 bits is clamped.
    private static func request(_ scanner: inout FieldScanner) -> Request? {
        let first = scanner.number()
        guard scanner.skip(UInt8(ascii: "-")) else { return nil }
        let last = scanner.number()
        switch (first, last) {
        case (let first?, let last?): return first <= last ? .from(first, to: last) : nil
        case (let first?, nil): return .from(first, to: nil)
        case (nil, let length?): return .last(length)
        case (nil, nil): return nil
        }
    }

    /// The part of a representation of `size` bytes that these ranges select. Ranges that overlap or touch are joined; if more
    /// than one is left, it is the whole representation, since no player asks for `multipart/byteranges`.
    ///
    /// The last bytes of an empty representation are all of it, which `Content-Range` can't express: 200.
    package func selection(of size: Int64) -> Selection {
        var ranges: [ByteRange] = []
        for request in requests {
            switch request {
            case .from(let first, let last) where first < size:
                ranges.append(ByteRange(first: first, last: min(last ?? .max, size - 1)))
            case .last(let length) where length > 0:
                guard size > 0 else { return .whole }
                ranges.append(ByteRange(first: size - min(length, size), last: size - 1))
            case .from, .last: continue
            }
        }
        ranges.sort { $0.first < $1.first }
        guard var joined = ranges.first else { return .nothing }
        for range in ranges.dropFirst() {
            guard range.first <= joined.last + 1 else { return .whole }
            joined = ByteRange(first: joined.first, last: max(joined.last, range.last))
        }
        return .part(joined)
    }
}
