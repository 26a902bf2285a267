/// A reader of something that a stranger sends over HTTP, and what must hold of every input.
package enum ProtocolFuzzTarget: String, CaseIterable, Sendable {
    /// Conditions and ranges. The first line is a choice of method, size and state; each further one is a header field.
    case ranges
    /// The target of a request. The first byte chooses the method.
    case target
    /// Cookies, each line one field, and their values as tokens.
    case cookies
    /// Cursors: the input as a text, and as the contents of one.
    case cursor
    /// What names a session in an address: the input as a text.
    case handle
    /// The body of a request that sets a marker, and the phone app's arrays.
    case body

    /// Reads an input in every way that there is.
    ///
    /// - Throws: ``ProtocolFlaw`` where something does not hold; what else is thrown is a flaw, too.
    package func check(_ bytes: UnsafeRawBufferPointer) throws {
        let input = Array(bytes)
        switch self {
        case .ranges: try RangeFuzzing(input).check()
        case .target: try TargetFuzzing(input).check()
        case .cookies: try CookieFuzzing(input).check()
        case .cursor: try CursorFuzzing(input).check()
        case .handle: try HandleFuzzing(input).check()
        case .body: try BodyFuzzing(input).check()
        }
    }
}

/// Something that should hold of every input, and did not.
package struct ProtocolFlaw: Error, CustomStringConvertible {
    package let description: String
}

/// - Throws: ``ProtocolFlaw`` where the condition is false.
func require(_ condition: Bool, _ flaw: @autoclosure () -> String) throws {
    if !condition { throw ProtocolFlaw(description: flaw()) }
}

extension [UInt8] {
    /// The lines of the input as text.
    var lines: [String] {
        split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The byte there, or 0.
    func byte(_ index: Int) -> UInt8 { index < count ? self[index] : 0 }
}
