internal import RecordFormat

/// Members of the document's settings get other values; `null` takes one away that need not be there.
///
/// The payload has the settings objects with the members to change: `{"practiceSettings":{"playerName":"Ada"}}`.
///
/// Source: practice.md, section 2.
package struct SettingsWrite: PracticeWrite {
    private let changes: [DocumentChange.MemberChange]

    init(_ payload: WritePayload) throws(WriteRejection) {
        var changes: [DocumentChange.MemberChange] = []
        for object in PracticeSettingsObject.allCases {
            guard let members = payload.json(object.name) else { continue }
            guard members.kind == .object else {
                throw WriteRejection("\(object.rawValue) must be an object.")
            }
            for (key, value) in members.members {
                let name = String(decoding: key, as: UTF8.self)
                changes.append(.init(object.rawValue, name, try Self.text(object, name, value)))
            }
        }
        self.changes = changes
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> WriteOutcome {
        guard !changes.isEmpty else { return .nothing("no settings") }
        var change = DocumentChange()
        for object in PracticeSettingsObject.allCases {
            change.members += context.document.settingChanges(
                of: object, changes.filter { $0.object == object.rawValue })
        }
        return .change(change)
    }

    /// The JSON of a member that can be set.
    private static func text(
        _ object: PracticeSettingsObject, _ name: String, _ value: JSONValue
    ) throws(WriteRejection) -> JSONText? {
        guard let type = object.settable[name] else {
            throw WriteRejection("\(object.rawValue) has no '\(name)' that can be set.")
        }
        if value.isNull {
            guard !object.defaults.contains(where: { $0.0 == name }) else {
                throw WriteRejection("\(name) can't be taken away.")
            }
            return nil
        }
        switch type {
        case .text: if let text = value.string { return JSONText(text) }
        case .flag: if let flag = value.boolean { return JSONText(flag) }
        case .gapMode:
            if let word = value.string, GapMode(rawValue: word) != nil { return JSONText(word) }
        }
        throw WriteRejection("\(name) must be \(type.rawValue).")
    }
}

private enum SettingType: String {
    case text = "a text"
    case flag = "true or false"
    case gapMode = "realTimeline, compressInactive, activeSessionsOnly or brokenAxis"
}

extension PracticeSettingsObject {
    /// The members that a person may set.
    fileprivate var settable: [String: SettingType] {
        switch self {
        case .leagueSettings: ["playerName": .text, "csvAutoFillEnabled": .flag]
        case .syncSettings: ["cloudSyncEnabled": .flag, "endpoint": .text, "phaseLabel": .text]
        case .analyticsSettings: ["gapMode": .gapMode, "useMedian": .flag]
        case .practiceSettings: ["playerName": .text, "comparisonPlayerName": .text, "ifpaPlayerID": .text]
        }
    }
}
