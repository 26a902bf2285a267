/// Names that sync tools give to the loser of two versions which they could not join.
///
/// Source: watching.md, section 4: Syncthing, Nextcloud, Dropbox, iCloud.
package enum ConflictCopy {
    /// The file of the format that `name` is a conflict copy of, or nil.
    package static func original(of name: String) -> String? {
        originals.first { original in
            let parts = original.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, name.hasPrefix(parts[0]), name.hasSuffix("." + parts[1]) else {
                return false
            }
            guard name.utf8.count > original.utf8.count else { return false }
            let middle = name.dropFirst(parts[0].count).dropLast(parts[1].count + 1)
            return isMark(middle)
        }
    }

    private static let originals = RecordKind.allCases.map(\.fileName) + [SessionLayout.digest]

    /// What stands between a name and its extension.
    private static func isMark(_ text: Substring) -> Bool {
        if text.hasPrefix(".sync-conflict-") || text.hasPrefix("_conflict-") { return true }
        if text.hasPrefix(" ("), text.hasSuffix(")") { return text.contains("conflicted copy") }
        let number = text.dropFirst()
        return text.hasPrefix(" ") && !number.isEmpty && number.utf8.allSatisfy(\.isASCIIDigit)
    }
}
