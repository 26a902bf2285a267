import Foundation
import ProgramHarness
import RecordFormat
import TestSupport
import Testing

/// Devices whose clocks are wrong.
struct ClocksOverTheWireTests {
    private static let day: Int64 = 86_400_000
    private let sample: ServedSample
    private let live = "01KJ2NSG40V5Q0J8VY9E3M4C2D"

    init() throws { sample = try ServedSample(["TRACE_TIME_ZONE": "Europe/Berlin"]) }

    /// One after the other, with one daemon.
    @Test func `a mark is where it belongs, or the answer says that it may not be`() throws {
        #expect(try sample.ask("PUT", "/sessions/\(live)", json: #"{"title":"Live"}"#).status == 201)
        try `after one answer a device knows the server's time, however wrong its own is`()
        try `a moment of a device that has not asked is written as it says, with a warning`()
        try `a record is created when it says, with a warning if that can't be`()
        try `moments are in UTC, whatever the clocks of the place do`()
    }

    private func time(_ answer: WireAnswer) throws -> Int64 {
        try #require(answer["trace-time"].flatMap { Timestamp($0) }).milliseconds
    }

    private func start(of session: String) throws -> Int64 {
        let text = try sample.ask("GET", "/sessions/\(session)").object["start_time"] as? String
        return try #require(text.flatMap { Timestamp($0) }).milliseconds
    }

    private func put(_ number: Int, _ members: String, in session: String) throws -> WireAnswer {
        let answer = try sample.ask(
            "PUT", ServedSample.markerPath(ProgramHarness.number(number), in: session), json: "{\(members)}")
        #expect(answer.isWritten, "\(members): \(answer)")
        return answer
    }

    private func offset(_ answer: WireAnswer) throws -> Int64 {
        let record = try #require(answer.object["record"] as? [String: Any])
        return try #require((record["offset_ms"] as? NSNumber)?.int64Value)
    }

    private func warnings(_ answer: WireAnswer) -> String {
        (answer.object["warnings"] as? [String] ?? []).joined(separator: "; ")
    }

    private func `after one answer a device knows the server's time, however wrong its own is`() throws {
        let start = try start(of: live)
        // The last one has no clock yet, and begins with 1970.
        for (number, error) in [0, 3 * Self.day, -3 * Self.day, -Clock.milliseconds].enumerated() {
            func own() -> Int64 { Clock.milliseconds + error }
            let first = try time(sample.ask("GET", "//api/v1"))
            let skew = first - own()
            // Clocks are read to the millisecond.
            let moment = own() + skew - 1
            let at = Timestamp(milliseconds: moment)
            let answer = try put(number, #""at":"\#(at)","created_at":"\#(at)","source":"user""#, in: live)
            #expect(try offset(answer) == max(0, moment - start), "\(error): \(answer)")
            #expect(warnings(answer) == "", "\(error): \(answer)")
            // What is left of the error is less than the request took.
            let last = try time(answer)
            #expect(first - 1 <= moment && moment <= last, "\(error): \(first), \(moment), \(last)")
        }
    }

    private func `a moment of a device that has not asked is written as it says, with a warning`() throws {
        let now = Clock.milliseconds
        let start = try start(of: live)
        let fast = try put(10, #""at":"\#(Timestamp(milliseconds: now + 3 * Self.day))""#, in: live)
        #expect(try offset(fast) == now + 3 * Self.day - start)
        #expect(warnings(fast).contains("is in the session's future"), "\(fast)")
        let slow = try put(11, #""at":"\#(Timestamp(milliseconds: now - 3 * Self.day))""#, in: live)
        #expect(try offset(slow) == 0)
        #expect(warnings(slow).contains("'at' is before the session's start"), "\(slow)")
        // Sent again, it is the same.
        let path = ServedSample.markerPath(number(11), in: live)
        let again = try sample.ask(
            "PUT", path, json: #"{"at":"\#(Timestamp(milliseconds: now - 3 * Self.day))"}"#)
        #expect(again.status == 200, "\(again)")
    }

    private func `a record is created when it says, with a warning if that can't be`() throws {
        let now = Clock.milliseconds
        for (number, created, warning) in [
            (20, now + 3 * Self.day, "created_at is in the future"),
            (21, now - 3 * Self.day, "created_at is before the session's start"),
            (22, 0, "created_at is before the session's start"), (23, now, ""),
        ] {
            let text = "\(Timestamp(milliseconds: created))"
            let answer = try put(
                number, #""offset_ms":0,"created_at":"\#(text)","source":"user""#, in: live)
            #expect((answer.object["record"] as? [String: Any])?["created_at"] as? String == text)
            #expect(
                warning.isEmpty ? warnings(answer).isEmpty : warnings(answer).contains(warning), "\(answer)")
        }
    }

    private func `moments are in UTC, whatever the clocks of the place do`() throws {
        // On 30 March 2025 at 01:00 UTC the clocks of Berlin went from two to three, on 26 October from three to two.
        for (number, start, moment, local) in [
            (30, "2025-03-30T00:30:00.000Z", "2025-03-30T01:30:00Z", "2025-03-30T03:30"),
            (40, "2025-10-26T00:30:00.000Z", "2025-10-26T01:30:00Z", "2025-10-26T02:30%2B01:00"),
        ] {
            let id = ProgramHarness.number(700 + number)
            try sample.addSession(Array("clocks-\(number)".utf8), ["id": id, "start_time": start])
            let answer = try put(number, #""at":"\#(moment)""#, in: id)
            #expect(try offset(answer) == 3_600_000, "\(moment): \(answer)")
            let refused = try sample.ask(
                "PUT", ServedSample.markerPath(ProgramHarness.number(number + 1), in: id),
                json: #"{"at":"\#(moment.dropLast())+02:00"}"#)
            #expect(refused.status == 422 && refused.code == "member-malformed", "\(refused)")
            let found = try sample.ask("GET", "/at?time=\(local)").rows.first {
                $0["session_id"] as? String == id
            }
            #expect(found?["offset_ms"] as? Int == 3_600_000, "\(local): \(String(describing: found))")
        }
    }
}

/// This machine's clock.
private enum Clock {
    static var milliseconds: Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
}
