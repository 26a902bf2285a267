/// The arrays of a document, in its order.
///
/// Source: docs/spec/practice.md#records.
package enum PracticeArray: String, CaseIterable, Sendable {
    case studyEvents, videoProgressEntries, scoreEntries, noteEntries, journalEntries, customGroups

    /// The member that orders the records: their time.
    var timeMember: StaticString { self == .customGroups ? "createdAt" : "timestamp" }

    /// The name, without a copy.
    var name: StaticString {
        switch self {
        case .studyEvents: "studyEvents"
        case .videoProgressEntries: "videoProgressEntries"
        case .scoreEntries: "scoreEntries"
        case .noteEntries: "noteEntries"
        case .journalEntries: "journalEntries"
        case .customGroups: "customGroups"
        }
    }
}

/// The objects of a document whose keys are game ids.
package enum PracticeMap: String, CaseIterable, Sendable {
    /// How far down a rule sheet was read: a number ≥ 0.
    case rulesheetResumeOffsets
    /// Where watching a game's videos stopped: a text.
    case videoResumeHints
    /// A note about the game as a whole.
    case gameSummaryNotes

    /// The name, without a copy.
    var name: StaticString {
        switch self {
        case .rulesheetResumeOffsets: "rulesheetResumeOffsets"
        case .videoResumeHints: "videoResumeHints"
        case .gameSummaryNotes: "gameSummaryNotes"
        }
    }
}

/// The objects of a document with settings.
package enum PracticeSettingsObject: String, CaseIterable, Sendable {
    case leagueSettings, syncSettings, analyticsSettings, practiceSettings

    /// The name, without a copy.
    var name: StaticString {
        switch self {
        case .leagueSettings: "leagueSettings"
        case .syncSettings: "syncSettings"
        case .analyticsSettings: "analyticsSettings"
        case .practiceSettings: "practiceSettings"
        }
    }
}
