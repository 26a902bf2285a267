/// A reader that is fed whatever a fuzzer makes up, and what must hold of every input.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Files of records. The first byte chooses the kind and the sizes of the pieces that are read; the rest
    /// is the file.
    case lines
    /// `session.json`.
    case session
    /// An entry of the offline queue.
    case spool
    /// Markers of another program. The first byte chooses the format; the rest is the file.
    case exchange
    /// The document of a practice journal.
    case practice
    /// A table of a league. The first byte chooses which; the rest is the file.
    case league
    /// A game library, or the manifest or the update log of its cache. The first byte chooses which; the rest is the file.
    case library

    /// Reads an input in every way that there is.
    ///
    /// - Throws: ``Flaw`` where something does not hold; what else is thrown is a flaw, too.
    package func check(_ input: [UInt8]) throws {
        switch self {
        case .lines: try LineFuzzing(input).check()
        case .session: try SessionFuzzing(input).check()
        case .spool: try SpoolFuzzing(input).check()
        case .exchange: try ExchangeFuzzing(input).check()
        case .practice: try PracticeFuzzing(input).check()
        case .league: try LeagueFuzzing(input).check()
        case .library: try LibraryFuzzing(input).check()
        }
    }
}

/// Something that should hold of every input, and did not.
package struct Flaw: Error, CustomStringConvertible {
    package let description: String
}

/// - Throws: ``Flaw`` where the condition is false.
func require(_ condition: Bool, _ flaw: @autoclosure () -> String) throws {
    if !condition { throw Flaw(description: flaw()) }
}
