internal import RecordFormat

/// The rules between the records of a document, and between it and what is around it: the library, and the time.
///
/// Source: docs/rules.md#practice-journals.
struct RelationCheck {
    private let document: PracticeDocument
    private var found = DocumentFindings()

    private init(_ document: PracticeDocument) { self.document = document }

    /// - Parameters:
    ///   - library: Without games, ids are not checked.
    ///   - now: The time; nil if it is unknown, and times in the future are no finding.
    static func findings(
        of document: PracticeDocument, library: GameLibrary, now: Timestamp?
    ) -> DocumentFindings {
        var check = RelationCheck(document)
        check.checkGroups()
        check.checkLinks()
        if !library.isEmpty { check.checkGames(library) }
        if let now { check.checkTimes(now) }
        return check.found
    }

    private mutating func checkGroups() {
        let prioritized = document.groups.indices.filter { document.groups[$0].isPriority }
        for index in prioritized.dropFirst() {
            let path = DocumentPath(.customGroups, index, "isPriority")
            found.add(
                .practiceGroupPriorityMany, path, "\(path) is true, but an earlier group has priority already"
            )
        }
        guard let selected = document.settings.selectedGroup else { return }
        if !document.indices(of: .customGroups, id: selected.trimmed).isEmpty { return }
        let settings = PracticeSettingsObject.practiceSettings.rawValue
        let path = DocumentPath(settings, nil, "selectedGroupID")
        found.add(
            .practiceGroupSelectedMissing, path,
            "\(path) is \(DocumentText.quoted(selected)), but there is no such group")
    }

    private mutating func checkLinks() {
        let records = LinkedRecords(document)
        for (index, row) in document.rows.enumerated() {
            guard let array = records.missing(of: row) else { continue }
            let path = DocumentPath(.journalEntries, index)
            found.add(
                .practiceLinkMissing, path,
                "no record of \(array.rawValue) has the game and the value of \(path)"
            )
        }
    }

    private mutating func checkGames(_ library: GameLibrary) {
        var known: [String: GameID] = [:]
        func check(_ raw: String, _ found: inout DocumentFindings, _ path: @autoclosure () -> DocumentPath) {
            let id = known[raw] ?? library.canonical(raw)
            known[raw] = id
            switch id.match {
            case .blank: break
            case .none:
                let text = DocumentText.quoted(raw)
                found.add(.practiceGameUnknown, path(), "\(path()) is \(text), which is not in the library")
            default:
                guard id.id != raw else { break }
                found.add(
                    .practiceGameNotCanonical, path(),
                    "\(path()) is \(DocumentText.quoted(raw)), but the game's id is \(DocumentText.quoted(id.id))"
                )
            }
        }
        for array in PracticeArray.allCases where array != .customGroups {
            for (index, game) in document.games(of: array).enumerated() {
                check(game, &found, DocumentPath(array, index, "gameID"))
            }
        }
        for (index, group) in document.groups.enumerated() {
            for game in group.games { check(game, &found, DocumentPath(.customGroups, index, "gameIDs")) }
        }
        for map in PracticeMap.allCases {
            for game in document.games(of: map) { check(game, &found, DocumentPath(map.rawValue, nil, game)) }
        }
    }

    private mutating func checkTimes(_ now: Timestamp) {
        let latest = Double(now.milliseconds) + 86_400_000
        for array in PracticeArray.allCases {
            for (index, time) in document.times(of: array).enumerated() {
                guard let time, time > latest else { continue }
                let path = DocumentPath(array, index, array.timeMember)
                found.add(
                    .recordTimeFuture, path, "\(path) is \(Timestamp(flooring: time)), which is in the future"
                )
            }
        }
    }
}
