internal import RecordFormat

/// What an edit changes of a group: a member that is missing stays.
///
/// Source: docs/spec/practice.md#groups.
struct GroupPatch: Sendable {
    private var name: String?
    private var games: [String]?
    private var type: GroupType?
    private var isPriority: Bool?
    /// A date, or that there is none.
    private var start: GroupDate??
    private var end: GroupDate??

    /// - Parameter members: Those to change, under the names that a new group has them; `null` clears a date.
    /// - Throws: ``ArgumentProblem`` for a member that can't be edited, or a value of another type.
    init(_ members: [ArgumentValue.Member]) throws(ArgumentProblem) {
        for member in members {
            do { try set(member) } catch { throw error.within(member.name) }
        }
    }

    private mutating func set(_ member: ArgumentValue.Member) throws(ArgumentProblem) {
        let value = member.value
        switch member.name {
        case "name": name = try Self.read(.anyText, value.string)
        case "games":
            var games: [String] = []
            for (index, game) in try Self.read(.array(.anyText), value.elements).enumerated() {
                do { games.append(try Self.read(.anyText, game.string)) } catch {
                    throw error.within("[\(index)]")
                }
            }
            self.games = games
        case "type":
            type = try Self.read(
                .choice(of: GroupType.self), value.string.flatMap { GroupType(rawValue: $0) })
        case "priority": isPriority = try Self.read(.boolean, value.boolean)
        case "start": start = .some(try Self.moment(value))
        case "end": end = .some(try Self.moment(value))
        case "first_day": start = .some(try Self.day(value).map { .firstDay($0) })
        case "last_day": end = .some(try Self.day(value).map { .lastDay($0) })
        default: throw .refused("A group has no '\(member.name)' that can be changed.")
        }
    }

    private static func read<Value>(_ type: ValueType, _ value: Value?) throws(ArgumentProblem) -> Value {
        guard let value else { throw ArgumentProblem("", .malformed(type.told)) }
        return value
    }

    private static func moment(_ value: ArgumentValue) throws(ArgumentProblem) -> GroupDate? {
        value == .null ? nil : .moment(try read(.anyNumber, value.double))
    }

    private static func day(_ value: ArgumentValue) throws(ArgumentProblem) -> CivilDate? {
        value == .null ? nil : try GroupDate.day(try read(.anyText, value.string))
    }

    /// - Returns: The members that get another value; nil takes one away.
    /// - Throws: ``WriteRejection`` if the group would not be complete.
    func changes(
        of group: PracticeGroup, library: GameLibrary, zone: ZoneRules
    ) throws(WriteRejection) -> [(name: String, value: JSONText?)] {
        var changes: [(name: String, value: JSONText?)] = []
        if let name {
            guard let name = name.trimmedOrNil else { throw .groupName }
            if name != group.name { changes.append(("name", JSONText(name))) }
        }
        if let games {
            let games = library.canonical(games)
            guard !games.isEmpty else { throw .groupGames }
            if games != group.games { changes.append(("gameIDs", .array(games.map { JSONText($0) }))) }
        }
        if let type, type.rawValue != group.type.text { changes.append(("type", JSONText(type.rawValue))) }
        if let isPriority, isPriority != group.isPriority {
            changes.append(("isPriority", JSONText(isPriority)))
        }
        let newStart = start.map { $0?.time(in: zone) } ?? group.start
        let newEnd = end.map { $0?.time(in: zone) } ?? group.end
        if newStart != group.start { changes.append(("startDate", newStart.map { DocumentNumber.json($0) })) }
        if newEnd != group.end { changes.append(("endDate", newEnd.map { DocumentNumber.json($0) })) }
        // Of dates that somebody else wrote so it is not asked.
        if start != nil || end != nil, let newStart, let newEnd, newEnd < newStart { throw .groupDates }
        return changes
    }

    /// Whether the group gets priority, which takes it from the others.
    var givesPriority: Bool { isPriority ?? false }
}
