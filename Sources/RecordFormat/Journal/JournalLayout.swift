/// One format of journal, by its permanent name: `session`. New ones can be added.
public struct JournalKind: Sendable, Hashable, CustomStringConvertible {
    /// In lower case.
    public let name: String

    /// The kind of that name.
    public init(name: String) { self.name = name }

    /// The name.
    public var description: String { name }
}

/// A file of a journal's directory that is checked for changes. Its number is stored in the index.
package struct FileSlot: Sendable, Hashable, BitwiseCopyable {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    /// The directory itself: which names there are.
    package static let directory = FileSlot(0)
    /// Its `media`: which media files there are.
    package static let media = FileSlot(1)
    /// The number of a journal's first file, which is its header.
    package static let header = FileSlot(2)
}

/// The files of a kind of journal, and what is in them. It is declared once, and everything that is the same for all kinds
/// (finding, watching, comparing, indexing, searching) asks the declaration.
///
/// Source: journals.md, section 3.
package struct JournalLayout: Sendable {
    package let kind: JournalKind
    /// The first is the header, whose name makes a directory a journal; the order is the one in which they are read, and in
    /// which their findings are reported.
    package let files: [JournalFile]
    package let entryKinds: [EntryDeclaration]
    /// The names of all files of the journal, those that hold no records behind the others.
    package let names: [String]
    /// Every rule that a journal of this kind can break, in the order in which it is checked.
    package let rules: [Rule]

    /// - Parameter otherNames: Names that belong to the journal and hold no records.
    package init(
        _ kind: JournalKind, files: [JournalFile], entryKinds: [EntryDeclaration], otherNames: [String] = [],
        rules: [Rule]
    ) {
        precondition(files.enumerated().allSatisfy { $1.slot.number == $0 + FileSlot.header.number })
        self.kind = kind
        self.files = files
        self.entryKinds = entryKinds
        names = files.map(\.name) + otherNames
        self.rules = rules
    }

    /// Whether the texts of a file's records are found by a search.
    package func isSearched(_ file: JournalFile) -> Bool {
        entryKinds.contains { $0.isSearched && file.entryKinds.contains($0.kind) }
    }

    /// Whether the name is that of a file of the journal, or of a conflict copy of one.
    package func matters(_ name: String) -> Bool { names.contains(name) || original(of: name) != nil }

    /// The file of the journal that `name` is a conflict copy of, or nil.
    package func original(of name: String) -> String? { ConflictCopy.original(of: name, among: names) }

    /// Findings as a reader meets them: by file in the order of the layout, then by place, then by rule.
    package func sorted(_ findings: some Sequence<Finding>) -> [Finding] {
        findings.map { finding in
            (rank: files.firstIndex { $0.name == finding.place.file } ?? files.count, finding: finding)
        }.sorted { $0.rank != $1.rank ? $0.rank < $1.rank : $0.finding.precedes($1.finding) }.map(\.finding)
    }
}

/// A file of a kind of journal.
package struct JournalFile: Sendable {
    package let slot: FileSlot
    package let name: String
    package let container: Container
    /// The kinds of entry that are in it.
    package let entryKinds: [EntryKind]

    /// How a file stores records.
    package enum Container: Sendable {
        /// One a line.
        case lines(RecordSchema)
        /// One JSON value, or several within one, as a whole.
        case document
    }

    /// A file of records, one a line.
    package init(_ slot: FileSlot, linesOf schema: RecordSchema) {
        self.slot = slot
        name = schema.fileName
        container = .lines(schema)
        entryKinds = [schema.kind]
    }

    /// A file that is one document.
    package init(_ slot: FileSlot, document name: String, of entryKinds: [EntryKind]) {
        self.slot = slot
        self.name = name
        container = .document
        self.entryKinds = entryKinds
    }
}

/// What the index needs to know about a kind of entry.
package struct EntryDeclaration: Sendable {
    package let kind: EntryKind
    /// The name in commands and in the index.
    package let name: String
    /// Whether its texts are found by a search.
    package let isSearched: Bool

    package init(_ kind: EntryKind, _ name: String, isSearched: Bool) {
        self.kind = kind
        self.name = name
        self.isSearched = isSearched
    }
}
