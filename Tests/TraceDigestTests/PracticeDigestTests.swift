import FormatHarness
import RecordFormat
import Testing
import TraceFormat
import TraceText

@testable import TraceDigest

struct PracticeDigestTests {
    private static func entry(_ number: Int, day: Int64, length: Int64 = 600_000, markers: Int = 1)
        -> CombinedDigest.Entry
    {
        var session = RecordSample.session(title: "Set \(number)", length: length)
        session.startTime = RecordSample.start.adding(SessionOffset(milliseconds: day * 86_400_000))
        let fixes = (0..<markers).map {
            RecordSample.marker(number * 100 + $0, at: Int64($0) * 1000, tags: ["fix-review"])
        }
        return .init(Digest(session: session, markers: fixes), path: "/srv/\(number)")
    }

    @Test func `the order of the sessions does not matter`() throws {
        let entries = (0..<6).map { Self.entry($0, day: Int64($0 % 4)) }
        let expected = CombinedDigest(entries)
        for _ in 0..<10 {
            let shuffled = CombinedDigest(entries.shuffled())
            #expect(shuffled.markdown() == expected.markdown())
            #expect(shuffled.html() == expected.html())
            #expect(shuffled.json().bytes == expected.json().bytes)
        }
    }

    @Test func `days without a session stand between those with one, as long as they are few`() {
        let near = CombinedDigest([Self.entry(1, day: 0), Self.entry(2, day: 3), Self.entry(3, day: 3)])
        #expect(near.days.map(\.sessionCount) == [1, 0, 0, 2])
        #expect(near.days.map(\.weekday) == ["Wed", "Thu", "Fri", "Sat"])
        #expect(near.facts == ["3 sessions", "2 days", "30:00"])
        let far = CombinedDigest([Self.entry(1, day: 0), Self.entry(2, day: 400)])
        #expect(far.days.map(\.date) == ["2026-02-04", "2027-03-11"])
    }

    @Test func `the numbers count everything, the lists are capped`() {
        let digest = CombinedDigest((0..<40).map { Self.entry($0, day: Int64($0), markers: 30) })
        #expect(digest.sessions.items.count == 30)
        #expect(digest.sessions.more == 10)
        #expect(digest.sessions.items.first?.path == "/srv/10")
        #expect(digest.markerCount == 1200)
        #expect(digest.fixes.items.count == 20)
        #expect(digest.fixes.more == 1180)
        #expect(digest.days.count == 14)
        #expect(digest.markdown().contains("- +10 earlier\n"))
    }

    @Test func `no session at all says so`() {
        let none = CombinedDigest([])
        #expect(none.markdown() == "# Practice\n\nNo sessions.\n")
        #expect(none.terminal(columns: 80, styled: true).text == "No sessions.\n")
        #expect(none.html().contains("<p class=\"facts\">No sessions.</p>"))
    }

    @Test func `numbers at the end of their range are no trap`() {
        let entries = [1, 2].map { Self.entry($0, day: Int64($0) * 100_000, length: .max) }
        #expect(CombinedDigest(entries).markdown().contains("2 sessions"))
    }
}
