import RecordFormat
import Testing
import TraceText

@testable import TraceLibrary

/// What a moment that was typed means.
struct TimeArgumentTests {
    private let zone: ZoneRules
    /// A Wednesday, shortly after midnight where the person is.
    private let now: Timestamp

    init() throws {
        zone = try #require(ZoneRules(rule: "CET-1CEST,M3.5.0,M10.5.0/3"))
        now = try #require(Timestamp("2026-02-03T23:30:00Z"))
    }

    @Test(arguments: [
        ("20:15", "2026-02-04T19:15:00.000Z", "2026-02-04T19:15:59.999Z"),
        ("9:05:30", "2026-02-04T08:05:30.000Z", "2026-02-04T08:05:30.999Z"),
        ("2026-02-04T20:15:30.5", "2026-02-04T19:15:30.500Z", "2026-02-04T19:15:30.500Z"),
        ("2026-02-04 20:15Z", "2026-02-04T20:15:00.000Z", "2026-02-04T20:15:59.999Z"),
        ("2026-02-04T20:15-03:30", "2026-02-04T23:45:00.000Z", "2026-02-04T23:45:59.999Z"),
        ("today", "2026-02-03T23:00:00.000Z", "2026-02-04T22:59:59.999Z"),
        ("Yesterday", "2026-02-02T23:00:00.000Z", "2026-02-03T22:59:59.999Z"),
        ("wed", "2026-02-03T23:00:00.000Z", "2026-02-04T22:59:59.999Z"),
        ("thursday", "2026-01-28T23:00:00.000Z", "2026-01-29T22:59:59.999Z"),
        ("last week", "2026-01-25T23:00:00.000Z", "2026-02-01T22:59:59.999Z"),
        ("This week", "2026-02-01T23:00:00.000Z", "2026-02-08T22:59:59.999Z"),
        ("1w", "2026-01-27T23:00:00.000Z", "2026-01-28T22:59:59.999Z"),
        ("0d", "2026-02-03T23:00:00.000Z", "2026-02-04T22:59:59.999Z"),
        ("3d", "2026-01-31T23:00:00.000Z", "2026-02-01T22:59:59.999Z"),
        ("999w", "2006-12-12T23:00:00.000Z", "2006-12-13T22:59:59.999Z"),
        // 23 hours, since the clocks were set forward.
        ("2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.999Z"),
    ])
    func `where it begins and ends`(typed: String, first: String, last: String) throws {
        let time = try TimeArgument(typed, in: zone, now: now)
        #expect("\(time.first)" == first)
        #expect("\(time.last)" == last)
        #expect(time.warning == nil)
    }

    @Test func `what the clocks showed twice, or never, is doubted`() throws {
        let twice = try TimeArgument("2026-10-25T02:30", in: zone, now: now)
        #expect(
            twice.warning?.contains("showed that time twice; using the first, 2026-10-25 02:30:00 CEST")
                == true)
        let never = try TimeArgument("2026-03-29T02:30", in: zone, now: now)
        #expect(never.warning?.contains("skipped that time") == true)
    }

    @Test(arguments: [
        "", "noon", "2026-13-01", "2026-02-04T25:00", "20:15+1:00", "1:2:3:4", "w", "-1w", "1000w", "1.5d",
        "last  week",
    ])
    func `what is no moment`(typed: String) {
        #expect(throws: LibraryError.self) { try TimeArgument(typed, in: zone, now: now) }.map {
            #expect($0.code == .timeMalformed)
        }
    }

    @Test func `what has happened lies in the past`() throws {
        #expect("\(try TimeArgument.past("0:15", "--at", in: zone, now: now))" == "2026-02-03T23:15:00.000Z")
        let error = #expect(throws: LibraryError.self) {
            try TimeArgument.past("0:45", "--at", in: zone, now: now)
        }
        #expect(error?.code == .timeInFuture)
        #expect(error?.message == "--at '0:45' is 2026-02-04 00:45:00 CET, in the future")
    }
}
