package import RecordFormat
internal import TraceCrypto
internal import TraceText

/// What of a document is merged: the value of each member of its records and objects, as it is spelled.
///
/// A record is identified by its id. One without an id, and one whose id an earlier record of its array has, is identified by its text: it is never
/// changed, but comes and goes as a whole.
///
/// Source: docs/spec/practice.md#registers-and-tombstones.
package struct DocumentValues: Sendable {
    /// The JSON of a value, on one line.
    typealias Text = ArraySlice<UInt8>
    typealias Members = [String: Text]

    /// By the key of the record.
    private(set) var records: [PracticeArray: [String: Members]] = [:]
    /// The keys of the records, in the order of the text.
    private(set) var orders: [PracticeArray: [String]] = [:]
    /// Of the three maps and the four objects of settings.
    private(set) var objects: [String: Members] = [:]
    /// The members of the top level that are neither arrays of records nor one of these objects.
    private(set) var others: Members = [:]
    /// The greatest time of a record, in milliseconds since 1970, rounded down.
    package let newest: Int64?

    /// - Parameter skipsStrays: Whether elements of arrays that are not records are left out, so that places in ``orders`` are not those in the
    ///   document.
    /// - Throws: ``FormatError`` with `.recordInvalid` if something is in the place of an array, an object or a record that is not one, or if
    ///   the times are not milliseconds: then a merge would lose it, or take every time for a change.
    package init(_ document: PracticeDocument, skipsStrays: Bool = false) throws(FormatError) {
        guard !(document.dateUnit == .appleSeconds) else {
            throw FormatError(
                .recordInvalid, "the times are seconds since 2001", cure: "\(verb: "repair") mends that")
        }
        newest = document.newestTime
        let reader = ValueReader(bytes: document.bytes)
        for array in PracticeArray.allCases {
            guard let member = document.outline.member(array.rawValue) else { continue }
            guard try reader.isThere(member, as: UInt8(ascii: "["), "an array") else { continue }
            let elements = document.outline.elements(of: array.rawValue).filter {
                !skipsStrays || document.bytes[$0.lowerBound] == UInt8(ascii: "{")
            }
            try add(array, elements, reader)
        }
        let known =
            PracticeMap.allCases.map(\.rawValue) + PracticeSettingsObject.allCases.map(\.rawValue)
        for name in known {
            guard let member = document.outline.member(name),
                try reader.isThere(member, as: UInt8(ascii: "{"), "an object")
            else { continue }
            objects[name] = try reader.members(member.valueRange).filter { !$0.value.isNull }
        }
        let taken = Set(known + PracticeArray.allCases.map(\.rawValue))
        for member in document.outline.members where !taken.contains(member.name) {
            others[member.name] = reader.text(member.valueRange)
        }
    }

    /// The values that a state comes to.
    init(
        records: [PracticeArray: [String: Members]], orders: [PracticeArray: [String]],
        objects: [String: Members], others: Members
    ) {
        self.records = records
        self.orders = orders
        self.objects = objects
        self.others = others
        newest = nil
    }

    private mutating func add(
        _ array: PracticeArray, _ elements: [Range<Int>], _ reader: ValueReader
    ) throws(FormatError) {
        let declared = Set(array.declaration.map { "\($0.name)" })
        var found: [String: Members] = [:]
        found.reserveCapacity(elements.count)
        var keys: [String] = []
        keys.reserveCapacity(elements.count)
        for (index, range) in elements.enumerated() {
            guard reader.bytes[range.lowerBound] == UInt8(ascii: "{") else {
                throw FormatError(
                    .recordInvalid, "element \(index + 1) of \(array.rawValue) is not an object",
                    cure: "fix it in an editor")
            }
            var members = try reader.members(range)
            for (name, value) in members where value.isNull && declared.contains(name) {
                members[name] = nil
            }
            var key = members["id"].flatMap(MergeKey.id) ?? MergeKey.text(of: reader.text(range))
            if found[key] != nil { key = MergeKey.text(of: reader.text(range)) }
            while found[key] != nil { key += MergeKey.repetition }
            found[key] = members
            keys.append(key)
        }
        records[array] = found
        orders[array] = keys
    }

    /// With the keys of another document's records where both go by their texts, and only the order of the members in these is another: a
    /// merge may have put them into another order, which says nothing.
    ///
    /// - Complexity: O(records), without sorting those of which both documents have the text.
    func withTextKeys(of other: DocumentValues) -> DocumentValues {
        var result = self
        for (array, records) in records {
            let others = other.records[array] ?? [:]
            let free = others.filter { MergeKey.isOfText($0.key) && records[$0.key] == nil }
            guard !free.isEmpty else { continue }
            // Of equal ones the first is taken first.
            var keys = Dictionary(grouping: free.keys.sorted(by: >)) { free[$0] ?? [:] }
            var renamed: [String: String] = [:]
            for key in records.keys.filter({ MergeKey.isOfText($0) && others[$0] == nil }).sorted() {
                guard let members = records[key] else { continue }
                renamed[key] = keys[members]?.popLast()
            }
            guard !renamed.isEmpty else { continue }
            result.records[array] = Dictionary(
                uniqueKeysWithValues: records.map { (renamed[$0.key] ?? $0.key, $0.value) })
            result.orders[array] = orders[array]?.map { renamed[$0] ?? $0 }
        }
        return result
    }

    var isWithoutRecords: Bool { records.values.allSatisfy(\.isEmpty) }

    /// Whether it says no more than a document that an app writes at its first start: no records, no notes, the first settings.
    var isEmpty: Bool {
        isWithoutRecords && others.keys.allSatisfy { $0 == "schemaVersion" }
            && PracticeMap.allCases.allSatisfy { objects[$0.rawValue]?.isEmpty ?? true }
            && PracticeSettingsObject.allCases.allSatisfy { object in
                (objects[object.rawValue] ?? [:]).allSatisfy { name, value in
                    value.elementsEqual("\"\"".utf8)
                        // Earlier versions imported by themselves only where they were asked to.
                        || name == "csvAutoFillEnabled" && value.elementsEqual("false".utf8)
                        || object.defaults.contains {
                            $0.name == name && value.isSameJSON(as: $0.value.bytes[...])
                        }
                }
            }
    }
}

