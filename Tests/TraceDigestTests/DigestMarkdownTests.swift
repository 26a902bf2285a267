import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceFormat
import TraceText

@testable import TraceDigest

@Suite struct `Digest as Markdown` {
    @Test func `a full session`() throws {
        let text = try DigestSample.full().markdown()
        try expectGolden(text, "full.md")
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 45)
    }

    @Test func `an empty session says so and has no sections`() throws {
        let text = Digest(session: RecordSample.session(title: ""), markers: []).markdown()
        try expectGolden(text, "empty.md")
        #expect(!text.contains("##"))
        #expect(!text.contains("```"))
    }

    @Test func `a session of which nothing is known`() {
        #expect(
            Digest(session: Session(), markers: []).markdown()
                == "# Untitled session\nstate unknown\n\nMarkers 0\n")
    }

    @Test func `an active session is as long as it has run`() throws {
        let session = RecordSample.session(status: .active, length: nil)
        let now = RecordSample.start.adding(SessionOffset(milliseconds: 5_000_000))
        let text = Digest(session: session, markers: DigestSample.markers, now: now).markdown()
        try expectGolden(text, "active.md")
        #expect(text.contains("1:23:20 so far · active"))
    }

    @Test func `without a clock an active session ends at its last offset`() {
        let session = RecordSample.session(status: .active, length: nil)
        let markers = [RecordSample.marker(1, at: 60000, duration: 30000), RecordSample.marker(2, at: 70000)]
        #expect(Digest(session: session, markers: markers).markdown().contains("1:30 so far"))
        #expect(Digest(session: session, markers: []).length == nil)
    }

    @Test func `a clock that runs behind does not make the length negative`() {
        let session = RecordSample.session(status: .active, length: nil)
        let before = RecordSample.start.adding(SessionOffset(milliseconds: -9000))
        let digest = Digest(session: session, markers: [RecordSample.marker(1, at: 4000)], now: before)
        #expect(digest.length == SessionOffset(milliseconds: 4000))
    }

    @Test func `the order of the input does not matter`() throws {
        let expected = try DigestSample.full()
        for _ in 0..<20 {
            let shuffled = try Digest(
                session: RecordSample.session(), markers: DigestSample.markers.shuffled(),
                voiceNotes: DigestSample.voiceNotes.shuffled(), actions: DigestSample.actions.shuffled(),
                findings: DigestSample.findings().shuffled())
            #expect(shuffled.markdown() == expected.markdown())
            #expect(
                shuffled.terminal(columns: 72, styled: true).text
                    == expected.terminal(columns: 72, styled: true).text)
            #expect(shuffled.json().bytes == expected.json().bytes)
        }
    }

    @Test func `words come before highlights, and highlights before others`() {
        let plain = (0..<20).map { RecordSample.marker($0, at: Int64($0) * 1000, "plain \($0)") }
        let highlights = (20..<28).map { RecordSample.marker($0, at: Int64($0) * 1000, tags: ["highlight"]) }
        let noted = RecordSample.marker(40, at: 40000, "noted", note: "why")
        let spoken = RecordSample.marker(41, at: 41000, "spoken")
        let digest = Digest(
            session: RecordSample.session(), markers: plain + highlights + [noted, spoken],
            voiceNotes: [RecordSample.voiceNote(1, at: 41000, "words", marker: 41)])
        #expect(digest.notable.items.map(\.marker) == highlights + [noted, spoken])
        #expect(digest.notable.more == 20)
        #expect(digest.markdown().contains("\n- +20 more\n"))
    }

    @Test func `a marker to fix is notable only as a highlight`() throws {
        let digest = try DigestSample.full()
        #expect(digest.fixes.items.map(\.marker.label) == ["Bass late", "Last chord"])
        #expect(!digest.notable.items.map(\.marker.label).contains("Bass late"))
        #expect(digest.notable.items.map(\.marker.label).contains("Last chord"))
    }

    @Test func `a voice note that is not there does not count`() {
        let digest = Digest(
            session: RecordSample.session(), markers: [RecordSample.marker(1, at: 0, voiceNote: 9)])
        #expect(digest.notable.items.first?.voiceNote == nil)
    }

    @Test func `ten thousand markers are quick`() {
        let markers = (0..<10000).map { number in
            RecordSample.marker(
                number, at: Int64(number * 7919 % 10000) * 432, String(repeating: "wörd ", count: 40),
                note: number % 3 == 0 ? "note" : nil, tags: [Marker.categories[number % 4]])
        }
        let time = CountedWork.processorTime {
            #expect(Digest(session: RecordSample.session(), markers: markers).markdown().utf8.count < 20000)
        }
        #expect(time < .seconds(10), "even in a debug build on a busy machine")
    }

    @Test func `numbers at the end of their range are no trap`() {
        let far = [
            RecordSample.marker(1, at: .max, duration: .max), RecordSample.marker(2, at: 0, duration: -5),
        ]
        for length in [nil, 0, 1, Int64.max] {
            let digest = Digest(session: RecordSample.session(length: length), markers: far)
            #expect(digest.markdown().contains("Markers 2"))
            #expect(digest.terminal(columns: 20, styled: true).text.contains("Markers 2"))
        }
    }

    @Test func `the categories are those of the format`() {
        #expect(MarkerCategory.allCases.map(\.rawValue) == Marker.categories)
    }
}
