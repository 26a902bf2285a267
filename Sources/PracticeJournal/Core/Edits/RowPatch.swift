package import RecordFormat

/// What an edit changes of a row: a member that is missing stays, `null` clears it.
///
/// Source: docs/spec/practice.md#an-edit.
package struct RowPatch: Sendable {
    /// A member of a patch.
    enum Value<Wrapped: Sendable>: Sendable {
        case keep, clear
        case set(Wrapped)

        func applied(to old: Wrapped?) -> Wrapped? {
            switch self {
            case .keep: old
            case .clear: nil
            case .set(let value): value
            }
        }
    }

    private(set) var game = Value<String>.keep
    private(set) var percent = Value<Int>.keep
    private(set) var videoKind = Value<String>.keep
    private(set) var videoValue = Value<String>.keep
    private(set) var score = Value<Double>.keep
    private(set) var scoreContext = Value<String>.keep
    private(set) var tournament = Value<String>.keep
    private(set) var noteCategory = Value<String>.keep
    private(set) var noteDetail = Value<String>.keep
    private(set) var note = Value<String>.keep
    /// The names of the members that are set or cleared.
    let names: Set<String>

    /// - Parameter members: Those to change; `null` clears one.
    /// - Throws: ``ArgumentProblem`` for a member that can't be edited, or a value of another type.
    package init(_ members: [ArgumentValue.Member]) throws(ArgumentProblem) {
        names = Set(members.map(\.name))
        for member in members {
            do { try set(member.name, member.value) } catch { throw error.within(member.name) }
        }
    }

    private mutating func set(_ name: String, _ value: ArgumentValue) throws(ArgumentProblem) {
        switch name {
        case Self.gameName: game = try Self.text(value)
        case "progressPercent":
            percent = try Self.read(value, .anyInteger) { $0.integer.map { min(max($0, 0), 100) } }
        case "videoKind": videoKind = try Self.word(value, of: VideoKind.self)
        case "videoValue": videoValue = try Self.text(value)
        case "score": score = try Self.read(value, .anyNumber, \.double)
        case "scoreContext": scoreContext = try Self.word(value, of: ScoreContext.self)
        case "tournamentName": tournament = try Self.text(value)
        case "noteCategory": noteCategory = try Self.word(value, of: NoteCategory.self)
        case "noteDetail": noteDetail = try Self.text(value)
        case "note": note = try Self.text(value)
        case "id", "action", "timestamp", "task": throw .refused("\(name) can't be changed.")
        default: throw .refused("A row has no '\(name)'.")
        }
    }

    private static func read<Wrapped>(
        _ value: ArgumentValue, _ type: ValueType, _ read: (ArgumentValue) -> Wrapped?
    ) throws(ArgumentProblem) -> Value<Wrapped> {
        if value == .null { return .clear }
        guard let found = read(value) else { throw ArgumentProblem("", .malformed(type.told)) }
        return .set(found)
    }

    private static func text(_ value: ArgumentValue) throws(ArgumentProblem) -> Value<String> {
        try read(value, .anyText, \.string)
    }

    private static func word<Known: RawRepresentable<String> & CaseIterable>(
        _ value: ArgumentValue, of _: Known.Type
    ) throws(ArgumentProblem) -> Value<String> {
        try read(value, .choice(of: Known.self)) { $0.string.flatMap(Known.init)?.rawValue }
    }

    /// The member that says of which game a row is.
    static let gameName = "gameID"

    /// The value of a member as people write it: an empty one clears it.
    static let reading: MemberReading = { name, text throws(ArgumentProblem) in
        if text.isEmpty { return .null }
        return switch name {
        case "score": try TypedNumber.score(text).asUndeclared
        case "progressPercent": try TypedNumber.percentage(text)
        default: .text(text)
        }
    }
}
