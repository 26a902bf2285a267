import Foundation
import ProgramHarness
import SystemPackage
import TestSupport

/// Does to the practice journals below a root what apps, people, sync tools and the commands do, in an order that dice decide. What
/// can't be done, because something is not there, is not done.
///
/// It shares places with ``RandomTree``: a journal lies beside sessions, in one, and in the directory of one.
struct RandomJournals {
    private let scratch: Scratch
    private let root: URL
    /// Where what is moved out lies until it is moved in again.
    private let outside: URL
    private var dice: SeededRandom
    /// How many rows have been made: each is another one.
    private var count = 0

    private static let places = ["pins", "pins", "pins", "band/pins", "a", "a/pins", "été", "pins/inner"]
    /// The names under which a document is a journal where its directory is none.
    static let loneNames = [
        "practice-state.json", "practice-state-json.json", "practice-upgrade-state-v1.json",
    ]

    init(_ scratch: Scratch, _ dice: SeededRandom) throws {
        self.scratch = scratch
        root = URL(filePath: scratch.sessions)
        outside = URL(filePath: "\(scratch.path)/outside-journals")
        self.dice = dice
        try scratch.makeDirectory("outside-journals")
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }
    private mutating func pick<Value>(_ values: [Value]) -> Value { dice.element(of: values) }

    /// Does something, and says what.
    mutating func step() throws -> String {
        let place = root.appending(path: pick(Self.places))
        let document = place.appending(path: "practice-state.json")
        switch number(0..<38) {
        case 0..<4: return "make \(make(place))"
        case 4..<9: return "insert a row \(insertRow(into: document))"
        case 9: return "reorder \(reorder(document))"
        case 10: return "rewrite \(document): \(write(text(), to: document))"
        case 11, 12: return "edit \(dice.changeByte(of: FilePath(document.path)))"
        case 13: return "truncate \(dice.truncate(FilePath(document.path), below: 600))"
        case 14: return "garbage \(document): \(write(garbage(), to: document))"
        case 15, 16: return "replace \(replace(document, with: text()))"
        case 17: return "delete \(document): \(unlink(document.path))"
        case 18: return "older shape \(document): \(write(olderShape(), to: document))"
        case 19, 20: return "library \(writeLibrary(of: place))"
        case 21: return "log \(write(log(), to: place.appending(path: "activity.json")))"
        case 22: return "header \(toggle(place.appending(path: "practice.json"), header()))"
        case 23: return "two headers \(toggle(place.appending(path: "session.json"), "{}"))"
        case 24: return "alone \(toggle(root.appending(path: "phone/\(pick(Self.loneNames))"), text()))"
        case 25:
            let lone = root.appending(path: "band/\(pick(Self.loneNames))")
            return "alone, replaced \(replace(lone, with: number(0..<3) == 0 ? garbage() : text()))"
        case 26:
            return
                "move out \(place): \(rename(place.path, outside.appending(path: "\(number(0..<3))").path))"
        case 27, 28:
            return "move in \(place): \(rename(outside.appending(path: "\(number(0..<3))").path, place.path))"
        case 29:
            let other = root.appending(path: pick(Self.places))
            return "rename \(place) to \(other): \(rename(place.path, other.path))"
        case 30 where place.lastPathComponent == "pins":
            return "remove \(place): \((try? FileManager.default.removeItem(at: place)) != nil)"
        case 31, 32: return "league \(writeLeague(of: place))"
        default: return try command(on: place)
        }
    }

    // MARK: - The commands

