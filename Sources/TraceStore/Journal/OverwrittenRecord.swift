package import SystemPackage

/// What was written into a journal, and another program has saved over that did not know of it: an app that had the document in its memory.
package struct OverwrittenRecord: Sendable, Hashable {
    /// What it is, in a few words.
    package let text: String
    /// Where in the journal's document it is.
    package let container: String
    /// Of the record; of a member of an object, its name.
    package let id: String
    /// Whether it is there, with values that it had before.
    package let isThere: Bool
    /// The command that removes it for good; nil if it goes with another record, or has none.
    package let removal: String?

    package init(text: String, container: String, id: String, isThere: Bool, removal: String?) {
        self.text = text
        self.container = container
        self.id = id
        self.isThere = isThere
        self.removal = removal
    }
}

extension [OverwrittenRecord] {
    /// For people: what came back, and how it is removed if that was meant.
    package var notice: String {
        let commands = compactMap(\.removal)
        let cure = commands.isEmpty ? "" : "; to remove it for good: \(commands.shortList)"
        return
            "another program had overwritten what was written meanwhile; it has been put back: \(map(\.text).shortList)"
            + cure
    }
}

extension [String] {
    /// The first of them, and how many more there are.
    package var shortList: String {
        let shown = prefix(5).joined(separator: ", ")
        return count > 5 ? "\(shown) and \(count - 5) more" : shown
    }
}

/// Called when records are put back into a journal that another program has saved over: with its directory, and what came back.
package typealias PutBackReport = @Sendable (FilePath, [OverwrittenRecord]) -> Void
