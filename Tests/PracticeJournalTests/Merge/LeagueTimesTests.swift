import PracticeJournal
import RecordFormat
import Testing

/// Apps move the times of imported league scores, and of their rows, to the evening where the phone is.
struct LeagueTimesTests {
    private static func golden() throws -> GoldenCase {
        try #require(GoldenCase.all(of: "practice-newest") { $0.name == "league-times" }.first)
    }

    /// The golden's document with the times that an app makes of it.
    private static func moved(_ times: GoldenValue, in golden: GoldenCase) throws -> PracticeDocument {
        var text = try golden.need("document").description
        for array in ["scoreEntries", "journalEntries"] {
            for (id, time) in try times.need(array).members {
                let record = try Regex(
                    "(\"id\": \"\(id)\"[^}]*\"timestamp\": )-?[0-9]+", as: (Substring, Substring).self)
                text = text.replacing(record) { "\($0.output.1)\(time)" }
            }
        }
        return try Scene.document(text.utf8)
    }

    private static let apps = ["ios", "android"]
    private static let zones = ["Europe/Berlin", "America/Detroit", "Pacific/Auckland"]

    @Test(arguments: apps, zones)
    func `a time that an app has moved says nothing, with a base and without`(app: String, zone: String)
        throws
    {
        let golden = try Self.golden()
        let start = try Scene.document(golden.need("document").bytes)
        let brought = try Self.moved(golden.need("expect").need(app).need(zone), in: golden)
        #expect(brought.bytes != start.bytes)
        var journal = try Journal(start)
        let before = journal.document.bytes
        try journal.hear(brought)
        #expect(journal.document.bytes == before)
        // What the device had does not matter: it is ours that counts.
        for other in Self.zones {
            let base = try Self.moved(golden.need("expect").need(app).need(other), in: golden)
            let said = try SyncState(
                from: DocumentValues(base), to: DocumentValues(brought),
                stamp: SyncStamp(milliseconds: .max, device: "phone"))
            #expect(try said.withoutMovedTimes(knowing: Journal(start).state).isEmpty)
        }
    }

    @Test(arguments: [
        ("s1", 172_799_999, false), ("s1", -172_799_999, false), ("s1", 172_800_000, true),
        ("s1", -172_800_000, true), ("s3", 1, true), ("r1", 3_600_000, false), ("r4", 3_600_000, true),
        ("r2", 3_600_000, false), ("r1", 172_800_000, true),
    ])
    func `a time counts that is of no import, or is moved by two days`(
        id: String, milliseconds: Int, counts: Bool
    ) throws {
        let golden = try Self.golden()
        let start = try Scene.document(golden.need("document").bytes)
        let old = try #require(
            ["scoreEntries", "journalEntries"].lazy.flatMap { golden["document"]?[$0]?.elements ?? [] }
                .first { $0.text("id") == id }?["timestamp"]?.integer)
        let times = GoldenValue(
            #"{"\#(id)":\#(old + milliseconds)}"#.utf8)
        let brought = try Self.moved(
            GoldenValue(
                #"{"scoreEntries":\#(id.hasPrefix("s") ? times.description : "{}"),"journalEntries":\#(id.hasPrefix("r") ? times.description : "{}")}"#
                    .utf8), in: golden)
        let said = try SyncState(
            DocumentValues(brought), beyond: Journal(start).state,
            stamp: SyncStamp(milliseconds: .max, device: "phone"))
        #expect(said.isEmpty != counts)
    }

    @Test func `other members of such a score count`() throws {
        let golden = try Self.golden()
        let start = try Scene.document(golden.need("document").bytes)
        var journal = try Journal(start)
        let text = try Self.moved(golden.need("expect").need("ios").need("Europe/Berlin"), in: golden)
        let brought = try Scene.document(
            String(decoding: text.bytes, as: UTF8.self).replacing("15000000", with: "16000000").utf8)
        let said = try SyncState(
            from: DocumentValues(start), to: DocumentValues(brought),
            stamp: SyncStamp(milliseconds: .max, device: "phone"))
        try journal.hear(said.withoutMovedTimes(knowing: journal.state))
        #expect(journal.document.scoreEntries.map(\.score) == [16_000_000, 700, 9_000, 42])
        #expect(journal.document.scoreEntries.map(\.time) == start.scoreEntries.map(\.time))
    }
}