/// How a record is distinguished from the others of its array.
enum MergeKey {
    static let repetition = "+"
    private static let textPrefix = "text:"

    /// The id, in lower case if it is a UUID; nil if it is not a string.
    static func id(_ value: DocumentValues.Text) -> String? {
        value.stringOfJSON.map(UUIDText.key)
    }

    static func text(of record: DocumentValues.Text) -> String {
        textPrefix + UUIDText.text(of: SHA256.hash(data: record), version: 8)
    }

    /// Whether it is the text that tells the record.
    static func isOfText(_ key: String) -> Bool { key.hasPrefix(textPrefix) }
}

/// Takes values out of the text of a document that was read.
private struct ValueReader {
    let bytes: [UInt8]

    /// False for null, which counts as missing.
    func isThere(
        _ member: DocumentOutline.Member, as opening: UInt8, _ what: String
    ) throws(FormatError) -> Bool {
        switch bytes[member.valueRange.lowerBound] {
        case opening: return true
        case UInt8(ascii: "n"): return false
        default:
            throw FormatError(.recordInvalid, "\(member.name) is not \(what)", cure: "fix it in an editor")
        }
    }

    /// Of several members of a name the last one counts.
    func members(_ range: Range<Int>) throws(FormatError) -> DocumentValues.Members {
        let found: [DocumentOutline.Member]
        do throws(JSONScanner.Failure) {
            found = try DocumentOutline.members(of: bytes, in: range, isParsed: true)
        } catch {
            throw FormatError(.jsonMalformed, error.reason, cure: "fix it in an editor")
        }
        var members: DocumentValues.Members = [:]
        members.reserveCapacity(found.count)
        for member in found { members[member.name] = text(member.valueRange) }
        return members
    }

    /// On one line: only arrays and objects have white space within.
    func text(_ range: Range<Int>) -> DocumentValues.Text {
        let first = bytes[range.lowerBound]
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return bytes[range] }
        return JSONText.compacted(Array(bytes[range]))[...]
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isNull: Bool { first == UInt8(ascii: "n") }

    /// Whether two values are the same as JSON.
    func isSameJSON(as other: ArraySlice<UInt8>) -> Bool {
        self == other || JSONText.isEquivalent(Array(self), Array(other))
    }
}

extension PracticeDocument {
    /// The greatest time of a record, in milliseconds since 1970, rounded down.
    var newestTime: Int64? {
        let newest = PracticeArray.allCases.flatMap { times(of: $0) }.lazy.compactMap(\.self).max()
        return newest.flatMap { Int64(exactly: $0.rounded(.down)) }
    }
}
