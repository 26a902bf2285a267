internal import TraceText

/// A word of an enumeration as a document has it: a newer app, or another one, may know more words.
package struct Word<Known: RawRepresentable & Sendable>: Sendable where Known.RawValue == String {
    /// As it is spelled.
    package let text: String
    /// Nil for a word that schema 4 does not have.
    package var known: Known? { Known(rawValue: text) }

    init(_ text: String) { self.text = text }

    init(_ known: Known) { text = known.rawValue }
}

/// What can be studied of a game, in the order in which it is listed.
///
/// Source: docs/spec/practice.md#words.
package enum StudyTask: String, CaseIterable, Sendable {
    case playfield, rulesheet, tutorialVideo, gameplayVideo, practice

    /// What a row about it says was done.
    var action: RowAction {
        switch self {
        case .playfield: .playfieldViewed
        case .rulesheet: .rulesheetRead
        case .tutorialVideo: .tutorialWatch
        case .gameplayVideo: .gameplayWatch
        case .practice: .practiceSession
        }
    }
}

/// What a row of the journal says was done.
package enum RowAction: String, CaseIterable, Sendable {
    case rulesheetRead, tutorialWatch, gameplayWatch, playfieldViewed, gameBrowse, practiceSession
    case scoreLogged, noteAdded

    /// The task that it belongs to; three actions have none.
    var task: StudyTask? { StudyTask.allCases.first { $0.action == self } }
}

/// Where a score was played.
package enum ScoreContext: String, CaseIterable, Sendable {
    case practice, league, tournament

    var label: String { rawValue.withCapital }
}

/// What a note is about.
package enum NoteCategory: String, CaseIterable, Sendable {
    case general, shots, modes, multiball, strategy

    var label: String {
        switch self {
        case .general: "General practice"
        case .shots: "Shots"
        case .modes: "Modes"
        case .multiball: "Multiball"
        case .strategy: "Scoring strategy"
        }
    }
}

extension Word where Known == NoteCategory {
    /// For people; a word that is not known stands for itself.
    var label: String { known?.label ?? text.withCapital }
}

extension Word where Known == ScoreContext {
    /// For people; a word that is not known stands for itself.
    var label: String { known?.label ?? text.withCapital }
}

/// How far a video was watched: by its clock, or in percent.
package enum VideoKind: String, CaseIterable, Sendable {
    case clock, percent
}

/// How a chart treats days without scores.
package enum GapMode: String, CaseIterable, Sendable {
    case realTimeline, compressInactive, activeSessionsOnly, brokenAxis
}

extension Word where Known == GapMode {
    /// For people; a word that is not known stands for itself.
    var label: String {
        switch known {
        case .realTimeline: "real time"
        case .compressInactive: "short breaks"
        case .activeSessionsOnly: "scores only"
        case .brokenAxis: "broken axis"
        case nil: text
        }
    }
}

/// What a group of games stands for.
package enum GroupType: String, CaseIterable, Sendable {
    case bank, location, custom
}
