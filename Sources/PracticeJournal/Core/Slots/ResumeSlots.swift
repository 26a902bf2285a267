package import RecordFormat
internal import TraceText

/// Where a person takes up again: the game of each kind of quick entry, the games that were looked at last, the filter of the
/// journal and the venue of the library.
///
/// A slot of another type than it should have is empty; members that are no slots are kept as they are.
///
/// Source: docs/practice.md#slots.
package struct ResumeSlots {
    /// A slot, by the name that it has in the file and among the stored keys of the app.
    package enum Slot: String, CaseIterable, Sendable {
        case quickScore = "practice-quick-game-score"
        case quickStudy = "practice-quick-game-study"
        case quickPractice = "practice-quick-game-practice"
        case quickMechanics = "practice-quick-game-mechanics"
        case practiceViewed = "practice-last-viewed-game-id"
        case libraryViewed = "library-last-viewed-game-id"
        case journalFilter = "practice-journal-filter"
        case librarySource = "preferred-library-source-id"
        /// `on` if a player's scores come from the league's table by themselves. No app has it.
        case leagueAutoFill = "league-auto-fill"

        /// Whether it holds the id of a game.
        var holdsGame: Bool {
            switch self {
            case .journalFilter, .librarySource, .leagueAutoFill: false
            default: true
            }
        }

        /// Where the time stands at which it was set; nil if it has none.
        var timeName: String? {
            switch self {
            case .practiceViewed: "practice-last-viewed-game-ts"
            case .libraryViewed: "library-last-viewed-game-ts"
            default: nil
            }
        }
    }

    /// What a slot is to hold; a blank text empties it.
    package struct Change: Sendable, Equatable {
        let slot: Slot
        let text: String

        package init(_ slot: Slot, _ text: String) {
            self.slot = slot
            self.text = text
        }
    }

    /// The file.
    let bytes: [UInt8]
    private var texts: [Slot: String] = [:]
    private var times: [Slot: Double] = [:]

    /// No slot holds anything.
    package static let empty = ResumeSlots(text: Array("{}\n".utf8))

    private init(text: [UInt8]) { bytes = text }

    /// - Throws: ``FormatError`` with `.jsonMalformed` if the file is not one JSON object.
    package init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = bytes
        // What is written into it must be, too.
        _ = try JSONObjectEditor(bytes)
        do {
            (texts, times) = try JSONParser().withParsed(bytes) { root in
                var (texts, times) = ([Slot: String](), [Slot: Double]())
                for (key, value) in root.members {
                    let name = String(decoding: key, as: UTF8.self)
                    if let slot = Slot(rawValue: name) {
                        texts[slot] = value.string?.trimmedOrNil
                    } else if let slot = Slot.allCases.first(where: { $0.timeName == name }) {
                        times[slot] = DatedNumber(value)?.number.map(Self.milliseconds)
                    }
                }
                return (texts, times)
            }
        } catch let error as FormatError {
            throw error
        } catch {
            throw FormatError(.jsonMalformed, "the slots are not JSON", cure: "fix them in an editor")
        }
    }

    /// What an app has under its stored keys; nil if it has none of the slots.
    init?(stored: [String: [UInt8]]) {
        var times: [Slot: Double] = [:]
        var changes: [Change] = []
        for slot in Slot.allCases {
            guard let text = stored[slot.rawValue].flatMap(Self.text) else { continue }
            changes.append(Change(slot, text))
            times[slot] = slot.timeName.flatMap { stored[$0] }.flatMap {
                Double(String(decoding: $0, as: UTF8.self))
            }
            .map(Self.milliseconds)
        }
        guard !changes.isEmpty, let bytes = try? Self.empty.text(changes, at: { times[$0] }),
            let slots = try? ResumeSlots(bytes)
        else { return nil }
        self = slots
    }

    /// A stored text, with or without the quotation marks of JSON.
    private static func text(_ stored: [UInt8]) -> String? {
        let text: String?
        if stored.first == UInt8(ascii: "\"") {
            text = try? JSONParser().withParsed(stored) { $0.string }
        } else {
            text = String(validating: stored, as: UTF8.self)
        }
        return text?.trimmedOrNil
    }

    /// A time in whichever unit an app writes it, in milliseconds since 1970.
    private static func milliseconds(_ number: Double) -> Double {
        DateUnit.milliseconds.read(number).milliseconds
    }

    /// What ``Slot/leagueAutoFill`` holds where it is switched on.
    static let on = "on"

    /// Whether a player's scores come from the league's table by themselves.
    var fillsLeague: Bool { texts[.leagueAutoFill] == Self.on }

    // MARK: - Reading

    /// What a slot holds; nil if it is empty.
    package subscript(slot: Slot) -> String? { texts[slot] }

    /// The game that a slot holds, by its canonical id; nil of a slot for something else.
    package func game(_ slot: Slot, in library: GameLibrary) -> String? {
        slot.holdsGame ? texts[slot].map { library.canonical($0).id } : nil
    }

    /// When a game was looked at, in milliseconds since 1970.
    package func time(_ slot: Slot) -> Double? { times[slot] }

    /// The game to continue with: that looked at last, of equal times the library's; without one the first of the library.
    package func resumeGame(in library: GameLibrary) -> String? {
        let practice = game(.practiceViewed, in: library)
        let browsed = game(.libraryViewed, in: library)
        let isLibraryLater = (times[.libraryViewed] ?? 0) >= (times[.practiceViewed] ?? 0)
        return (isLibraryLater ? browsed ?? practice : practice ?? browsed) ?? library.keys.first
    }

    // MARK: - Writing

    /// The file with other slots; nil if they hold that already. A game that was looked at does not take the place of one that was
    /// looked at later.
    ///
    /// - Parameter time: Of the change, in milliseconds since 1970.
    package func setting(
        _ changes: [Change], at time: Double, library: GameLibrary
    ) throws(FormatError) -> [UInt8]? {
        let made = changes.map { change in
            Change(
                change.slot, change.slot.holdsGame ? library.canonical(change.text).id : change.text.trimmed)
        }.filter { change in
            guard change.slot.timeName != nil else { return change.text != texts[change.slot] ?? "" }
            guard !change.text.isEmpty else { return texts[change.slot] != nil }
            return times[change.slot].map { $0 < time } ?? true
        }
        return made.isEmpty ? nil : try text(made) { _ in time }
    }

    /// What is to change where every id is to be as the library has it.
    func canonicalisation(by library: GameLibrary) -> [Change] {
        library.isEmpty
            ? []
            : Slot.allCases.filter(\.holdsGame).compactMap { slot in
                guard let old = texts[slot], let new = game(slot, in: library), new != old else { return nil }
                return Change(slot, new)
            }
    }

    /// The file with changes of which the times stay.
    func replacing(_ changes: [Change]) throws(FormatError) -> [UInt8] {
        try text(changes) { times[$0] }
    }

    private func text(_ changes: [Change], at time: (Slot) -> Double?) throws(FormatError) -> [UInt8] {
        var editor = try JSONObjectEditor(bytes)
        for change in changes {
            if change.text.isEmpty {
                try editor.remove(change.slot.rawValue)
                if let name = change.slot.timeName { try editor.remove(name) }
                continue
            }
            try editor.set(change.slot.rawValue, to: JSONText(change.text))
            guard let name = change.slot.timeName, let time = time(change.slot) else { continue }
            try editor.set(name, to: DocumentNumber.json(time))
        }
        return editor.bytes
    }
}
