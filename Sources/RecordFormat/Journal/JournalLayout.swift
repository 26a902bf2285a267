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
/// Source: docs/contributing.md#a-kind-of-journal.
package struct JournalLayout: Sendable {
    package let kind: JournalKind
    /// The first is the header, whose name makes a directory a journal; the order is the one in which they are read, and in
    /// which their findings are reported.
    package let files: [JournalFile]
    package let entryKinds: [EntryDeclaration]
    /// The names of all files of the journal, those that hold no records behind the others.
    package let names: [String]
    /// Files that are a journal of this kind on their own, where their directory is no journal; such are only read.
    package let single: SingleFiles?
    /// Every rule that a journal of this kind can break, in the order in which it is checked.
    package let rules: [Rule]

    /// Names of a file that stands for one of the journal's.
    package struct SingleFiles: Sendable {
        package let names: [String]
        /// The file of a whole journal that it is read as.
        package let slot: FileSlot

        package init(_ names: [String], as slot: FileSlot) {
            self.names = names
            self.slot = slot
        }
    }

    /// - Parameter otherNames: Names that belong to the journal and hold no records.
    package init(
        _ kind: JournalKind, files: [JournalFile], entryKinds: [EntryDeclaration], otherNames: [String] = [],
        single: SingleFiles? = nil, rules: [Rule]
    ) {
        precondition(files.enumerated().allSatisfy { $1.slot.number == $0 + FileSlot.header.number })
        // What a file depends on is looked at before it, so that a change in between is seen at the next look.
        precondition(
            files.allSatisfy { file in file.dependencies.allSatisfy { $0.number < file.slot.number } })
        self.kind = kind
        self.files = files
        self.entryKinds = entryKinds
        names = files.map(\.baseName) + otherNames
        self.single = single
        self.rules = rules
    }

    /// The file at that place; nil for the directory and its media.
    package func file(_ slot: FileSlot) -> JournalFile? {
        let index = slot.number - FileSlot.header.number
        return files.indices.contains(index) ? files[index] : nil
    }

    /// Whether the texts of a file's records are found by a search.
    package func isSearched(_ file: JournalFile) -> Bool {
        entryKinds.contains { $0.isSearched && file.entryKinds.contains($0.kind) }
    }

    /// Whether the name is that of a file of the journal, or of a conflict copy of one, or of one in which records would not be seen.
    package func matters(_ name: String) -> Bool {
        names.contains(name) || original(of: name) != nil || fileInOtherCase(name) != nil
            || mayHoldRecords(name)
    }

    /// The file of the journal that `name` is a conflict copy of, or nil.
    package func original(of name: String) -> String? { ConflictCopy.original(of: name, among: names) }

    /// The file of the journal whose name this would be if case did not count, or nil; its own name is nil, too.
    package func fileInOtherCase(_ name: String) -> String? {
        let folded = name.lowercased()
        return folded == name ? nil : names.first { $0 == folded }
    }

    /// Whether a file of that name, which is not one of the journal nor a known copy of one, may hold records of it: what a sync tool,
    /// a browser or a person has made of the name of such a file, or any file of lines. Hidden files may not.
    package func mayHoldRecords(_ name: String) -> Bool {
        guard !name.hasPrefix("."), !names.contains(name), original(of: name) == nil,
            fileInOtherCase(name) == nil
        else { return false }
        let folded = name.lowercased()
        return folded.hasSuffix(".jsonl")
            || files.contains { file in
                let name = file.baseName
                guard let dot = name.lastIndex(of: ".") else { return false }
                return folded.hasPrefix(name[..<dot]) && folded.hasSuffix(name[dot...])
            }
    }

    /// Whether a text begins with a record, or is one: an object with an id.
    ///
    /// - Parameter bytes: The beginning of a file.
    package static func holdsRecord(_ bytes: [UInt8]) -> Bool {
        func isRecord(_ bytes: [UInt8]) -> Bool {
            let id = try? JSONParser().withParsed(bytes) { $0[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) }
            return (id ?? nil) != nil
        }
        let line = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first
        return line.map { isRecord(Array($0)) } ?? false || isRecord(bytes)
    }

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
    /// Its path in the journal's directory.
    package let name: String
    package let container: Container
    /// The kinds of entry that are in it.
    package let entryKinds: [EntryKind]
    /// The directory in that of the journal in which it lies; nil for that of the journal itself.
    package let folder: String?
    /// Other files that decide what is kept of this one's records: when one of them changes, it is read again.
    package let dependencies: [FileSlot]

    /// The last part of its path.
    package var baseName: String { folder.map { String(name.dropFirst($0.count + 1)) } ?? name }

    /// Whether its records have a moment instead of an offset; those of a document always have.
    package var hasMoments: Bool {
        switch container {
        case .lines(let schema): schema.hasMoments
        case .document: true
        }
    }

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
        folder = nil
        dependencies = []
    }

    /// A file that is one document.
    ///
    /// - Parameters:
    ///   - folder: The directory in that of the journal in which it lies, if any.
    ///   - dependencies: Files before it that decide what is kept of its records.
    package init(
        _ slot: FileSlot, document name: String, in folder: String? = nil, of entryKinds: [EntryKind],
        dependingOn dependencies: [FileSlot] = []
    ) {
        self.slot = slot
        self.name = folder.map { "\($0)/\(name)" } ?? name
        container = .document
        self.entryKinds = entryKinds
        self.folder = folder
        self.dependencies = dependencies
    }
}

/// What the index needs to know about a kind of entry.
package struct EntryDeclaration: Sendable {
    package let kind: EntryKind
    /// The name in commands and in the index.
    package let name: String
    /// Whether its texts are found by a search.
    package let isSearched: Bool
    /// Whether it is among what happened on a day.
    package let isOnTimeline: Bool

    package init(_ kind: EntryKind, _ name: String, isSearched: Bool, isOnTimeline: Bool = false) {
        self.kind = kind
        self.name = name
        self.isSearched = isSearched
        self.isOnTimeline = isOnTimeline
    }

    /// The name without that of the kind of journal before it: `log.entry` is shown as `entry`.
    package var shortName: String {
        name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
    }
}