    /// A write of ours, through the built command; what it refuses is nothing.
    private mutating func command(on place: URL) throws -> String {
        count += 1
        let game = pick(["G1", "G2"])
        let write =
            switch number(0..<10) {
            case 8: ["league", "import", "--player", pick(["Ada Quill", "Bo Marsh"])]
            case 9: ["league", "purge"]
            case 0..<3: ["score", game, "\(1000 + count)"]
            case 3: ["note", game, "said \(count) #slow"]
            case 4: ["read", game, "40%"]
            case 5: ["gamenote", game, "left ramp \(count)"]
            case 6: ["resume", game, "--rulesheet", "0.\(1 + count % 8)"]
            default: ["browse", game]
            }
        let isQueued = number(0..<4) == 0 && !["resume", "league"].contains(write[0])
        let arguments =
            number(0..<8) == 0
            ? ["undo"]
            : (isQueued ? ["queue", "add"] : []) + ["practice"] + write + ["--journal", place.path]
        let outcome = try scratch.trace(arguments)
        if outcome.status >= 128 { throw NeverCameTrue(what: "\(arguments) ends by itself: \(outcome)") }
        return "trace \(arguments.joined(separator: " ")): \(outcome.status)"
    }

    // MARK: - Files

    /// A whole journal at once; the header comes last, or first.
    private mutating func make(_ place: URL) -> String {
        mkdir(place.deletingLastPathComponent().path, 0o777)
        mkdir(place.path, 0o777)
        let isFirst = number(0..<2) == 0
        if isFirst { write(header(), to: place.appending(path: "practice.json")) }
        write(text(), to: place.appending(path: "practice-state.json"))
        _ = writeLibrary(of: place)
        if number(0..<2) == 0 { write(log(), to: place.appending(path: "activity.json")) }
        if !isFirst { write(header(), to: place.appending(path: "practice.json")) }
        return place.path
    }

