/// How many records of a document a merge added, changed and removed.
package struct MergeCounts: Sendable, Equatable {
    package private(set) var added = 0
    package private(set) var changed = 0
    package private(set) var removed = 0
    /// Members of the document's objects, and other members of its top level.
    package private(set) var members = 0

    package var isZero: Bool { self == MergeCounts() }

    package init() {}

    init(from before: DocumentValues, to after: DocumentValues) {
        for array in PracticeArray.allCases {
            let (old, new) = (before.records[array] ?? [:], after.records[array] ?? [:])
            added += new.keys.count { old[$0] == nil }
            removed += old.keys.count { new[$0] == nil }
            changed += new.count { key, members in
                guard let known = old[key] else { return false }
                return Self.changes(from: known, to: members) > 0
            }
        }
        for object in Set(before.objects.keys).union(after.objects.keys) {
            members += Self.changes(from: before.objects[object] ?? [:], to: after.objects[object] ?? [:])
        }
        members += Self.changes(from: before.others, to: after.others)
    }

    private static func changes(from old: DocumentValues.Members, to new: DocumentValues.Members) -> Int {
        Set(old.keys).union(new.keys).count { name in
            guard let one = old[name], let other = new[name] else { return true }
            return !one.isSameJSON(as: other)
        }
    }
}
