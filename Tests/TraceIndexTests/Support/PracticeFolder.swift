import SystemPackage
import TestSupport
import TraceFiles

/// A practice journal's directory, as an app's document and ours beside it leave it.
struct PracticeFolder {
    let path: FilePath
    private(set) var rows: [Row] = []
    private(set) var groups: [String] = []
    var games = ["G1": "Comet Racer", "G2": "Deep Reef"]

    struct Row {
        let number: Int
        let game: String
        var note: String
    }

    init(_ path: FilePath) throws {
        self.path = path
        try path.makeDirectory()
        try path.appending("practice.json").write(
            #"{"id":"01KGNQZP000000000000000001","journal":"practice","format":1,"title":"Pinball","created_at":"2026-03-01T12:00:00.000Z"}"#
                .utf8)
    }

    static func id(_ number: Int, _ block: Int = 0) -> String {
        let digits = "\(number)"
        return "0000000\(block)-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// The text of a row; its fraction of a millisecond is cut off in the index.
    static func text(_ row: Row) -> String {
        #"{"id":"\#(id(row.number).uppercased())","gameID":"\#(row.game)","action":"noteAdded","noteCategory":"shots","note":"\#(row.note)","timestamp":\#(1_772_402_400_000 + row.number * 1000).75}"#
    }

    var document: String {
        let entries = rows.map(Self.text).joined(separator: ", ")
        let notes = rows.map {
            #"{"id":"\#(Self.id($0.number, 1))","gameID":"\#($0.game)","category":"shots","note":"\#($0.note)","timestamp":\#(1_772_402_400_000 + $0.number * 1000).75}"#
        }.joined(separator: ",")
        let made = groups.enumerated().map {
            #"{"id":"\#(Self.id($0.offset, 2))","name":"\#($0.element)","gameIDs":[],"createdAt":1772402400000}"#
        }.joined(separator: ",")
        return """
            {"schemaVersion":4,"noteEntries":[\(notes)],
            "journalEntries":[\(entries)],
            "customGroups":[\(made)],"gameSummaryNotes":{"G1":"watch the left ramp"}}
            """
    }

    var library: String {
        let items = games.sorted { $0.key < $1.key }.map {
            #"{"practice_identity":"\#($0.key)","slug":"\#($0.key.lowercased())","name":"\#($0.value)"}"#
        }.joined(separator: ",")
        return #"{"version":3,"items":[\#(items)]}"#
    }

    func write() throws { try path.appending("practice-state.json").write(document.utf8) }

    func writeLibrary() throws {
        let folder = path.appending("library")
        try folder.makeDirectory()
        try folder.appending("pinball_library_v3.json").write(library.utf8)
    }

    func writeLog(_ count: Int) throws {
        let entries = (0..<count).reversed().map {
            #"{"id":"\#(Self.id($0, 3))","gameSlug":"G1","gameName":"Comet","kind":"rulesheet","timestampMs":\#(1_772_402_400_000 + $0 * 500)}"#
        }
        try path.appending("activity.json").write("[\(entries.joined(separator: ",\n"))]".utf8)
    }

    /// The table of scores of a league, and the list of players who are not to be named.
    func writeLeague(scores: String? = nil, redacted: [String]) throws {
        let folder = path.appending("league")
        try folder.makeDirectory()
        if let scores { try folder.appending("LPL_Stats.csv").write(scores.utf8) }
        try folder.appending("redacted_players.csv").write((["name"] + redacted).joined(separator: "\n").utf8)
    }

    mutating func add(_ note: String, game: String = "G1", at place: Int? = nil) {
        let number = (rows.map(\.number).max() ?? 0) + 1
        rows.insert(Row(number: number, game: game, note: note), at: place ?? rows.count)
    }

    mutating func remove(at place: Int) { rows.remove(at: place) }
    mutating func edit(at place: Int, _ note: String) { rows[place].note = note }
    mutating func addGroup(_ name: String) { groups.append(name) }

    /// Does something at random, as apps and sync tools do, in the files.
    mutating func change(_ dice: inout SeededRandom) throws {
        switch Int.random(in: 0..<11, using: &dice) {
        case 0...2: add("note \(rows.count) multiball", game: dice.element(of: ["G1", "G2", "g-3"]))
        case 3: add("early", at: rows.isEmpty ? 0 : Int.random(in: 0..<rows.count, using: &dice))
        case 4 where !rows.isEmpty: remove(at: Int.random(in: 0..<rows.count, using: &dice))
        case 5 where !rows.isEmpty:
            edit(at: Int.random(in: 0..<rows.count, using: &dice), "edited #post\(rows.count)")
        case 6: addGroup("Bank \(groups.count)")
        case 7:
            games["G2"] = "Deep Reef \(Int.random(in: 0..<3, using: &dice))"
            return try writeLibrary()
        case 8: return try writeLog(Int.random(in: 0..<5, using: &dice))
        case 9: add("League import for \(dice.element(of: ["Ada Quill", "Bo Marsh"])): 1 imported")
        case 10:
            let scores = dice.element(of: [
                "season,player\n",
                "season,banknumber,player,machine,rawscore,points\n4,1,Bo Marsh,Reef,x,1\n",
            ])
            return try writeLeague(
                scores: scores, redacted: dice.element(of: [[], ["Bo Marsh"], ["Ada Quill"], ["\u{0}"]]))
        default: rows.shuffle(using: &dice)
        }
        try write()
    }
}
