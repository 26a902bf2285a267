package import RecordFormat

extension JournalKind {
    /// A practice or live session.
    package static var session: JournalKind { JournalKind(name: "session") }
}

extension JournalLayout {
    /// The files of a session. Source: format.md.
    package static let session = JournalLayout(
        .session,
        files: RecordKind.allCases.enumerated().map { index, kind in
            let schema = RecordSchema.of(kind)
            return JournalFile(
                FileSlot(FileSlot.header.number + index), kind.fileName,
                schema.isDocument ? .document : .lines(schema), [kind.entryKind])
        },
        entryKinds: RecordKind.allCases.map {
            EntryDeclaration($0.entryKind, $0.rawValue, isSearched: [.marker, .voiceNote, .transcript].contains($0))
        },
        otherNames: [SessionLayout.digest], rules: Rule.all)
}
