internal import RecordFormat

/// Writes every id of a game in its canonical form. Only a person asks for it; nothing does it by itself.
///
/// Source: docs/spec/practice.md#game-ids.
package enum Canonicalisation {
    /// What of a document is to change; without a library nothing.
    ///
    /// Where two keys of an object become one, the greater offset stays, and of hints and notes the later in the document.
    package static func change(of document: PracticeDocument, by library: GameLibrary) -> DocumentChange {
        var change = DocumentChange()
        guard !library.isEmpty else { return change }
        for array in PracticeArray.allCases {
            for (index, game) in document.games(of: array).enumerated() {
                let id = library.canonical(game).id
                guard id != game else { continue }
                change.replaced.append(.init(.init(array, index), [("gameID", JSONText(id))]))
            }
        }
        for (index, group) in document.groups.enumerated() {
            let games = library.canonical(group.games)
            guard games != group.games else { continue }
            let list = JSONText.array(games.map { JSONText($0) })
            change.replaced.append(.init(.init(.customGroups, index), [("gameIDs", list)]))
        }
        let offsets = document.resumeOffsets.map { ($0.game, $0.offset) }
        rename(.rulesheetResumeOffsets, offsets, library, &change, max) { DocumentNumber.json($0) }
        let hints = document.videoHints.map { ($0.game, $0.hint) }
        rename(.videoResumeHints, hints, library, &change, { $1 }, { JSONText($0) })
        let notes = document.gameNotes.map { ($0.game, $0.note) }
        rename(.gameSummaryNotes, notes, library, &change, { $1 }, { JSONText($0) })
        return change
    }

    private static func rename<Value: Equatable>(
        _ map: PracticeMap, _ members: [(game: String, value: Value)], _ library: GameLibrary,
        _ change: inout DocumentChange, _ join: (Value, Value) -> Value, _ json: (Value) -> JSONText
    ) {
        var joined: [String: Value] = [:]
        var order: [String] = []
        var isRenamed: Set<String> = []
        for (game, value) in members {
            let id = library.canonical(game).id
            // A blank key is a finding of its own, and no game's.
            guard !id.isEmpty else { continue }
            if id != game {
                change.members.append(.map(map, game, nil))
                isRenamed.insert(id)
            }
            if let old = joined[id] {
                joined[id] = join(old, value)
            } else {
                joined[id] = value
                order.append(id)
            }
        }
        for id in order where isRenamed.contains(id) {
            guard let value = joined[id] else { continue }
            if let old = members.last(where: { $0.game == id })?.value, old == value { continue }
            change.members.append(.map(map, id, json(value)))
        }
    }
}

/// ``Canonicalisation`` as a write of its own.
struct CanonicalisationWrite: PracticeWrite {
    init() {}

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        if context.library.isEmpty { return .nothing("there is no library") }
        let change = Canonicalisation.change(of: context.document, by: context.library)
        return change.isEmpty ? .nothing("every id is canonical") : .change(change)
    }
}
