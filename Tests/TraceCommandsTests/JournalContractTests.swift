import TraceCrypto
import Foundation
import ProgramHarness
import Testing

/// The keys of the `--json` outputs about journals other than sessions are those of docs/cli-json.md.
struct JournalContractTests {
    let scratch: Scratch

    private static let row = "0A7B1C00-0000-4000-8000-000000000001"
    private static let group = "0A7B1C00-0000-4000-8000-000000000101"

    init() throws {
        scratch = try Scratch()
        try scratch.makeDirectory("sessions/phone")
        let made = try scratch.trace("journal", "init", "practice", "sessions/pins", "--title", "Pins")
        try #require(made.status == 0, "\(made)")
        try scratch.makeDirectory("sessions/pins/library")
        try scratch.write(
            #"{"version":3,"items":[{"practice_identity":"G1","name":"Comet Racer","bank":1},{"practice_identity":"G2","name":"Deep Reef","bank":2}]}"#,
            to: "sessions/pins/library/pinball_library_v3.json")
        try scratch.write(
            #"{"schemaVersion":4,"journalEntries":[{"id":"\#(Self.row)","gameID":"G1","action":"noteAdded","noteCategory":"shots","note":"left orbit","timestamp":1772402400000}],"customGroups":[{"id":"\#(Self.group)","name":"Old ones","gameIDs":["G1"],"type":"custom","isActive":true,"isArchived":false,"isPriority":false,"startDate":1772402400000,"createdAt":1772402400000}]}"#,
            to: "sessions/pins/practice-state.json")
        try scratch.write(
            #"{"schemaVersion":4,"journalEntries":[]}"#, to: "sessions/phone/practice-state.json")
        try scratch.makeDirectory("sessions/pins/league")
        try scratch.write(
            """
            Season,BankNumber,Player,Machine,RawScore,Points,EventDate
            4,1,Ada Quill,Comet Racer,15000000,12,2026-02-02
            4,1,Bo Marsh,Comet Racer,9000000,8,2026-02-02
            4,1,Ada Quill,Lost Ark,5,8,

            """, to: "sessions/pins/league/LPL_Stats.csv")
        try scratch.write(
            """
            season,player,total,eligible,nights,bank_1,bank_2,bank_3,bank_4,bank_5,bank_6,bank_7,bank_8
            4,Ada Quill,12.5,yes,1,12.5,0,0,0,0,0,0,0
            4,Bo Marsh,8,,,8,0,0,0,0,0,0,0

            """, to: "sessions/pins/league/LPL_Standings.csv")
        try scratch.write(
            """
            game,second_highest_avg,fourth_highest_avg,eighth_highest_avg
            Comet Racer,30000000,20000000,10000000
            Lost Ark,3,2,1

            """, to: "sessions/pins/league/LPL_Targets.csv")
        try scratch.write("name\nBo Marsh\n", to: "sessions/pins/league/redacted_players.csv")
    }

    /// The section, and the arguments.
    static let commands: [(section: String, arguments: [String])] = [
        ("journals", ["journals"]), ("timeline", ["timeline", "--day", "2026-03-01"]),
        ("journal show", ["journal", "show", "Pins"]),
        ("journal init", ["journal", "init", "practice", "sessions/new", "--title", "New"]),
        ("journal adopt", ["journal", "adopt", "sessions/phone/practice-state.json"]),
        ("journal retention", ["journal", "retention", "Pins", "--dry-run"]),
        ("practice score", ["practice", "score", "comet", "5"]),
        ("practice score", ["practice", "read", "comet", "40%"]),
        ("practice score", ["practice", "view", "comet"]),
        ("practice score", ["practice", "session", "comet", "--minutes", "15"]),
        ("practice score", ["practice", "watch", "comet", "60%", "--tutorial", "1"]),
        ("practice score", ["practice", "note", "comet", "more nudging"]),
        ("practice score", ["practice", "mechanics", "comet", "3", "--skill", "Post Pass"]),
        ("practice score", ["practice", "browse", "deep"]),
        ("practice score", ["practice", "gamenote", "comet", "left ramp"]),
        ("practice score", ["practice", "resume", "comet", "--rulesheet", "0.4"]),
        ("practice score", ["practice", "groups", "--create", "Two", "--game", "G1"]),
        ("practice score", ["practice", "edit", Self.row, "note=x"]),
        ("practice score", ["practice", "delete", Self.row]),
        ("practice journal", ["practice", "journal"]),
        ("practice game", ["practice", "game", "comet"]), ("practice focus", ["practice", "focus"]),
        ("practice groups", ["practice", "groups"]),
        ("practice mechanics --summary", ["practice", "mechanics", "--summary"]),
        ("practice resume", ["practice", "resume", "comet"]), ("practice resume", ["practice", "resume"]),
        ("practice slots", ["practice", "slots"]),
        ("practice score", ["practice", "slots", "practice-journal-filter=score"]),
        ("practice library list", ["practice", "library", "list"]),
        ("practice library show", ["practice", "library", "show", "comet"]),
        ("practice library fetch", ["practice", "library", "fetch", "--from", "sessions/pins/library"]),
        ("practice canonicalise", ["practice", "canonicalise", "--dry-run"]),
        ("practice import", ["practice", "import", "sessions/pins/practice-state.json"]),
        ("undo", ["practice", "undo"]),
        ("practice merge", ["practice", "merge", "sessions/phone/practice-state.json", "--device", "phone"]),
        ("practice devices", ["practice", "devices"]),
        ("practice accept", ["practice", "accept", "phone", "--dry-run"]),
        ("practice league stats", ["practice", "league", "stats"]),
        ("practice league stats", ["practice", "league", "stats", "comet racer", "--season", "4"]),
        ("practice league stats --rows", ["practice", "league", "stats", "--rows"]),
        ("practice league standings", ["practice", "league", "standings"]),
        ("practice league around", ["practice", "league", "around", "ada quill"]),
        ("practice league targets", ["practice", "league", "targets"]),
        ("practice league next", ["practice", "league", "next"]),
        ("practice league recent", ["practice", "league", "recent"]),
        ("practice league versus", ["practice", "league", "versus", "Bo Marsh", "--player", "Ada Quill"]),
        ("practice league import", ["practice", "league", "import", "--player", "Ada Quill"]),
        ("practice league import", ["practice", "league", "import", "--player", "Bo Marsh", "--dry-run"]),
        ("practice league autofill", ["practice", "league", "autofill"]),
        ("practice league autofill", ["practice", "league", "autofill", "on", "--dry-run"]),
        ("practice league autofill", ["practice", "league", "autofill", "on"]),
        ("practice league purge", ["practice", "league", "purge"]),
        ("practice league purge", ["practice", "league", "purge", "--dry-run"]),
    ]

    @Test(arguments: commands)
    func `what is printed is what is promised, and nothing else`(
        section: String, arguments: [String]
    ) throws {
        if section.hasPrefix("practice") || section == "undo", section != "practice score" {
            for write in [
                ["score", "G1", "100"], ["score", "G1", "250"], ["mechanics", "3", "--skill", "Live Catch"],
                ["gamenote", "G1", "left ramp"], ["browse", "G2"],
                ["slots", "practice-journal-filter=score", "preferred-library-source-id=v1"],
                ["resume", "G1", "--rulesheet", "0.5", "--video", "at 2:00"],
            ] {
                let outcome = try scratch.trace(["practice"] + write + ["--journal", "Pins"])
                #expect(outcome.status == 0, "\(outcome)")
            }
        }
        if arguments.contains("devices") || arguments.contains("accept") {
            let merge = ["practice", "merge", "sessions/phone/practice-state.json", "--device", "phone"]
            #expect(try scratch.trace(merge + ["--journal", "Pins"]).status == 0)
            let emptied = try scratch.trace(["practice", "convert", "sessions/pins/practice-state.json"])
            try scratch.write(emptied.output, to: "sessions/phone/practice-state.json")
            #expect(try scratch.trace(merge + ["--journal", "Pins"]).status == 0)
            try scratch.write(#"{"schemaVersion":4}"#, to: "sessions/phone/practice-state.json")
            #expect(try scratch.trace(merge + ["--journal", "Pins"]).status == 65)
        }
        if arguments.contains("fetch") {
            let library = try scratch.text("sessions/pins/library/pinball_library_v3.json", filled: false)
            let hash = SHA256.hash(data: Data(library.utf8)).map { String(format: "%02x", $0) }.joined()
            try scratch.write(
                #"{"files":{"/pinball_library_v3.json":{"hash":"\#(hash)"}}}"#,
                to: "sessions/pins/library/cache-manifest.json")
        }
        let names = arguments.first == "practice" ? ["--journal", "Pins"] : []
        let outcome = try scratch.trace(arguments + names + ["--json", "-q"])
        #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome)")
        #expect(try JSONContract(of: "trace \(section)").breaches(in: outcome.output) == [], "\(outcome)")
    }
}
