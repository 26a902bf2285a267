package import RecordFormat

extension JournalKind {
    /// A practice or live session.
    package static var session: JournalKind { JournalKind(name: "session") }
}

extension JournalLayout {
    /// The files of a session. Source: docs/spec/format.md#the-directory.
    package static let session = JournalLayout(
        .session,
        files: RecordKind.allCases.map { kind in
            let schema = RecordSchema.of(kind)
            return schema.isDocument
                ? JournalFile(kind.slot, document: schema.fileName, of: [schema.kind])
                : JournalFile(kind.slot, linesOf: schema)
        },
        entryKinds: RecordKind.allCases.map {
            EntryDeclaration(
                $0.entryKind, $0.rawValue, isSearched: [.marker, .voiceNote, .transcript].contains($0),
                isOnTimeline: [.marker, .voiceNote].contains($0))
        },
        otherNames: [SessionLayout.digest], rules: Rule.all)
}

extension RecordKind {
    /// The place of the kind's file in the layout of a session.
    package var slot: FileSlot { FileSlot(FileSlot.header.number + Int(entryKind.code)) }

    /// The kind of record whose file has that place; nil if it is none of records.
    package init?(_ slot: FileSlot) {
        guard let kind = Self.allCases.first(where: { $0.slot == slot }) else { return nil }
        self = kind
    }
}
