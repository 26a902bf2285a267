package import RecordFormat

/// Makes a document of schema 4 of one in Android's older shape.
///
/// Source: docs/spec/practice.md#the-older-form.
package struct LegacyConversion {
    /// The document.
    package let bytes: [UInt8]
    /// About the older one, in its order: groups, scores, notes, rows.
    package let found: DocumentFindings

    /// - Parameter now: When groups without a start were created.
    package init(of root: JSONValue, now: Timestamp) {
        var converter = LegacyConverter(now: now)
        bytes = converter.document(root).bytes
        found = converter.found
    }
}

private struct LegacyConverter {
    let now: Timestamp
    var found = DocumentFindings()
    private var scores = NearestRecords<LegacyScore>()
    private var notes = NearestRecords<LegacyNote>()
    private var studyEvents: [NewRecord] = []
    private var videos: [NewRecord] = []

    init(now: Timestamp) { self.now = now }

    mutating func document(_ root: JSONValue) -> JSONText {
        func text(_ name: StaticString) -> String { root[name: name]?.string ?? "" }
        var groupIDs = LegacyIDs(.group)
        let groups = elements(root, "groups").map { group($0, $1, &groupIDs) }
        var scoreIDs = LegacyIDs(.score)
        let scoreRecords = elements(root, "scores").compactMap { score($0, $1, &scoreIDs) }
        var noteIDs = LegacyIDs(.note)
        let noteRecords = elements(root, "notes").map { note($0, $1, &noteIDs) }
        var rowIDs = LegacyIDs(.journal)
        let rows = elements(root, "journal").map { row($0, $1, &rowIDs) }
        // A blank one names none, not even a group whose id is blank.
        let selected = root[name: "selectedGroupID"]?.string.flatMap { $0.trimmedOrNil }.flatMap {
            groupIDs.firsts[$0]
        }
        let ifpaPlayer = root[name: "ifpaPlayerID"]?.string
        return JSONText.object { document in
            document.member("schemaVersion", JSONText(Int64(PracticeDocument.schemaVersion)))
            document.member("studyEvents", JSONText.array(studyEvents.map(\.json)))
            document.member("videoProgressEntries", JSONText.array(videos.map(\.json)))
            document.member("scoreEntries", JSONText.array(scoreRecords.map(\.json)))
            document.member("noteEntries", JSONText.array(noteRecords.map(\.json)))
            document.member("journalEntries", JSONText.array(rows.map(\.json)))
            document.member("customGroups", JSONText.array(groups.map(\.json)))
            document.member(
                "leagueSettings",
                PracticeSettingsObject.leagueSettings.text(with: [
                    "playerName": JSONText(text("leaguePlayerName")),
                    // Only the newest version that kept this form has the number, and imports by itself.
                    "csvAutoFillEnabled": JSONText(ifpaPlayer != nil),
                ]))
            document.member(
                "syncSettings",
                PracticeSettingsObject.syncSettings.text(with: [
                    "cloudSyncEnabled": JSONText(root[name: "cloudSyncEnabled"]?.boolean ?? false)
                ]))
            document.member("analyticsSettings", PracticeSettingsObject.analyticsSettings.text(with: [:]))
            document.member(
                "rulesheetResumeOffsets",
                members(root, "rulesheetProgress") { value in
                    value.number.map { DocumentNumber.json(min(max($0, 0), 1)) }
                })
            document.member("videoResumeHints", JSONText.object { _ in })
            document.member(
                "gameSummaryNotes",
                members(root, "gameSummaryNotes") { $0.string.flatMap { $0.isBlank ? nil : JSONText($0) } })
            document.member(
                "practiceSettings",
                JSONText.object {
                    $0.member("playerName", text("playerName"))
                    $0.member("comparisonPlayerName", text("comparisonPlayerName"))
                    $0.member("selectedGroupID", selected.map { JSONText($0) })
                    $0.member("ifpaPlayerID", ifpaPlayer.map { JSONText($0) })
                })
        }
    }

    private func elements(_ root: JSONValue, _ name: StaticString) -> [(Int, JSONValue)] {
        root[name: name].map { Array($0.elements.enumerated()) }?.map { ($0.offset, $0.element) } ?? []
    }

    private func members(
        _ root: JSONValue, _ name: StaticString, _ value: (JSONValue) -> JSONText?
    ) -> JSONText {
        JSONText.object { object in
            guard let map = root[name: name] else { return }
            for (key, found) in map.members {
                object.member(String(decoding: key, as: UTF8.self), value(found))
            }
        }
    }

