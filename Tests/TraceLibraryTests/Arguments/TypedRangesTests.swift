import RecordFormat
import Testing
import TraceFormat
import TraceStore
import TraceText

@testable import TraceLibrary

/// Ranges of offsets and moments as they are typed.
struct TypedRangesTests {
    private func offsets(_ lower: String?, _ upper: String?) throws -> ClosedRange<SessionOffset> {
        try OffsetRange.typed(from: lower, upTo: upper, OffsetRange.absolute)
    }

    @Test func `an end that was not typed is that of the session`() throws {
        #expect(try offsets(nil, nil) == OffsetRange.whole)
        #expect(try offsets("1:00", nil).lowerBound.milliseconds == 60_000)
        #expect(try offsets(nil, "1:00").upperBound.milliseconds == 60_000)
        #expect(try offsets("5s", "5s").lowerBound == offsets("5s", "5s").upperBound)
    }

    @Test func `a range that ends before it begins is an error that names both`() throws {
        let error = #expect(throws: LibraryError.self) { try offsets("2:00", "1:00") }
        #expect(error?.code == .rangeReversed && error?.cure?.text == "exchange the two")
        #expect(error?.message == "--offset-min 2:00.000 is after --offset-max 1:00.000")
        let other = #expect(throws: LibraryError.self) {
            try TimeArgument.range(
                from: "2026-02-05", upTo: "2026-02-04", named: RangeNames("since", "until"), in: { .utc })
        }
        #expect(other?.code == .rangeReversed && other?.message.hasPrefix("since ") == true)
    }

    @Test(arguments: ["now", "+5s", "end", "-5s"])
    func `an offset that is another place in each session is not absolute`(typed: String) {
        let error = #expect(throws: LibraryError.self) { try OffsetRange.absolute(typed) }
        #expect(error?.code == .offsetRelative)
    }

    @Test func `a day of moments is the whole day, and the zone is not asked for without a moment`() throws {
        let day = try #require(try TimeArgument.range(from: nil, upTo: "2026-02-04", in: { .utc }))
        #expect(day.upperBound.description == "2026-02-04T23:59:59.999Z")
        #expect(day.lowerBound.milliseconds == .min)
        struct Asked: Error {}
        #expect(try TimeArgument.range(from: nil, upTo: nil, in: { throw Asked() }) == nil)
    }
}
