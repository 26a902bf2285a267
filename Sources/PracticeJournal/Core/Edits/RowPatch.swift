package import RecordFormat

/// What an edit changes of a row: a member that is missing stays, `null` clears it.
///
/// Source: practice.md, section 8, "Edit".
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

    /// - Throws: ``WriteRejection`` for a member that can't be edited, or a value of another type.
    package init(_ value: JSONValue) throws(WriteRejection) {
        guard value.kind == .object else { throw WriteRejection("A patch is an object.") }
        var names: Set<String> = []
        for (key, value) in value.members {
            let name = String(decoding: key, as: UTF8.self)
            names.insert(name)
            switch name {
            case "gameID": game = try Self.text(name, value)
            case "progressPercent": percent = try Self.percent(name, value)
            case "videoKind": videoKind = try Self.word(name, value, VideoKind.self)
            case "videoValue": videoValue = try Self.text(name, value)
            case "score": score = try Self.read(name, value, \.number, "a number")
            case "scoreContext": scoreContext = try Self.word(name, value, ScoreContext.self)
            case "tournamentName": tournament = try Self.text(name, value)
            case "noteCategory": noteCategory = try Self.word(name, value, NoteCategory.self)
            case "noteDetail": noteDetail = try Self.text(name, value)
            case "note": note = try Self.text(name, value)
            case "id", "action", "timestamp", "task": throw WriteRejection("\(name) can't be changed.")
            default: throw WriteRejection("A row has no '\(name)'.")
            }
        }
        self.names = names
    }

    private static func read<Wrapped>(
        _ name: String, _ value: JSONValue, _ read: (JSONValue) -> Wrapped?, _ type: String
    ) throws(WriteRejection) -> Value<Wrapped> {
        if value.isNull { return .clear }
        guard let found = read(value) else { throw WriteRejection("\(name) must be \(type).") }
        return .set(found)
    }

    private static func text(_ name: String, _ value: JSONValue) throws(WriteRejection) -> Value<String> {
        try read(name, value, \.string, "a text")
    }

    private static func percent(_ name: String, _ value: JSONValue) throws(WriteRejection) -> Value<Int> {
        try read(name, value, { $0.integer.map { Int(min(max($0, 0), 100)) } }, "a whole number")
    }

    private static func word<Known: RawRepresentable & CaseIterable>(
        _ name: String, _ value: JSONValue, _: Known.Type
    ) throws(WriteRejection) -> Value<String> where Known.RawValue == String {
        let words = Known.allCases.map(\.rawValue)
        return try read(
            name, value, { $0.string.flatMap { words.contains($0) ? $0 : nil } },
            "one of \(words.joined(separator: ", "))")
    }
}
