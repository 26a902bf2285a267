internal import RecordFormat

/// What a member of a record or of an object of settings holds.
struct MemberDeclaration {
    let name: StaticString
    let type: MemberType
    let isRequired: Bool

    static func required(_ name: StaticString, _ type: MemberType) -> Self {
        Self(name: name, type: type, isRequired: true)
    }

    static func optional(_ name: StaticString, _ type: MemberType) -> Self {
        Self(name: name, type: type, isRequired: false)
    }
}

/// The values that a member may have.
enum MemberType {
    case uuid, text, number, integer, boolean, texts
    /// A whole number from 0 to 100.
    case percent
    /// One of these; a newer app may have others.
    case word([[UInt8]])
    /// Checked with all other times of the document (``DocumentDates``).
    case time

    static func word<Known: RawRepresentable & CaseIterable>(_: Known.Type) -> MemberType
    where Known.RawValue == String {
        .word(Known.allCases.map { Array($0.rawValue.utf8) })
    }

    /// Whether the app reads a value; one value that it can't read costs it the whole document.
    func isReadable(_ value: JSONValue) -> Bool {
        if case .time = self { return value.number != nil }
        return problem(of: value).map { $0.rule == .practiceProgressRange } ?? true
    }

    /// What is wrong with a value, for the sentence that begins with its name; nil if nothing is.
    func problem(of value: JSONValue) -> (rule: Rule, message: String)? {
        switch self {
        case .uuid:
            guard let text = value.utf8 else { return mismatch(value, "a string") }
            if UUIDText.value(of: text) != nil { return nil }
            return (.uuidMalformed, "is \(ValueCheck.quoted(text)), which is not a UUID")
        case .text: return value.utf8 == nil ? mismatch(value, "a string") : nil
        case .number: return value.number == nil ? mismatch(value, "a number") : nil
        case .integer: return value.kind == .integer ? nil : mismatch(value, "an integer")
        case .boolean: return value.boolean == nil ? mismatch(value, "true or false") : nil
        case .texts:
            let isList = value.kind == .array && value.elements.allSatisfy { $0.utf8 != nil }
            return isList ? nil : mismatch(value, "an array of strings")
        case .percent:
            guard value.kind == .integer else { return mismatch(value, "an integer") }
            if let percent = value.integer, (0...100).contains(percent) { return nil }
            return (.practiceProgressRange, "is \(ValueCheck.spelled(value)), not from 0 to 100")
        case .word(let words):
            guard let text = value.utf8 else { return mismatch(value, "a string") }
            if words.contains(where: { $0.count == text.count && text.elementsEqual($0) }) { return nil }
            return (.practiceWordUnknown, "is \(ValueCheck.quoted(text)), which is not a known word")
        case .time: return nil
        }
    }

    private func mismatch(_ value: JSONValue, _ expected: String) -> (rule: Rule, message: String) {
        (.typeMismatch, "is \(ValueCheck.spelled(value)), but must be \(expected)")
    }
}

/// The members of the records, and of the settings. Source: docs/spec/practice.md#records and docs/spec/practice.md#settings.
extension PracticeArray {
    var declaration: [MemberDeclaration] {
        switch self {
        case .studyEvents:
            [
                .required("id", .uuid), .required("gameID", .text), .required("task", .word(StudyTask.self)),
                .required("progressPercent", .percent), .required("timestamp", .time),
            ]
        case .videoProgressEntries:
            [
                .required("id", .uuid), .required("gameID", .text), .required("kind", .word(VideoKind.self)),
                .required("value", .text), .required("timestamp", .time),
            ]
        case .scoreEntries:
            [
                .required("id", .uuid), .optional("gameID", .text), .optional("score", .number),
                .optional("context", .word(ScoreContext.self)), .optional("tournamentName", .text),
                .required("timestamp", .time), .optional("leagueImported", .boolean),
            ]
        case .noteEntries:
            [
                .required("id", .uuid), .required("gameID", .text),
                .required("category", .word(NoteCategory.self)), .optional("detail", .text),
                .required("note", .text), .required("timestamp", .time),
            ]
        case .journalEntries:
            [
                .required("id", .uuid), .required("gameID", .text),
                .required("action", .word(RowAction.self)), .optional("task", .word(StudyTask.self)),
                .optional("progressPercent", .percent), .optional("videoKind", .word(VideoKind.self)),
                .optional("videoValue", .text), .optional("score", .number),
                .optional("scoreContext", .word(ScoreContext.self)), .optional("tournamentName", .text),
                .optional("noteCategory", .word(NoteCategory.self)), .optional("noteDetail", .text),
                .optional("note", .text), .required("timestamp", .time),
            ]
        case .customGroups:
            [
                .required("id", .uuid), .optional("name", .text), .optional("gameIDs", .texts),
                .optional("type", .word(GroupType.self)), .optional("isActive", .boolean),
                .optional("isArchived", .boolean), .optional("isPriority", .boolean),
                .optional("startDate", .time), .optional("endDate", .time), .optional("createdAt", .time),
            ]
        }
    }
}

extension PracticeSettingsObject {
    var declaration: [MemberDeclaration] {
        switch self {
        case .leagueSettings:
            [
                .required("playerName", .text), .required("csvAutoFillEnabled", .boolean),
                .optional("lastImportAt", .time), .optional("lastRepairVersion", .integer),
            ]
        case .syncSettings:
            [
                .required("cloudSyncEnabled", .boolean), .required("endpoint", .text),
                .required("phaseLabel", .text),
            ]
        case .analyticsSettings:
            [.required("gapMode", .word(GapMode.self)), .required("useMedian", .boolean)]
        case .practiceSettings:
            [
                .optional("playerName", .text), .optional("comparisonPlayerName", .text),
                .optional("selectedGroupID", .uuid), .optional("ifpaPlayerID", .text),
            ]
        }
    }
}

extension PracticeSettingsObject {
    /// The members that must be there, as a missing object has them.
    var defaults: [(name: String, value: JSONText)] {
        switch self {
        case .leagueSettings: [("playerName", JSONText("")), ("csvAutoFillEnabled", JSONText(true))]
        case .syncSettings:
            [
                ("cloudSyncEnabled", JSONText(false)), ("endpoint", JSONText("pillyliu.com")),
                ("phaseLabel", JSONText("Phase 1: On-device")),
            ]
        case .analyticsSettings:
            [("gapMode", JSONText(GapMode.compressInactive.rawValue)), ("useMedian", JSONText(true))]
        case .practiceSettings: []
        }
    }
}

extension PracticeMap {
    /// What a game's value is.
    var valueType: MemberType { self == .rulesheetResumeOffsets ? .number : .text }
}