    // MARK: - Common members

    private mutating func id(
        _ value: JSONValue, _ path: DocumentPath, _ ids: inout LegacyIDs
    ) -> LegacyID {
        let (id, isRepeated) = ids.next(value[name: "id"]?.string ?? "")
        if isRepeated {
            found.add(
                .practiceIDDuplicate, path, "\(path) has the id of an earlier record, and gets \(id.id)")
        }
        return id
    }

    /// Milliseconds since 1970, and their JSON.
    private mutating func time(_ value: JSONValue, _ path: DocumentPath) -> (Double, JSONText?) {
        guard let time = value[name: "timestampMs"].flatMap(DatedNumber.init)?.number else {
            found.add(.keyMissing, path, "\(path) has no time (timestampMs)")
            return (0, nil)
        }
        return (time, DocumentNumber.json(time))
    }

    private func text(_ value: JSONValue, _ name: StaticString) -> String { value[name: name]?.string ?? "" }

    private mutating func word<Known: RawRepresentable>(
        _ word: String, _: Known.Type, _ name: String, _ index: Int, _ member: String
    ) where Known.RawValue == String {
        guard Known(rawValue: word) == nil else { return }
        let path = DocumentPath(name, index, member)
        found.add(.practiceWordUnknown, path, "\(path) is \(DocumentText.quoted(word)), which is kept")
    }

    // MARK: - Records

    private mutating func group(_ index: Int, _ value: JSONValue, _ ids: inout LegacyIDs) -> NewRecord {
        let id = id(value, DocumentPath("groups", index), &ids)
        var seen: Set<String> = []
        let games = value[name: "gameSlugs"]?.elements.compactMap(\.string).filter {
            seen.insert($0).inserted
        }
        let type = text(value, "type").trimmedOrNil ?? GroupType.custom.rawValue
        word(type, GroupType.self, "groups", index, "type")
        let start = value[name: "startDateMs"]?.number.flatMap { $0 > 0 ? $0 : nil }
        let end = value[name: "endDateMs"]?.number.flatMap { $0 > 0 ? $0 : nil }
        let created = start ?? Double(now.milliseconds)
        func boolean(_ name: StaticString, _ missing: Bool) -> JSONText {
            JSONText(value[name: name]?.boolean ?? missing)
        }
        return NewRecord(
            .customGroups, id: id.id, time: created,
            [
                ("name", JSONText(value[name: "name"]?.string ?? "Group")),
                ("gameIDs", JSONText.array((games ?? []).map { JSONText($0) })), ("type", JSONText(type)),
                ("isActive", boolean("isActive", true)), ("isArchived", boolean("isArchived", false)),
                ("isPriority", boolean("isPriority", false)),
                ("startDate", start.map { DocumentNumber.json($0) }),
                ("endDate", end.map { DocumentNumber.json($0) }),
                ("createdAt", DocumentNumber.json(created)),
            ])
    }

    private mutating func score(
        _ index: Int, _ value: JSONValue, _ ids: inout LegacyIDs
    ) -> NewRecord? {
        let path = DocumentPath("scores", index)
        guard let points = value[name: "score"]?.number else {
            found.add(.practiceLegacyLeft, path, "\(path) has no score, and is left out")
            return nil
        }
        let id = id(value, path, &ids)
        let (time, timeJSON) = time(value, path)
        let (context, tournament) = LegacyScore.context(text(value, "context"))
        word(context, ScoreContext.self, "scores", index, "context")
        let score = LegacyScore(
            game: text(value, "gameSlug"), time: time, score: points, context: context,
            tournament: tournament)
        scores.add(score)
        return NewRecord(
            .scoreEntries, id: id.id, time: time,
            [
                ("gameID", JSONText(score.game)), ("score", DocumentNumber.json(points)),
                ("context", JSONText(context)), ("tournamentName", tournament.map { JSONText($0) }),
                ("timestamp", timeJSON),
                ("leagueImported", JSONText(value[name: "leagueImported"]?.boolean ?? false)),
            ])
    }

