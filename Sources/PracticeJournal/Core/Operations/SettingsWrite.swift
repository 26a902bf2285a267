internal import RecordFormat

/// Members of the document's settings get other values; `null` takes one away that need not be there.
///
/// The payload has the settings objects with the members to change: `{"practiceSettings":{"playerName":"Ada"}}`.
///
/// Source: docs/spec/practice.md#writes.
struct SettingsWrite: PracticeWrite {
    private let changes: [DocumentChange.MemberChange]

    /// The objects, in the order of the document.
    private static let objects = PracticeSettingsObject.allCases.map { object in
        Parameter<[ArgumentValue.Member]>(object: object.rawValue, object.summary).with(
            memberReading: { name, text in object.settable[name]?.value(of: text) ?? .text(text) })
    }
    static let parameters = objects.map(\.declared)

    /// What gives members of the settings these texts; nil leaves one as it is.
    static func arguments(
        _ texts: [(object: PracticeSettingsObject, member: String, text: String?)]
    ) -> Arguments {
        var arguments = Arguments()
        for (object, parameter) in zip(PracticeSettingsObject.allCases, objects) {
            let members = texts.compactMap { one in
                one.object == object ? one.text.map { ArgumentValue.Member(one.member, .text($0)) } : nil
            }
            if !members.isEmpty { arguments = arguments.setting(parameter, to: .object(members)) }
        }
        return arguments
    }

    init(_ asked: Arguments) throws(ArgumentProblem) {
        var changes: [DocumentChange.MemberChange] = []
        for (object, parameter) in zip(PracticeSettingsObject.allCases, Self.objects) {
            for member in asked[parameter] {
                do {
                    changes.append(
                        .init(object.rawValue, member.name, try object.json(of: member)))
                } catch { throw error.within(member.name).within(object.rawValue) }
            }
        }
        self.changes = changes
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        guard !changes.isEmpty else { return .nothing("no settings") }
        var change = DocumentChange()
        let changes = changes + [number(context)].compactMap(\.self)
        for object in PracticeSettingsObject.allCases {
            change.members += context.document.settingChanges(
                of: object, changes.filter { $0.object == object.rawValue })
        }
        return .change(change)
    }

    /// The number of the player who gets a name here, as the league's table has it: one that it has for somebody else goes.
    ///
    /// Source: docs/spec/practice.md#numbers-of-players.
    private func number(_ context: WriteContext) -> DocumentChange.MemberChange? {
        let (object, member) = (PracticeSettingsObject.practiceSettings.rawValue, "ifpaPlayerID")
        let names = changes.filter { $0.member == "playerName" }.sorted {
            // The league's name of a player comes first.
            ($0.object, $1.object) == (PracticeSettingsObject.leagueSettings.rawValue, object)
        }.compactMap { $0.value?.bytes[...].stringOfJSON }
        guard !names.isEmpty, !changes.contains(where: { $0.member == member }),
            let players = context.players()
        else { return nil }
        let present = context.document.settings.ifpaPlayer
        let found = names.lazy.compactMap { players.player(named: $0)?.number }.first
        guard found != present, found != nil || players.has(present) else { return nil }
        return .init(object, member, JSONText(found ?? ""))
    }
}

private enum SettableType {
    case text, digits, flag, gapMode

    /// Nil if it is not of the type.
    func json(_ value: ArgumentValue) -> JSONText? {
        switch self {
        case .text: value.string.map { JSONText($0) }
        case .digits: value.string.map { JSONText(LeaguePlayers.number($0)) }
        case .flag: value.boolean.map { JSONText($0) }
        case .gapMode: value.string.flatMap(GapMode.init).map { JSONText($0.rawValue) }
        }
    }

    /// The value of what people write; nil for what is a text as it stands.
    func value(of text: String) -> ArgumentValue? {
        self == .flag ? ValueType.boolean.value(of: text) : nil
    }

    var told: ValueType.Words {
        switch self {
        case .text, .digits: ValueType.anyText.told
        case .flag: ValueType.boolean.told
        case .gapMode: ValueType.choice(of: GapMode.self).told
        }
    }
}

extension PracticeSettingsObject {
    fileprivate var summary: String {
        switch self {
        case .leagueSettings: "Whose scores are imported from a league, and whether an app does so by itself"
        case .syncSettings: "How an app synchronises"
        case .analyticsSettings: "How charts are drawn"
        case .practiceSettings: "Whose journal it is, and with whom the player is compared"
        }
    }

    /// The members that a person may set.
    fileprivate var settable: [String: SettableType] {
        switch self {
        case .leagueSettings: ["playerName": .text, "csvAutoFillEnabled": .flag]
        case .syncSettings: ["cloudSyncEnabled": .flag, "endpoint": .text, "phaseLabel": .text]
        case .analyticsSettings: ["gapMode": .gapMode, "useMedian": .flag]
        case .practiceSettings: ["playerName": .text, "comparisonPlayerName": .text, "ifpaPlayerID": .digits]
        }
    }

    /// The JSON of a member that is set; nil for one that is taken away.
    ///
    /// - Throws: ``ArgumentProblem`` if it can't be set so; its path begins behind the member's name.
    fileprivate func json(of member: ArgumentValue.Member) throws(ArgumentProblem) -> JSONText? {
        guard let type = settable[member.name] else {
            throw .refused("\(rawValue) has no '\(member.name)' that can be set.")
        }
        if member.value == .null {
            guard !defaults.contains(where: { $0.name == member.name }) else {
                throw .refused("\(member.name) can't be taken away.")
            }
            return nil
        }
        guard let json = type.json(member.value) else { throw ArgumentProblem("", .malformed(type.told)) }
        return json
    }
}
