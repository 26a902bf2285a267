package import RecordFormat

/// Which records have the ids that somewhere in a session are written in lower case.
///
/// ULIDs are the same in either case, the ids of the format are not. An id is read as its upper-case form only where
/// nothing can be confused by that: one record of the session has it, and every version of that record's file writes it in
/// one way.
package struct IDCensus: Sendable {
    /// The owner of an id.
    package enum Owner: Sendable, Hashable {
        case session
        case mediaItem
        case record(RecordKind)
    }

    private struct Holder {
        let owner: Owner
        /// How each version of the owner's file writes the id.
        var spellings: [String: String]
        var isClear = true
    }

    private var wanted: Set<ULID> = []
    private var holders: [ULID: Holder] = [:]

    package init() {}

    /// Whether no id is asked for.
    package var isEmpty: Bool { wanted.isEmpty }

    /// Whether somebody wants to know who has an id.
    package func wants(_ id: ULID) -> Bool { wanted.contains(id) }

    /// Asks for an id. Ask for all before the first is counted.
    mutating func ask(for id: ULID) { wanted.insert(id) }

    /// Counts a place where something has an id.
    ///
    /// - Parameters:
    ///   - spelling: The id as it is there.
    ///   - version: The name of the file, or of its conflict copy.
    package mutating func count(_ id: ULID, spelled spelling: String, as owner: Owner, in version: String) {
        guard wanted.contains(id) else { return }
        guard var holder = holders[id] else {
            holders[id] = Holder(owner: owner, spellings: [version: spelling])
            return
        }
        let before = holder.spellings.updateValue(spelling, forKey: version)
        // Of a record, several lines are its edits.
        let isRecord = if case .record = owner { true } else { false }
        let isSame = holder.owner == owner && (before == nil || isRecord && before == spelling)
        holder.isClear = holder.isClear && isSame
        holders[id] = holder
    }

    /// Says that an id is in use outside of the session, too.
    package mutating func dispute(_ id: ULID) { holders[id]?.isClear = false }

    /// What has an id, in any case; nil if nothing has it, or where it is not clear what it names.
    func owner(of id: ULID) -> Owner? {
        holders[id].flatMap { $0.isClear ? $0.owner : nil }
    }
}
