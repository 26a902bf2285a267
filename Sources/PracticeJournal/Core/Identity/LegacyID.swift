internal import TraceCrypto

/// The ids that records of Android's older shape get: there an id was any text.
///
/// Source: docs/spec/practice.md#ids-of-the-older-form.
package struct LegacyID: Sendable {
    /// What hashes of one kind of record begin with.
    package enum Prefix: String, Sendable {
        case group, score, note, journal, study, video
    }

    /// The text that the id is made of: trimmed, `<prefix>-empty` for a blank one, with `#<n>` from the second occurrence on.
    let raw: String
    /// A UUID in lower case.
    package let id: String

    /// - Parameter occurrence: How many records of the array have had this id so far, this one included.
    package init(_ prefix: Prefix, raw: String, occurrence: Int = 1) {
        let named = Self.name(prefix, raw)
        self.raw = occurrence > 1 ? "\(named)#\(occurrence)" : named
        id = UUIDText.isUUID(self.raw) ? self.raw.lowercased() : Self.hash(prefix, self.raw)
    }

    /// The id of what is made of a row: a hash, whatever the row's own id is.
    package static func study(ofRow raw: String, task: String) -> String { hash(.study, "\(raw):\(task)") }

    private static func name(_ prefix: Prefix, _ raw: String) -> String {
        raw.trimmedOrNil ?? "\(prefix.rawValue)-empty"
    }

    /// A UUID of version 3, without a namespace: MD5 of `<prefix>:<raw>`.
    private static func hash(_ prefix: Prefix, _ raw: String) -> String {
        var hash = InsecureMD5()
        hash.update(text: "\(prefix.rawValue):\(raw)")
        return UUIDText.text(of: hash.finalize(), version: 3)
    }
}

/// Gives the records of one array of the older shape their ids, each another one.
struct LegacyIDs {
    private let prefix: LegacyID.Prefix
    /// The number that the last record got, by the id that its text makes without one.
    private var numbers: [String: Int] = [:]
    /// The ids that are given.
    private var given: Set<String> = []
    /// The id of the first record of each text.
    private(set) var firsts: [String: String] = [:]

    init(_ prefix: LegacyID.Prefix) { self.prefix = prefix }

    /// The id of the next record, and whether an earlier one of the array had the same.
    mutating func next(_ raw: String) -> (id: LegacyID, isRepeated: Bool) {
        let plain = LegacyID(prefix, raw: raw)
        let last = numbers[plain.id, default: 0]
        var (id, number) = (plain, last + 1)
        if number > 1 { id = LegacyID(prefix, raw: raw, occurrence: number) }
        // A text may be the one that another gets with its number.
        while !given.insert(id.id).inserted {
            number += 1
            id = LegacyID(prefix, raw: raw, occurrence: number)
        }
        numbers[plain.id] = number
        if last == 0 { firsts[raw.trimmed] = id.id }
        return (id, number > 1)
    }
}
