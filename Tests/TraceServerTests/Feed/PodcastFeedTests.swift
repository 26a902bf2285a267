import RecordFormat
import TestSupport
import Testing
import TraceFormat

@testable import TraceServer

/// Episodes that an app would take for one.
struct PodcastFeedTests {
    private func episode(_ title: String, _ published: String?) -> PodcastFeed.Episode {
        PodcastFeed.Episode(
            title: title, guid: title, published: published.flatMap { Timestamp($0) }, description: "",
            audio: "a.m4a", size: 1, type: "audio/mp4", duration: nil, chapters: "a.json", transcript: nil)
    }

    private func titles(
        _ episodes: [(String, String?)], in zone: ZoneRules = .utc
    ) -> [String] {
        PodcastFeed(
            title: "Feed", link: "http://a/", address: "http://a/feed.xml", image: nil, language: "en",
            episodes: episodes.map { episode($0.0, $0.1) }, in: zone
        ).episodes.map(\.title)
    }

    @Test func `of one title and one day, each has its time`() {
        #expect(
            titles([
                ("Rehearsal", "2026-02-04T20:00:00Z"), ("Rehearsal", "2026-02-04T19:00:00Z"),
                ("rehearsal", "2026-02-04T18:00:00Z"), ("Late set", "2026-02-04T18:00:00Z"),
                ("Rehearsal", "2026-02-03T18:00:00Z"),
            ]) == ["Rehearsal (20:00)", "Rehearsal (19:00)", "rehearsal (18:00)", "Late set", "Rehearsal"])
    }

    @Test func `of one minute, too, each has a number, and no title is one that another has`() {
        #expect(
            titles([
                ("Set", "2026-02-04T20:00:00Z"), ("Set", "2026-02-04T20:00:30Z"),
                ("Set (20:00)", "2026-02-04T12:00:00Z"), ("Set", nil), ("Set", nil),
            ]) == ["Set (20:00) 2", "Set (20:00) 3", "Set (20:00)", "Set 1", "Set 2"])
    }

    @Test func `a day is one of the zone, and one of UTC`() throws {
        let zone = try #require(
            ZoneRules(rule: "TST-3"))
        #expect(
            titles([("Set", "2026-02-04T22:00:00Z"), ("Set", "2026-02-05T01:00:00Z")], in: zone)
                == ["Set (01:00)", "Set (04:00)"])
        #expect(
            titles([("Set", "2026-02-04T20:00:00Z"), ("Set", "2026-02-05T22:00:00Z")], in: zone) == [
                "Set", "Set",
            ])
    }
}
