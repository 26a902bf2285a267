import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What is wrong in one journal is told beside what all others answer.
struct OneBadJournalOverTheWireTests {
    private let sample: ServedSample
    private static let badID = "01M847NQ8237CFSE465Z4YNKBD"

    init() throws {
        sample = try ServedSample()
        try sample.addSession(
            Array("bad".utf8),
            ["id": Self.badID, "start_time": "2026-02-04T20:47:00.000Z", "title": "Keeps changing"])
        let path = ServedSample.markerPath("01M847NQ8237CFSE465Z4YNKGD")
        let good = try sample.ask("PUT", path, json: ServedSample.marker("riff", at: 60_000))
        #expect(good.isWritten, "\(good)")
    }

    private static func markers(_ number: Int) -> String {
        #"{"id":"01M847NQ8237CFSE465Z4YNKBX","offset_ms":\#(60_000 + number % 1000),"created_at":"2026-02-04T20:48:00.000Z","#
            + #""source":"user","label":"riff \#(number)"}"# + "\n"
    }

    @Test(arguments: [
        "/search?q=riff", "/timeline?day=2026-02-04&zone=UTC&limit=1000",
        "/at?time=2026-02-04T20:48:00Z&within=2m",
    ])
    func `a session that keeps changing lacks in the answer, which says how many do`(path: String) throws {
        var answer = try sample.ask("GET", path)
        func names(_ id: String) -> Bool { String(decoding: answer.body, as: UTF8.self).contains(id) }
        let file = sample.session("bad").appending(path: "markers.jsonl")
        let changing = try ChangingFile(file, Self.markers)
        defer { changing.stop() }
        try soon("one session lacks: \(answer)") {
            answer = try sample.ask("GET", path)
            #expect(answer.status == 200 && names(ServedSample.lateSetID), "\(answer)")
            return answer["trace-left-out"] == "1"
        }
        #expect(!names(Self.badID), "\(answer)")
        changing.stop()
        try soon("all are there: \(answer)") {
            answer = try sample.ask("GET", path)
            return answer["trace-left-out"] == nil && names(Self.badID) && names(ServedSample.lateSetID)
        }
    }
}