    private mutating func note(_ index: Int, _ value: JSONValue, _ ids: inout LegacyIDs) -> NewRecord {
        let path = DocumentPath("notes", index)
        let id = id(value, path, &ids)
        let (time, timeJSON) = time(value, path)
        let category = text(value, "category").trimmedOrNil ?? NoteCategory.general.rawValue
        word(category, NoteCategory.self, "notes", index, "category")
        let detail = text(value, "detail").trimmedOrNil.flatMap { $0 == "null" ? nil : $0 }
        let note = LegacyNote(
            game: text(value, "gameSlug"), time: time, category: category, detail: detail,
            note: text(value, "note"))
        notes.add(note)
        return NewRecord(
            .noteEntries, id: id.id, time: time,
            [
                ("gameID", JSONText(note.game)), ("category", JSONText(category)),
                ("detail", detail.map { JSONText($0) }), ("note", JSONText(note.note)),
                ("timestamp", timeJSON),
            ])
    }

    // MARK: - Rows

    private mutating func row(_ index: Int, _ value: JSONValue, _ ids: inout LegacyIDs) -> NewRecord {
        let path = DocumentPath("journal", index)
        let id = id(value, path, &ids)
        let (time, timeJSON) = time(value, path)
        let game = text(value, "gameSlug")
        let members: [(String, JSONText?)]
        switch text(value, "action") {
        case "score": members = scoreMembers(scores.nearest(game, time))
        case "note": members = noteMembers(notes.nearest(game, time), NoteCategory.general.rawValue)
        case "mechanics": members = noteMembers(notes.nearest(game, time), "mechanics")
        case "study": members = study(id, game, time, text(value, "summary"), false, index)
        case "practice": members = study(id, game, time, text(value, "summary"), true, index)
        case let action:
            if action != "browse" {
                let path = DocumentPath("journal", index, "action")
                found.add(
                    .practiceLegacyGuess, path,
                    "\(path) is \(DocumentText.quoted(action)); it is taken for a look at the game")
            }
            members = [("action", JSONText(RowAction.gameBrowse.rawValue))]
        }
        return NewRecord(
            .journalEntries, id: id.id, time: time,
            [("gameID", JSONText(game))] + members + [("timestamp", timeJSON)])
    }

    private func scoreMembers(_ score: LegacyScore?) -> [(String, JSONText?)] {
        [
            ("action", JSONText(RowAction.scoreLogged.rawValue)),
            ("score", score.map { DocumentNumber.json($0.score) }),
            ("scoreContext", JSONText(score?.context ?? ScoreContext.practice.rawValue)),
            ("tournamentName", score?.tournament.map { JSONText($0) }),
        ]
    }

    private func noteMembers(_ note: LegacyNote?, _ category: String) -> [(String, JSONText?)] {
        [
            ("action", JSONText(RowAction.noteAdded.rawValue)),
            ("noteCategory", JSONText(note?.category ?? category)),
            ("noteDetail", note?.detail.map { JSONText($0) }), ("note", note.map { JSONText($0.note) }),
        ]
    }

    private mutating func study(
        _ id: LegacyID, _ game: String, _ time: Double, _ text: String, _ isPractice: Bool, _ index: Int
    ) -> [(String, JSONText?)] {
        let summary = LegacySummary(text, isPractice: isPractice)
        if summary.isGuess {
            let path = DocumentPath("journal", index, "summary")
            found.add(
                .practiceLegacyGuess, path,
                "\(path) has none of the known forms; the row is taken for reading the rule sheet")
        }
        let task = summary.task
        if let percent = summary.percent {
            studyEvents.append(
                .studyEvent(
                    id: LegacyID.study(ofRow: id.raw, task: task.rawValue), game: game, task: task,
                    percent: percent, time: time))
        }
        let isVideo = task == .tutorialVideo || task == .gameplayVideo
        let value = isVideo ? summary.value : nil
        if let value {
            videos.append(
                .video(
                    id: LegacyID(.video, raw: id.raw).id, game: game, kind: summary.videoKind, value: value,
                    time: time))
        }
        return [
            ("action", JSONText(task.action.rawValue)), ("task", JSONText(task.rawValue)),
            ("progressPercent", summary.percent.map { DocumentNumber.json($0) }),
            ("videoKind", value.map { _ in JSONText(summary.videoKind.rawValue) }),
            ("videoValue", value.map { JSONText($0) }), ("note", summary.note.map { JSONText($0) }),
        ]
    }
}

extension PracticeSettingsObject {
    /// As a missing object has its members, but for those that are known.
    fileprivate func text(with known: [String: JSONText]) -> JSONText {
        JSONText.object { object in
            for (name, value) in defaults { object.member(name, known[name] ?? value) }
        }
    }
}
