/// What a record is: its permanent number in the index.
///
/// Each kind of journal has a block of sixteen numbers, which docs/contributing.md lists. The ``EntryDeclaration`` of the journal's layout
/// has the name for a number.
///
/// Source: docs/contributing.md#numbers-of-entries.
public struct EntryKind: Sendable, Hashable, BitwiseCopyable {
    /// The number, from 0 to 127.
    public let code: UInt8

    /// - Parameter code: From 0 to 127.
    public init(code: UInt8) {
        precondition(code < Self.count, "no kind of entry has the number \(code)")
        self.code = code
    }

    /// How many numbers there can be: a bit each in a ``EntryKindSet``.
    package static let count: UInt8 = 128
    /// How many of them a kind of journal has.
    static let blockSize: UInt8 = 16

    /// Which block of numbers it is in: that of its kind of journal.
    package var block: Int { Int(code / Self.blockSize) }
}

/// A set of kinds of entry, in two words, since it is checked for every line.
package struct EntryKindSet: Sendable, Hashable, BitwiseCopyable {
    private let bits: UInt128

    package init(_ kinds: [EntryKind]) { bits = kinds.reduce(0) { $0 | 1 << UInt128($1.code) } }

    package func contains(_ kind: EntryKind) -> Bool { bits >> UInt128(kind.code) & 1 == 1 }
}
