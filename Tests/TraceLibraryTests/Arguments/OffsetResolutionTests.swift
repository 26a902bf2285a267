import RecordFormat
import Testing
import TraceFormat
import TraceText

@testable import TraceLibrary

/// What an offset that was typed means in a session.
struct OffsetResolutionTests {
    private static let start = Timestamp(milliseconds: 1_770_278_400_000)

    /// A session that began ten minutes ago.
    private func resolution(
        _ status: Session.Status? = .active, end: Int64? = nil, marker: Int64? = 90_000,
        label: String? = "Too fast"
    ) -> OffsetResolution {
        var session = Session()
        session.status = status
        session.startTime = Self.start
        session.duration = end.map { SessionOffset(milliseconds: $0) }
        return OffsetResolution(
            session: session, clock: { status == nil ? nil : SessionClock(start: Self.start) },
            lastMarker: {
                marker.map { .init(offset: SessionOffset(milliseconds: $0), label: label) }
            }, now: Self.start.adding(SessionOffset(milliseconds: 600_000)))
    }

    @Test(arguments: [
        ("120000", "at 2:00.000 (120000 ms)"),
        ("now", "at 10:00.000 (600000 ms)"),
        ("end", "at 10:00.000 (600000 ms)"),
        ("now-10s", "at 9:50.000 (590000 ms), 10 s before now at 10:00.000"),
        ("-1.5s", "at 1:28.500 (88500 ms), 1.5 s before marker 'Too fast' at 1:30.000"),
        ("+2:05", "at 3:35.000 (215000 ms), 2:05 after marker 'Too fast' at 1:30.000"),
    ])
    func `a place and what it counts from`(typed: String, notice: String) throws {
        #expect(try resolution().place(typed).notice == notice)
    }

    @Test func `what lies outside of every session`() {
        let examples: [(Int64, String, LibraryError.Code)] = [
            (90_000, "-91s", .beforeStart), (.max, "+1ms", .offsetTooLarge),
        ]
        for (marker, typed, code) in examples {
            let error = #expect(throws: LibraryError.self) { try resolution(marker: marker).offset(typed) }
            #expect(error?.code == code)
        }
    }

    @Test func `a closed session ends, and has no present`() throws {
        let closed = resolution(.closed, end: 60_000, marker: nil)
        #expect(try closed.offset("end") == SessionOffset(milliseconds: 60_000))
        #expect(try closed.offset("61s", force: true) == SessionOffset(milliseconds: 61_000))
        for (typed, code) in [
            ("61s", LibraryError.Code.afterEnd), ("now", .notActive), ("+1s", .noLastMarker),
        ] {
            let error = #expect(throws: LibraryError.self) { try closed.offset(typed) }
            #expect(error?.code == code)
            #expect(error?.description.contains(code.rawValue) == false)
        }
        let broken = resolution(nil)
        #expect(throws: LibraryError.self) { try broken.offset("now") }.map {
            #expect($0.code == .noStartTime)
        }
        #expect(throws: LibraryError.self) { try broken.offset("end") }.map {
            #expect($0.code == .noDuration)
        }
    }

    @Test func `likely slips are doubted`() throws {
        let milliseconds = SessionOffset(milliseconds: 90)
        #expect(
            resolution().warnings("90", milliseconds) == ["'90' is milliseconds; did you mean 90s?"])
        #expect(resolution().warnings("90ms", milliseconds).isEmpty)
        #expect(
            resolution().warnings("20:00", SessionOffset(milliseconds: 1_200_000)) == [
                "20:00.000 is in the session's future: its clock is at 10:00.000"
            ])
    }
}
