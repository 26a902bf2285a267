import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore

@testable import TraceDigest

struct DigestReadingTests {
    let scratch: ScratchDirectory
    let sample: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        sample = try SampleSession(at: scratch("set"))
    }

    private func knowledge() throws -> DigestReading.Overview {
        DigestReading.Overview(try Inspection(of: sample.path, settleTime: .zero))
    }

    private func digest() throws -> Digest {
        try DigestReading(sample.path, settleTime: .zero).digest(listing: Digest.pageLimit) {
            try knowledge()
        }
    }

    /// The digest of all records that count, held in memory.
    private func expected() throws -> Digest {
        let inspection = try Inspection(of: sample.path, settleTime: .zero)
        let open = try SessionReader(sample.path)
        return Digest(
            session: inspection.session, markers: try open.authoritative(.marker) { Marker($0) }.map(\.value),
            voiceNotes: try open.authoritative(.voiceNote) { VoiceNote($0) }.map(\.value),
            actions: try open.authoritative(.action) { ActionRun($0) }.map(\.value),
            findings: inspection.findings)
    }

    private static func marker(_ id: Int, at offset: Int, _ more: String = "") -> String {
        """
        {"id":"\(number(id))","offset_ms":\(offset),"created_at":"2026-02-05T08:00:00.000Z","source":"user"\(more)}

        """
    }

    private static func voiceNote(_ id: Int, at offset: Int, _ more: String = "") -> String {
        """
        {"id":"\(number(id))","created_at":"2026-02-05T08:00:00.000Z","media_path":"media/a.m4a","offset_ms":\(offset),\
        "duration_ms":5\(more)}

        """
    }

    private static func action(_ id: Int, _ status: String) -> String {
        """
        {"id":"\(number(id))","action":"export","created_at":"2026-02-05T08:00:00.000Z","status":"\(status)"}

        """
    }

    @Test(arguments: [true, false])
    func `a file that is another one by now, or shorter, is read with new knowledge`(isAnother: Bool) throws {
        try sample("markers.jsonl").write(Self.marker(10, at: 1000) + Self.marker(11, at: 2000))
        var asked = 0
        let digest = try DigestReading(sample.path, settleTime: .zero).digest(
            listing: Digest.pageLimit
        ) {
            asked += 1
            let known = try knowledge()
            if asked == 1, isAnother {
                let text = Self.marker(12, at: 3000) + Self.marker(13, at: 4000) + Self.marker(14, at: 5000)
                try sample("other").write(text)
                try #require(rename(sample("other").string, sample("markers.jsonl").string) == 0)
            } else if asked == 1 {
                try sample("markers.jsonl").write(Self.marker(12, at: 3000))
            }
            return known
        }
        #expect(asked == 2)
        #expect(try digest == expected())
    }

    @Test(arguments: 0..<20) func `what goes by is what would be held in memory`(seed: Int) throws {
        var random = SystemRandomNumberGenerator()
        func one(of count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        let tags = [
            "", "\"highlight\"", "\"fix-review\"", "\"fix-review\",\"highlight\"", "\"solo\"",
            "\"structure\"",
        ]
        var markers = ""
        for _ in 0..<(seed * 3) {
            switch one(of: 12) {
            case 0: markers += "{\"id\":\n"
            case 1: markers += "{\"offset_ms\":5}\n\r\n"
            case 2: markers += Self.marker(100 + one(of: 30), at: -5)
            default:
                markers += Self.marker(
                    100 + one(of: 30), at: one(of: 5000),
                    ",\"tags\":[\(tags[one(of: tags.count)])]"
                        + (one(of: 3) == 0 ? ",\"note\":\"\(["", " ", "why"][one(of: 3)])\"" : "")
                        + (one(of: 5) == 0 ? ",\"voice_note_id\":\"\(number(200 + one(of: 12)))\"" : "")
                        + (one(of: 5) == 0 ? ",\"duration_ms\":\(one(of: 9000))" : ""))
            }
        }
        try sample("markers.jsonl").write(markers + (seed % 2 == 0 ? "" : "{\"torn"))
        try sample("voice_notes.jsonl").write(
            (0..<(seed / 2)).map { _ in
                Self.voiceNote(
                    200 + one(of: 12), at: one(of: 6000),
                    one(of: 2) == 0 ? "" : ",\"marker_id\":\"\(number(100 + one(of: 35)))\"")
            }.joined())
        try sample("actions.jsonl").write(
            (0..<(seed / 3)).map { _ in
                Self.action(300 + one(of: 15), ["started", "failed", "succeeded"][one(of: 3)])
            }.joined())
        if seed % 3 == 0 {
            try sample("session.json").write(
                try sample("session.json").text().replacing(
                    "\"active\"", with: "\"closed\",\"duration_ms\":4000"))
        }
        let (seen, wanted) = (try digest(), try expected())
        #expect(seen == wanted, "\(markers)")
        #expect(seen.json().bytes == wanted.json().bytes)
    }

    @Test func `what is appended meanwhile belongs to the next reading`() throws {
        try sample("markers.jsonl").write(Self.marker(100, at: 5, ",\"label\":\"old\""))
        let digest = try DigestReading(sample.path, settleTime: .zero).digest {
            let known = try knowledge()
            try sample("markers.jsonl").write(
                Self.marker(100, at: 5, ",\"label\":\"old\"") + Self.marker(100, at: 7, ",\"label\":\"new\"")
                    + Self.marker(101, at: 9))
            return known
        }
        #expect(digest.markerCount == 1)
        #expect(digest.notable.items.map(\.marker.label) == ["old"])
    }

    @Test func `files that are rewritten meanwhile are read again, and that has an end`() throws {
        try sample("markers.jsonl").write(Self.marker(100, at: 5))
        var count = 0
        func rewrite() throws {
            count += 1
            try OpenDirectory(sample.path).replaceFile(
                "markers.jsonl", with: Array(Self.marker(100 + count, at: 5).utf8),
                expecting: OpenDirectory(sample.path).status(of: "markers.jsonl", followingLinks: true)
                    .identity)
        }
        let digest = try DigestReading(sample.path, settleTime: .zero).digest {
            let known = try knowledge()
            if count == 0 { try rewrite() }
            return known
        }
        #expect(digest.notable.items.map(\.marker.id) == [number(101)])
        expectError(
            .changedMeanwhile,
            """
            \(sample.path): its files kept changing while they were read [changed-meanwhile]
              hint: wait until the program that writes them has finished, then try again
            """
        ) {
            try DigestReading(sample.path, settleTime: .zero).digest {
                let known = try knowledge()
                try rewrite()
                return known
            }
        }
    }

    @Test func `an edit is written only over the text that it began with`() throws {
        let writer = SessionWriter(sample.path)
        #expect(try writer.editDigest(from: nil, to: Array("# One\n".utf8)))
        #expect(try !writer.editDigest(from: Array("# One\n".utf8), to: Array("# One\n".utf8)))
        expectError(
            .changedMeanwhile,
            "\(sample.path)/digest.md: it has been changed since by someone else [changed-meanwhile]"
        ) { try writer.editDigest(from: Array("# Old\n".utf8), to: Array("# Two\n".utf8)) }
        #expect(try sample("digest.md").text() == "# One\n")
    }
}
