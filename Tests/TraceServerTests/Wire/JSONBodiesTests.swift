import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Bodies that are not what they should be: refused with what is wrong, and the session stays as it is.
struct JSONBodiesTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    private static let members = #""offset_ms":1,"created_at":"2026-02-05T10:00:00.000Z","source":"user""#

    private static let markers: [(what: String, body: Data)] = [
        ("1 MiB and 1 byte", Data(repeating: 0x20, count: (1 << 20) + 1)),
        ("depth 10,000", text(#"{\#(members),"label":\#(nested)}"#)),
        ("a key twice", text(#"{\#(members),"label":"a","label":"b"}"#)),
        ("the id twice", text(#"{"id":"\#(number(1))","id":"\#(number(1))",\#(members)}"#)),
        ("1e400", text(#"{"offset_ms":1e400,"created_at":"2026-02-05T10:00:00.000Z","source":"user"}"#)),
        ("a byte order mark", Data([0xEF, 0xBB, 0xBF]) + text("{\(members)}")),
        ("UTF-16", "{\(members)}".data(using: .utf16) ?? Data()), ("bytes behind it", text("{\(members)}x")),
        ("two objects", text("{\(members)}{\(members)}")), ("an array", text("[]")), ("null", text("null")),
        ("a cut object", text("{\(members)")),
        ("no UTF-8", text(#"{\#(members),"label":""#) + Data([0xFF]) + text("\"}")),
        ("half a surrogate pair", text(#"{\#(members),"label":"\ud800"}"#)),
        ("a key that is unknown to the format", text(#"{\#(members),"colour":"red"}"#)),
        ("no offset", text(#"{"created_at":"2026-02-05T10:00:00.000Z","source":"user"}"#)),
        (
            "a negative offset",
            text(#"{"offset_ms":-1,"created_at":"2026-02-05T10:00:00.000Z","source":"user"}"#)
        ),
        (
            "half a millisecond",
            text(#"{"offset_ms":0.5,"created_at":"2026-02-05T10:00:00.000Z","source":"user"}"#)
        ),
        ("a comment", text("{\(members)/**/}")), ("a comma too many", text("{\(members),}")),
    ]

    private static let nested = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)

    private static func text(_ text: String) -> Data { Data(text.utf8) }

    private func expectRefused(_ answer: WireAnswer, _ what: String) {
        #expect([413, 422].contains(answer.status), "\(what): \(answer)")
        #expect((answer.object["detail"] as? String ?? "").count > 10, "\(what): \(answer)")
    }

    /// One after the other, with one daemon.
    @Test func `bodies that are refused leave everything as it is`() throws {
        try `a body that is not a marker is refused`()
        try `a body that is not the object that an address takes is refused`()
        try `what is wrong with JSON is told with its place`()
    }

    private func `a body that is not a marker is refused`() throws {
        let before = try sample.filesOfSessions()
        for (what, body) in Self.markers {
            expectRefused(
                try sample.send("PUT", ServedSample.markerPath(number(1)), "application/json", body), what)
        }
        #expect(try sample.filesOfSessions() == before)
        #expect(try sample.ask("GET", "/queue").rows.isEmpty)
        // The id was not used up by what was refused.
        let good = try sample.ask("PUT", ServedSample.markerPath(number(1)), json: "{\(Self.members)}")
        #expect(good.isWritten, "\(good)")
    }

    private func `a body that is not the object that an address takes is refused`() throws {
        for (method, path, member) in [
            ("PUT", "/sessions/\(ServedSample.lateSetID)/position", "offset_ms"),
            ("POST", "/sessions/\(ServedSample.lateSetID)/markers", "offset"),
            ("PUT", "/sessions/\(number(9))", "title"),
            ("PUT", "/sessions/\(ServedSample.lateSetID)/actions/\(number(8))", "action"),
            ("POST", "/pair", "code"),
            ("POST", "/sessions/\(ServedSample.activeID)/digest/generate", "force"),
            ("PATCH", ServedSample.markerPath(ServedSample.lateSetMarker), "label"),
            (
                "PATCH", "/sessions/\(ServedSample.lateSetID)/voice-notes/01KGN7V9R050HV73NN3GQ46B6M",
                "transcript_text"
            ),
        ] {
            let before = try sample.filesOfSessions()
            let fields = method == "PATCH" ? [("If-Match", "\"none\"")] : []
            for json in [
                #"{"unknown":1}"#, #"{"\#(member)":null,"\#(member)":null}"#,
                #"{"\#(member)":\#(Self.nested)}"#,
                #"{"\#(member)":1e400}"#, #"{"\#(member)":{}}"#, #"{"\#(member)":[]}"#, "\u{FEFF}{}", "{}x",
                "[]", "null", "\"x\"",
                #"{"\#(member)":"\ud800"}"#, #"{"\#(member)":"#,
            ] {
                expectRefused(try sample.ask(method, path, fields, json: json), json)
            }
            let large = Data(repeating: 0x20, count: (1 << 20) + 1)
            let answer = try sample.send(method, path, "application/json", large, fields)
            #expect(answer.status == 413, "\(answer)")
            #expect(answer["connection"] == "close", "the rest of the body is not the next request")
            #expect(try sample.filesOfSessions() == before)
        }
    }

    private func `what is wrong with JSON is told with its place`() throws {
        let path = "/sessions/\(ServedSample.lateSetID)/position"
        for json in [#"{"offset_ms":1}x"#, #"{"offset_ms":1e400}"#, #"{"offset_ms":}"#] {
            let answer = try sample.ask("PUT", path, json: json)
            let detail = answer.object["detail"] as? String ?? ""
            #expect(detail.contains(#/byte \d+/#), "\(json): \(answer)")
        }
    }
}
