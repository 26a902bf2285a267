import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Words of people that would be more than words elsewhere: they come back as they were sent, and are text wherever they are shown.
struct HostileTextsOverTheWireTests {
    private static let texts = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "]]>",
        "\u{202E}abc\u{2066}", "a\u{0}b", "a --> b\n\nNOTE x", "--force", "{{label}}", "',\"\t=1+1",
        "\r\nSet-Cookie: x=y", String(repeating: "x", count: 200_000),
    ]

    private static func json(_ members: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
    }

    @Test func `texts come back as they were sent, and nothing in them is markup`() throws {
        let sample = try ServedSample()
        let session = "/sessions/\(number(1))"
        #expect(try sample.ask("PUT", session, json: Self.json(["title": Self.texts[0]])).status == 201)
        #expect(try sample.ask("GET", session).object["title"] as? String == Self.texts[0])
        for (index, text) in Self.texts.enumerated() {
            let path = ServedSample.markerPath(number(100 + index), in: number(1))
            let marker = try Self.json(["offset_ms": (index + 1) * 1000, "label": text, "note": text])
            let answer = try sample.ask("PUT", path, json: marker)
            #expect(answer.isWritten, "\(index): \(answer.status)")
            let read = try sample.ask("GET", path)
            #expect(read["content-type"] == "application/json" && read["x-content-type-options"] == "nosniff")
            #expect(
                read.object["label"] as? String == text && read.object["note"] as? String == text, "\(index)")
            let action = "\(session)/actions/\(number(200 + index))"
            #expect(try sample.ask("PUT", action, json: Self.json(["action": text])).isWritten, "\(index)")
            #expect(try sample.ask("GET", action).object["action"] as? String == text, "\(index)")
        }
        #expect(try sample.ask("GET", "\(session)/markers").rows.count == Self.texts.count)
        try expectText(sample, "\(session)/digest", "text/html")
        try expectText(sample, "/digest", "text/html")
        for format in ["webvtt", "csv", "tsv", "jsonl", "audacity", "ffmetadata", "podcast"] {
            let file = try sample.ask("GET", "\(session)/export?format=\(format)")
            #expect(file.status == 200, "\(format)")
            #expect(file["set-cookie"] == nil, "\(format)")
            let again = try sample.send(
                "POST", "\(session)/import?format=\(format)&dry_run=true", "text/plain", file.body)
            #expect(again.status == 200, "\(format): \(again.status) \(again.code)")
            let count = ["added", "already_there", "differing"].compactMap { again.object[$0] as? Int }
            #expect(count.reduce(0, +) == Self.texts.count, "\(format): as many as were exported")
        }
        let found = try sample.ask("GET", "/search?q=alert&kind=marker")
        #expect(found.rows.count == 3 && found["content-type"] == "application/json", "\(found.rows.count)")
        let snippets = found.rows.compactMap { $0["snippet"] as? String }
        #expect(
            snippets.count == 3 && snippets.allSatisfy { $0.contains("\u{E000}alert\u{E001}") }, "\(snippets)"
        )
        try Binaries.trace(["validate", "\(number(1))"], in: sample.copy.directory)
    }

    private func expectText(_ sample: ServedSample, _ path: String, _ type: String) throws {
        let page = try sample.ask("GET", path, [("Accept", type)])
        #expect(page.status == 200 && page["content-security-policy"]?.contains("sandbox") == true)
        let text = page.text.lowercased()
        for markup in ["<script>alert", "<img", "href=\"javascript:", "onerror=alert(1)>"] {
            #expect(!text.contains(markup), "\(path): \(markup)")
        }
    }
}
