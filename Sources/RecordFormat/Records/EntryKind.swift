/// What a record is: its permanent number in the index.
///
/// Each kind of journal has a range of its own: sessions 0 to 15, further ones 16 each. The ``EntryDeclaration`` of the
/// journal's layout has the name for a number.
public struct EntryKind: Sendable, Hashable, BitwiseCopyable {
    /// The number, from 0 to 63.
    public let code: UInt8

    /// - Parameter code: From 0 to 63.
    public init(code: UInt8) {
        precondition(code < Self.count, "no kind of entry has the number \(code)")
        self.code = code
    }

    /// How many numbers there can be: a bit each in a ``EntryKindSet``.
    package static let count: UInt8 = 64
}

/// A set of kinds of entry, in one word, since it is checked for every line.
package struct EntryKindSet: Sendable, Hashable, BitwiseCopyable {
    private let bits: UInt64

    package init(_ kinds: [EntryKind]) { bits = kinds.reduce(0) { $0 | 1 << UInt64($1.code) } }

    package func contains(_ kind: EntryKind) -> Bool { bits >> UInt64(kind.code) & 1 == 1 }
}