    private mutating func writeLibrary(of place: URL) -> String {
        let folder = place.appending(path: "library")
        mkdir(folder.path, 0o777)
        let name = "Deep Reef \(number(0..<4))"
        let text =
            #"{"version":3,"items":[{"practice_identity":"G1","name":"Comet"},{"practice_identity":"G2","name":"\#(name)"}]}"#
        return
            "\(replace(folder.appending(path: "pinball_library_v3.json"), with: number(0..<8) == 0 ? "{" : text))"
    }

    /// A table of scores, whole or broken, and a list of players who are not to be named.
    private mutating func writeLeague(of place: URL) -> String {
        let folder = place.appending(path: "league")
        mkdir(folder.path, 0o777)
        let header = "Season,BankNumber,Player,Machine,RawScore,Points,EventDate\n"
        let rows = (0..<number(0..<4)).map { _ in
            "4,1,\(pick(["Ada Quill", "Bo Marsh"])),\(pick(["Comet", "Lost Ark"])),\(number(0..<9)),1,2026-02-0\(number(1..<5))\n"
        }
        let scores = number(0..<6) == 0 ? garbage() : header + rows.joined()
        let list = pick(["name\n", "name\nBo Marsh\n", "name\n\u{0}\n"])
        return
            "\(replace(folder.appending(path: "LPL_Stats.csv"), with: scores)) \(replace(folder.appending(path: "redacted_players.csv"), with: list))"
    }

    /// A row as an app adds it, which writes all in place; the other bytes are as before.
    private mutating func insertRow(into file: URL) -> String {
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            let place = text.range(of: #""journalEntries":["#)
        else { return "nothing" }
        let isEmpty = text[place.upperBound...].first { !$0.isWhitespace } == "]"
        return
            "\(file): \(write(text.replacingCharacters(in: place, with: text[place] + row() + (isEmpty ? "" : ",")), to: file))"
    }

    /// The rows in another order and some of them gone, in another spelling.
    private mutating func reorder(_ file: URL) -> String {
        guard let bytes = try? Data(contentsOf: file),
            var document = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any],
            var rows = document["journalEntries"] as? [Any]
        else { return "nothing" }
        rows.shuffle(using: &dice)
        document["journalEntries"] = Array(rows.prefix(number(0..<12)))
        guard
            let new = try? JSONSerialization.data(
                withJSONObject: document, options: [.prettyPrinted, .sortedKeys])
        else {
            return "nothing"
        }
        return "\(file): \(replace(file, with: String(decoding: new, as: UTF8.self)))"
    }

    /// Another file takes the name, as sync tools do it; it is old, or of now.
    private mutating func replace(_ file: URL, with text: String) -> Int32 {
        let temporary = file.deletingLastPathComponent().appending(path: ".syncthing.tmp")
        guard write(text, to: temporary) == 0 else { return -1 }
        if pick([true, false]) {
            let time = timespec(tv_sec: 1_770_000_000 + number(0..<100_000), tv_nsec: 0)
            utimensat(AT_FDCWD, temporary.path, [time, time], AT_SYMLINK_NOFOLLOW)
        }
        return rename(temporary.path, file.path)
    }

    private func toggle(_ file: URL, _ text: String) -> String {
        if unlink(file.path) == 0 { return "gone \(file)" }
        mkdir(file.deletingLastPathComponent().path, 0o777)
        return "\(file): \(write(text, to: file))"
    }

    /// - Returns: 0 where the file could be opened.
    @discardableResult
    private func write(_ text: String, to file: URL) -> Int32 {
        let descriptor = open(file.path, O_WRONLY | O_NOFOLLOW | O_CREAT | O_TRUNC, 0o666)
        guard descriptor >= 0 else { return -1 }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        return Foundation.write(descriptor, bytes, bytes.count) == bytes.count ? 0 : -1
    }

    // MARK: - Texts

    private mutating func header() -> String {
        let title = pick(["Pins", "Łódź", "Riff & Raff"])
        let text = """
            {"journal":"practice","format":1,"id":"01KGNQZP00000000000000000\(number(0..<4))","title":"\(title)",
            "created_at":"2026-03-01T12:00:00.000Z"}

            """
        return number(0..<10) == 0 ? String(text.dropLast(9)) : text
    }

    private static func id(_ number: Int, _ block: Int) -> String {
        "0000000\(block)-0000-4000-8000-" + String(String(1_000_000_000_000 + number).dropFirst())
    }

    private mutating func row() -> String {
        count += 1
        let note = pick(["drop", "café ramp", "fix the orbit #post", "slow", "la la"])
        let time = 1_772_402_400_000 + number(0..<90) * 1000
        return
            #"{"id":"\#(Self.id(count, 0))","gameID":"\#(pick(["G1", "G2", "g-3"]))","action":"noteAdded","noteCategory":"shots","note":"\#(note)","timestamp":\#(time).75}"#
    }

    private mutating func text() -> String {
        let rows = (0..<number(0..<6)).map { _ in row() }.joined(separator: ",\n")
        let groups = (0..<number(0..<3)).map {
            #"{"id":"\#(Self.id($0, 2))","name":"Bank \#(number(0..<5))","gameIDs":["G1"],"createdAt":1772402400000}"#
        }.joined(separator: ",")
        let notes = pick(["{}", #"{"G1":"watch the left ramp"}"#, #"{"G2":"a","G1":"\u00e9","G2":"b"}"#])
        let future = pick(["", #","future":{"kept":1e2}"#])
        let text = """
            {"schemaVersion":4,"journalEntries":[\(rows)],
            "customGroups":[\(groups)],"gameSummaryNotes":\(notes)\(future)}
            """
        return number(0..<12) == 0 ? String(text.dropLast(number(1..<40))) : text
    }

    private mutating func olderShape() -> String {
        let rows = (0..<number(0..<4)).map {
            #"{"id":"j\#($0)","gameSlug":"G1","action":"browse","summary":"Browsed","timestampMs":\#(1_772_402_400_000 + $0)}"#
        }.joined(separator: ",")
        return
            #"{"scores":[{"id":"s1","gameSlug":"G1","score":5,"timestampMs":1772402430000}],"journal":[\#(rows)]}"#
    }

    private mutating func log() -> String {
        let entries = (0..<number(0..<5)).map {
            #"{"id":"\#(Self.id($0, 3))","gameSlug":"G1","gameName":"Comet","kind":"rulesheet","timestampMs":\#(1_772_402_400_000 + $0 * 500)}"#
        }
        return number(0..<10) == 0 ? "[{" : "[\(entries.joined(separator: ",\n"))]"
    }

    private mutating func garbage() -> String {
        pick([
            "", "nonsense", "[]", "\u{0}\u{0}\u{0}", #"{"journalEntries":7}"#,
            #"{"scores":[],"noteEntries":[]}"#, "{}", "{",
        ])
    }
}
