import FormatHarness
import RecordFormat
import Testing
import TraceFormat
import TraceMedia
import TraceText

@testable import TraceDigest

@Suite struct `The timeline strip` {
    private func made(_ length: Int64, _ points: [(Int64, Character)]) -> TimelineStrip? {
        TimelineStrip(
            length: SessionOffset(milliseconds: length),
            points: points.map { .init(offset: SessionOffset(milliseconds: $0.0), letter: $0.1) })
    }

    @Test func `density, signs and times stand in sixty cells`() throws {
        let strip = try #require(
            made(
                3_600_000,
                [(0, "H"), (59999, "S"), (60000, "T"), (1_800_000, "F"), (3_599_999, "V"), (9_000_000, "•")]))
        let blank = { String(repeating: " ", count: $0) }
        let rows = strip.rows()
        #expect(rows[0].count == 60)
        #expect(rows[1] == "2T" + blank(28) + "F" + blank(28) + "2")
        #expect(rows[2] == "0:00" + blank(24) + "30:00" + blank(20) + "1:00:00")
        #expect(rows[0].allSatisfy { "▁▂▃▅▆▇".contains($0) })
        #expect(rows[0].first == "▇")
    }

    @Test func `the legend names the signs that are there`() throws {
        let few = try #require(made(3_600_000, [(0, "H"), (1_800_000, "•")]))
        #expect(few.legend() == ["height: markers · H highlight · • other"])
        let many = try #require(
            made(
                3_600_000,
                [(0, "H"), (1, "H"), (600_000, "V"), (1_800_000, "F"), (1_800_001, "F"), (1_800_002, "S")]
                    + Array(repeating: (3_000_000, "T"), count: 12)))
        #expect(
            many.legend() == ["height: markers · V voice note · 2–3 markers", "+ more than nine"])
        // In fewer columns they fall together.
        #expect(few.legend(columns: 1) == ["height: markers", "2 markers"])
    }

    @Test func `where there is sound, its height is how loud it was`() throws {
        let strip = try #require(made(60_000, [(0, "H")]))
        var session = RecordSample.session(length: 60_000)
        var recording = MediaItem(path: "media/review.m4a", kind: .audio)
        recording.startOffset = SessionOffset(milliseconds: 15_000)
        session.media = [recording]
        // A fiftieth of a second each: half a minute, the second half of it louder.
        let peaks = (0..<1500).map { Waveform.Peak(least: $0 < 750 ? -20 : -100, greatest: 10) }
        let sound = try #require(
            SoundLevels(
                Waveform(peaks: peaks, samplesPerPeak: 160), of: session,
                length: SessionOffset(milliseconds: 60_000)))
        let blank = String(repeating: " ", count: 15)
        let (quiet, loud) = (String(repeating: "▂", count: 15), String(repeating: "▇", count: 15))
        #expect(strip.rows(sound: sound)[0] == blank + quiet + loud)
        #expect(strip.rows(columns: 4, sound: sound)[0] == " ▂▇")
        #expect(strip.legend(columns: 60, isSound: true) == ["height: loudness · H highlight"])
    }

    @Test func `more than nine in a cell are a plus`() throws {
        let strip = try #require(made(60000, Array(repeating: (500, "H"), count: 10)))
        #expect(strip.rows()[1] == "+")
        #expect(strip.cells[0].count == 10)
    }

    @Test func `there is none without length or points`() {
        #expect(made(0, [(0, "H")]) == nil)
        #expect(made(1000, []) == nil)
    }

    @Test func `the largest numbers have their cell`() throws {
        let strip = try #require(made(.max, [(.max / 2, "H"), (.max, "S"), (.min, "T")]))
        #expect(strip.cells.firstIndex { $0.letter == "H" } == 29)
        #expect(strip.cells[59].letter == "S")
        #expect(strip.cells[0].letter == "T")
    }

    @Test(arguments: [1, 5, 11, 20, 21, 59, 60, 200])
    func `it fits into few columns and loses no point`(_ columns: Int) throws {
        let rows = try #require(made(7_200_000, [(0, "H"), (3_000_000, "S"), (7_100_000, "F")])).rows(
            columns: columns)
        #expect(rows.prefix(2).allSatisfy { $0.count <= columns })
        #expect(rows[2].count <= max(columns, 4))
        if columns >= 20 { #expect(rows[1].filter { $0 != " " } == "HSF") }
    }

    @Test func `a spoken note without marker is shown, one of a marker is not counted twice`() throws {
        let digest = Digest(
            session: RecordSample.session(length: 60000),
            markers: [RecordSample.marker(1, at: 0, voiceNote: 1)],
            voiceNotes: [RecordSample.voiceNote(1, at: 0), RecordSample.voiceNote(2, at: 30000)])
        let strip = try #require(digest.strip)
        #expect(strip.rows()[1] == "•" + String(repeating: " ", count: 29) + "V")
    }
}
