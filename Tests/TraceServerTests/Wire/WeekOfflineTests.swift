import Foundation
import ProgramHarness
import TestSupport
import Testing

/// A phone that was a week without a network sends what it has, while much has changed at home.
///
/// Source: docs/http.md#writing-so-that-nothing-is-lost-or-doubled.
struct WeekOfflineTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    /// A session that was made while the phone was away from home, and closed meanwhile.
    private static let gone = ServedSample.activeID
    private static let markCount = 500
    private static let noteCount = 40

    private func mark(_ index: Int, _ session: String) -> String {
        FilledRoutes.entry(
            number(1000 + index), for: session,
            marker: ServedSample.marker("offline \(index)", at: index * 10))
    }

    private func sound(_ index: Int) -> Data {
        Data("OggS\(index)".utf8) + Data(repeating: UInt8(index), count: 500)
    }

    private func noteID(_ index: Int) -> String { number(5000 + index) }

    /// As the outbox of a page sends one batch after the other, and reads the outcomes.
    ///
    /// - Returns: What was written already when it was sent again because it waited was not so the first time.
    private func send(_ lines: [String]) throws -> [(id: String?, results: [String])] {
        var outcomes: [(id: String?, results: [String])] = []
        for start in stride(from: 0, to: lines.count, by: 200) {
            let batch = lines[start..<min(start + 200, lines.count)].joined(separator: "\n")
            let answer = try sample.ask(
                "POST", "/queue", [("Content-Type", "application/jsonl")], json: batch)
            #expect(answer.status == 200, "\(answer)")
            outcomes += answer.outcomes.map { outcome in
                let result = outcome["result"] as? String ?? ""
                let isRepeated = answer.hasWaited && result == "already-applied"
                return (outcome["id"] as? String, isRepeated ? [result, "applied"] : [result])
            }
        }
        return outcomes
    }

    private func speak(_ index: Int) throws {
        let sound = sound(index)
        let body = ServedSample.voiceNote(#"{"size":\#(sound.count),"type":"audio/ogg"}"#)
        let path = ServedSample.voiceNotePath(noteID(index))
        let record = try sample.ask("PUT", path, json: body)
        #expect([200, 202].contains(record.status), "\(record)")
        let audio = try sample.send("PUT", "\(path)/audio", "audio/ogg", sound)
        #expect([200, 201].contains(audio.status), "\(audio)")
    }

    private func lines(_ file: String, in session: String) throws -> [String] {
        String(decoding: try sample.contents(file, of: session), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    @Test func `what was sent by a copy, renamed, closed or removed meanwhile stands once or is told`() throws
    {
        let inLate = (0..<Self.markCount).filter { $0 % 5 != 0 }
        let inGone = (0..<Self.markCount).filter { $0 % 5 == 0 }
        let everything = (0..<Self.markCount).map {
            mark($0, $0 % 5 == 0 ? Self.gone : ServedSample.lateSetID)
        }
        // Another copy of the page had the half of it.
        let first = try send(Array(everything.prefix(250)))
        #expect(first.count == 250 && first.allSatisfy { $0.results.contains("applied") }, "\(first)")
        for index in 0..<(Self.noteCount / 2) { try speak(index) }

        // At home one session is renamed, the other closed and put away, and a mark removed.
        let directory = sample.copy.directory
        try Binaries.trace(
            ["marker", "remove", sample.session(ServedSample.lateSet).path, number(1001)], in: directory)
        try FileManager.default.moveItem(
            at: sample.session(ServedSample.lateSet), to: sample.session("a new name"))
        try Binaries.trace(["session", "close", sample.session(ServedSample.active).path], in: directory)
        let away = directory.appending(path: "put-away")
        try FileManager.default.moveItem(at: sample.session(ServedSample.active), to: away)
        _ = try sample.ask("GET", "/sessions")

        let outcomes = try send(everything)
        #expect(outcomes.map(\.id) == (0..<Self.markCount).map { number(1000 + $0) })
        for index in 0..<Self.markCount {
            let wanted: [String] =
                switch index {
                case 1: ["removed"]
                case _ where index % 5 == 0: index < 250 ? ["already-applied", "waiting"] : ["waiting"]
                default: index < 250 ? ["already-applied"] : ["applied"]
                }
            #expect(!outcomes[index].results.filter(wanted.contains).isEmpty, "\(index): \(outcomes[index])")
        }
        for index in 0..<Self.noteCount { try speak(index) }

        // The put-away session comes back, and what waits for it is written.
        try FileManager.default.moveItem(at: away, to: sample.session(ServedSample.active))
        try soon("what waited is written", within: .seconds(120)) {
            try lines("markers.jsonl", in: ServedSample.active).count { $0.contains("offline") }
                >= inGone.count
        }

        let late = try lines("markers.jsonl", in: "a new name")
        let written = late.compactMap { line in inLate.first { line.contains(#""\#(number(1000 + $0))""#) } }
        // The tombstone of the removed mark stands where it was removed.
        let kept = inLate.filter { $0 != 1 }
        #expect(written.filter { $0 != 1 } == kept)
        let back = try lines("markers.jsonl", in: ServedSample.active)
        #expect(
            back.compactMap { line in inGone.first { line.contains(#""\#(number(1000 + $0))""#) } } == inGone)
        let notes = try lines("voice_notes.jsonl", in: "a new name")
        for index in 0..<Self.noteCount {
            #expect(notes.count { $0.contains(noteID(index)) } == 1)
            let file = sample.session("a new name").appending(path: "media/\(noteID(index)).ogg")
            #expect(try Data(contentsOf: file) == sound(index))
        }
        try soon("nothing waits any more: \(try sample.ask("GET", "/queue"))") {
            try sample.ask("GET", "/queue").rows.isEmpty
        }
    }
}
