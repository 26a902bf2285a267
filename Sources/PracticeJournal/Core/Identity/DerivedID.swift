package import RecordFormat
internal import TraceCrypto

/// The ids of the records that a write makes: they follow from the write's own id, so that the same write, delivered twice,
/// makes the same records.
///
/// Source: docs/spec/journals.md#ids.
package enum DerivedID {
    /// What a record is to the write that makes it.
    package enum Role: String, Sendable, CaseIterable {
        case journal, score, study, video, note, group, library
    }

    /// A UUID of version 8, in upper case: SHA-256 of `trace:`, the id of the entry, `:` and the role.
    package static func id(of entry: ULID, _ role: Role) -> String { id(of: entry, named: role.rawValue) }

    /// Those of all records that a write may make, without the many of an import.
    static func all(of entry: ULID) -> [String] { Role.allCases.map { id(of: entry, $0) } }

    /// The id of one of many records of a write, whose role has a name of its own.
    static func id(of entry: ULID, named role: String) -> String {
        var hash = SHA256()
        hash.update(text: "trace:\(entry):\(role)")
        return UUIDText.text(of: hash.finalize(), version: 8).uppercased()
    }
}
