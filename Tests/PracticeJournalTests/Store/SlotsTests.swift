import FileHarness
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

/// Where a person takes up again.
struct SlotsTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    private func write(_ kind: String, _ payload: String, _ number: Int) throws {
        _ = try scene.perform(JournalScene.entry(number, kind, payload), number)
    }

    private func slots() throws -> ResumeSlots {
        try OpenedPractice(scene.journal, Asking(now: Scene.now)).slots
    }

    private var library: GameLibrary {
        get throws { try OpenedPractice(scene.journal, Asking(now: Scene.now)).library }
    }

    private static let games: [(kind: String, payload: String, slot: ResumeSlots.Slot)] = [
        ("score", #"{"game":"deep-reef","score":5}"#, .quickScore),
        ("task", #"{"game":"deep-reef","task":"rulesheet"}"#, .quickStudy),
        (
            "video", #"{"game":"deep-reef","action":"gameplayWatch","kind":"percent","value":"60%"}"#,
            .quickStudy
        ),
        ("task", #"{"game":"deep-reef","task":"practice"}"#, .quickPractice),
        ("mechanics", #"{"game":"deep-reef","skill":"Post Pass","competency":3}"#, .quickMechanics),
        ("browse", #"{"game":"deep-reef"}"#, .practiceViewed),
        ("library", #"{"game":"deep-reef","kind":"openRulesheet"}"#, .libraryViewed),
        ("slots", #"{"practice-quick-game-study":"deep-reef"}"#, .quickStudy),
    ]

    @Test(arguments: games) func `a write sets the slot of its kind, by the canonical id`(
        kind: String, payload: String, slot: ResumeSlots.Slot
    ) throws {
        try write(kind, payload, 10)
        let found = try slots()
        #expect(found[slot] == "Gk9Xy")
        #expect(ResumeSlots.Slot.allCases.filter { found[$0] != nil } == [slot])
        #expect((found.time(slot) != nil) == (slot == .practiceViewed || slot == .libraryViewed))
    }

    @Test func `of two games at one moment the first stays, and the same one is no change`() throws {
        let (library, time) = (try library, 1_772_402_400_000.0)
        let set = try #require(
            try ResumeSlots(Array("{}".utf8)).setting(
                [.init(.practiceViewed, "deep-reef")], at: time, library: library))
        let slots = try ResumeSlots(set)
        #expect(try slots.setting([.init(.practiceViewed, "deep-reef")], at: time, library: library) == nil)
        #expect(try slots.setting([.init(.practiceViewed, "GaB12")], at: time, library: library) == nil)
        #expect(
            try slots.setting([.init(.practiceViewed, "GaB12")], at: time - 1000, library: library) == nil)
        #expect(
            try slots.setting([.init(.practiceViewed, "GaB12")], at: time + 1000, library: library) != nil)
    }

    @Test func `a note without a game, a group and a setting leave the slots alone`() throws {
        try write("mechanics", #"{"skill":"Post Pass","competency":3}"#, 10)
        try write("group.create", #"{"name":"Two","games":["GaB12"]}"#, 11)
        try write("settings", #"{"practiceSettings":{"playerName":"Ada"}}"#, 12)
        #expect(try OpenDirectory(scene.journal).readFile("slots.json") == nil)
    }

    @Test func `what else is in the file is kept, byte for byte`() throws {
        try scene.journal.appending("slots.json").write(
            """
            { "other": 1e2,
              "practice-quick-game-score" : "old", "practice-quick-game-study": 7 }

            """)
        try write("score", #"{"game":"GaB12","score":5}"#, 10)
        #expect(
            try scene.text("slots.json") == """
                { "other": 1e2,
                  "practice-quick-game-score" : "GaB12", "practice-quick-game-study": 7 }

                """)
        #expect(try slots()[.quickStudy] == nil)
    }

    @Test func `a blank text empties a slot, with its time`() throws {
        try write("browse", #"{"game":"GaB12"}"#, 10)
        try write("slots", #"{"practice-last-viewed-game-id":" ","practice-journal-filter":"notes"}"#, 11)
        #expect(try scene.text("slots.json") == #"{"practice-journal-filter":"notes"}"# + "\n")
    }

    @Test func `a game that was looked at later stays, whichever entry comes first`() throws {
        let library = try library
        var slots = ResumeSlots.empty
        let start = 1_772_400_000_000.0
        func set(_ slot: ResumeSlots.Slot, _ game: String, _ time: Double) throws {
            guard let new = try slots.setting([.init(slot, game)], at: start + time, library: library) else {
                return
            }
            slots = try ResumeSlots(new)
        }
        #expect(slots.resumeGame(in: library) == library.keys.first)
        #expect(slots.resumeGame(in: GameLibrary()) == nil)
        try set(.practiceViewed, "deep-reef", 1)
        try set(.practiceViewed, "GaB12", 0)
        #expect(slots.game(.practiceViewed, in: library) == "Gk9Xy")
        #expect(slots.resumeGame(in: library) == "Gk9Xy")
        try set(.libraryViewed, "GaB12", 0)
        #expect(slots.resumeGame(in: library) == "Gk9Xy")
        try set(.libraryViewed, "GaB12", 1)
        #expect(slots.resumeGame(in: library) == "GaB12")
        try set(.practiceViewed, "GaB12", 2)
        try set(.libraryViewed, "", 3)
        #expect(slots.resumeGame(in: library) == "GaB12")
    }

    @Test func `a clock that is ahead does not keep later writes out`() throws {
        _ = try scene.perform(
            JournalScene.entry(10, "browse", #"{"game":"GaB12"}"#, at: 7_000_000_000_000), 10)
        #expect(try slots().time(.practiceViewed) == Double(Scene.now.milliseconds))
    }

    @Test(arguments: ["", "[]", "{", #"{"a":1} x"#])
    func `a file that can't be read is told, and left as it is`(
        text: String
    ) throws {
        try scene.journal.appending("slots.json").write(text)
        try write("score", #"{"game":"GaB12","score":5}"#, 10)
        #expect(try scene.text().contains(DerivedID.id(of: number(10), .score)))
        #expect(try scene.text("slots.json") == text)
        let error = #expect(throws: FileError.self) {
            try write("slots", #"{"practice-quick-game-score":"GaB12"}"#, 11)
        }
        #expect(error?.code == .invalidData && error?.path == scene.journal.appending("slots.json"))
        let snapshot = try JournalSnapshot(
            OpenDirectory(scene.journal), as: PracticeFormat(), settleTime: .zero)
        let findings = try PracticeFormat().findings(in: .practiceSlots, of: snapshot)
        #expect(findings.map(\.rule.id) == ["json-syntax"])
        #expect(findings.map(\.place.file) == ["slots.json"])
    }

    @Test(arguments: [false, true])
    func `slots that are a directory, or too long, keep no other write from being made`(
        isDirectory: Bool
    ) throws {
        let path = scene.journal.appending("slots.json")
        if isDirectory {
            try OpenDirectory.make(path)
        } else {
            try path.write(String(repeating: " ", count: 1 << 20) + "{}")
        }
        try write("score", #"{"game":"GaB12","score":5}"#, 10)
        try write("task", #"{"game":"deep-reef","task":"practice"}"#, 11)
        try write("mechanics", #"{"game":"deep-reef","skill":"Post Pass","competency":3}"#, 12)
        #expect(try scene.read().rows.count == 4)
        let error = #expect(throws: FileError.self) {
            try write("slots", #"{"practice-quick-game-score":"GaB12"}"#, 13)
        }
        let expected: FileError.Code = isDirectory ? .notRegularFile : .invalidData
        #expect(error?.code == expected && error?.path == path)
    }

    @Test(arguments: [
        (#"{"practice-quick-game-sore":"GaB12"}"#, "There is no slot 'practice-quick-game-sore'"),
        (#"{"practice-quick-game-score":7}"#, "practice-quick-game-score must be a text."),
        (#"{"practice-journal-filter":"scores"}"#, "practice-journal-filter must be one of all, study"),
    ]) func `what no slot can hold is refused`(payload: String, message: String) throws {
        let error = #expect(throws: FormatError.self) { try write("slots", payload, 10) }
        #expect(error?.message.hasPrefix(message) == true, "\(String(describing: error))")
        #expect(try OpenDirectory(scene.journal).readFile("slots.json") == nil)
    }

    @Test func `the ids are written as the library has them where that is asked for`() throws {
        try scene.journal.appending("slots.json").write(
            #"{"library-last-viewed-game-id":"deep-reef","library-last-viewed-game-ts":1772388000,"preferred-library-source-id":"deep-reef"}"#
        )
        try write("canonicalise", "{}", 10)
        #expect(
            try scene.text("slots.json")
                == #"{"library-last-viewed-game-id":"Gk9Xy","library-last-viewed-game-ts":1772388000000,"preferred-library-source-id":"deep-reef"}"#
        )
    }
}
