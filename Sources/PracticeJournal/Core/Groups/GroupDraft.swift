package import RecordFormat

/// A group that is about to be created.
///
/// Source: docs/spec/practice.md#groups.
package struct GroupDraft: Sendable {
    var name: String
    var games: [String]
    var type = GroupType.custom
    package var isPriority = false
    /// The time of the write if nil.
    var start: GroupDate?
    package var end: GroupDate?

    package init(name: String, games: [String]) {
        self.name = name
        self.games = games
    }

    /// All games of a bank.
    package init(bank: Int, of library: GameLibrary) {
        self.init(
            name: "Bank \(bank) Focus", games: library.games.filter { $0.bank == bank }.map(\.key))
        type = .bank
    }

    /// The same games as another group.
    package init(copying group: PracticeGroup) {
        self.init(name: "Copy of \(group.name)", games: group.games)
        type = group.type.known ?? .custom
    }

    /// - Throws: ``WriteRejection`` if something is missing.
    package func change(
        entry: ULID, at now: Timestamp, in document: PracticeDocument, library: GameLibrary = GameLibrary(),
        zone: ZoneRules
    ) throws(WriteRejection) -> DocumentChange {
        guard let name = name.trimmedOrNil else { throw .groupName }
        let games = library.canonical(games)
        guard !games.isEmpty else { throw .groupGames }
        let created = Double(now.milliseconds)
        let (start, end) = (start?.time(in: zone) ?? created, end?.time(in: zone))
        if let end, end < start { throw .groupDates }
        let id = DerivedID.id(of: entry, .group)
        var change = DocumentChange()
        if isPriority { change.replaced = document.withoutPriority(but: nil) }
        change.added = [
            NewRecord(
                .customGroups, id: id, time: created,
                [
                    ("name", JSONText(name)), ("gameIDs", JSONText.array(games.map { JSONText($0) })),
                    ("type", JSONText(type.rawValue)), ("isActive", JSONText(true)),
                    ("isArchived", JSONText(false)), ("isPriority", JSONText(isPriority)),
                    ("startDate", DocumentNumber.json(start)),
                    ("endDate", end.map { DocumentNumber.json($0) }),
                    ("createdAt", DocumentNumber.json(created)),
                ])
        ]
        if document.groups.selected(stored: document.settings.selectedGroup) == nil {
            change.members = [.selectedGroup(id)]
        }
        return change
    }
}

extension DocumentChange.MemberChange {
    static let selectedGroupName = "selectedGroupID"

    static func selectedGroup(_ id: String?) -> Self {
        Self(
            PracticeSettingsObject.practiceSettings.rawValue, selectedGroupName, id.map { JSONText($0) })
    }
}
