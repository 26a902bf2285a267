import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// What repair does to the sample sessions.
struct RepairSampleTests {
    static let samples = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent()
        .removingLastComponent().appending("sessions-sample").appending("sessions")

    let scratch: ScratchDirectory
    let session: FilePath

    init() throws {
        scratch = try ScratchDirectory()
        session = scratch("set")
    }

    /// A copy of a sample whose files have rested.
    private func copy(_ name: FilePath.Component) throws {
        let source = Self.samples.appending(name)
        var failure: (any Error)?
        try OpenDirectory.make(session)
        DirectoryWalker(root: source).walk { entry in
            var path = session
            path.components.append(contentsOf: entry.path.components.dropFirst(source.components.count))
            do {
                if entry.kind == .directory {
                    try OpenDirectory.make(path)
                } else {
                    // Media are looked for, not read.
                    let isMedia = entry.path.removingLastComponent().lastComponent == "media"
                    try path.write(isMedia ? "sound" : entry.path.text())
                }
            } catch { failure = error }
            return .descend
        } report: {
            failure = $0
        }
        if let failure { throw failure }
    }

    private func repair() -> SessionRepair {
        SessionRepair(SessionWriter(session), keptIn: scratch("state"), settleTime: .zero, now: { morning })
    }

    @Test(arguments: ["2026-02-04-late-set", "2026-02-11-loop-practice"] as [FilePath.Component])
    func `the sessions in order have nothing to mend`(name: FilePath.Component) throws {
        try copy(name)
        let before = try tree(of: scratch.path)
        let plan = try repair().run().plan
        #expect(plan.fixes.isEmpty && plan.unresolved.isEmpty && plan.waiting.isEmpty)
        #expect(try tree(of: scratch.path) == before)
    }

    @Test func `of the broken rehearsal six things are mended, and the rest is named`() throws {
        try copy("2026-01-28-rehearsal-broken")
        let before = try tree(of: session)
        let outcome = try repair().run()
        let copy = "markers.sync-conflict-20260128-221503-K3JQ2PZ.jsonl"
        #expect(
            outcome.plan.fixes.map(\.description) == [
                "timeline.jsonl: lines sorted by offset_ms (1 line was out of order) [line-order]",
                "markers.jsonl: torn last line (126 bytes without a newline) set aside: "
                    + "the text ends in the middle of a string [torn-line]",
                "markers.jsonl: 1 id in lower case changed to upper case: id on line 7 [id-case]",
                "markers.jsonl: \(copy) merged: 1 new line [conflict-copy]",
                "session.json: 1 time with an offset from UTC written in UTC, with Z: updated_at [utc-time]",
                "session.json: voice_notes_path set to voice_notes.jsonl, which exists [path]",
            ])
        #expect(
            outcome.plan.unresolved.map { "\($0.place.file):\($0.place.line) \($0.rule?.id ?? "")" }
                == Self.left)

        var expected = before
        expected[copy] = nil
        expected["session.json"] = before["session.json"]?.replacing(
            "\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\""
        ).replacing("2026-01-28T22:15:44.300+01:00", with: "2026-01-28T21:15:44.300Z")
        let timeline = try #require(before["timeline.jsonl"]).split(separator: "\n")
        expected["timeline.jsonl"] = [0, 2, 1].map { "\(timeline[$0])\n" }.joined()
        expected["markers.jsonl"] = try Self.merged(
            try #require(before["markers.jsonl"]), try #require(before[copy]))
        #expect(try tree(of: session) == expected)

        let kept = try tree(of: try #require(outcome.kept.first))
        #expect(
            kept
                == before.filter {
                    ["session.json", "timeline.jsonl", "markers.jsonl", copy].contains($0.key)
                })
        #expect(try repair().plan().isEmpty)
    }

    /// The lines in the order of their times, since neither version has all: line 4 is later than lines 5 to
    /// 9; line 10, the NUL bytes, stays behind line 9; line 11 has no time that exists and comes last; the
    /// copy's own line is new.
    private static func merged(_ file: String, _ copy: String) throws -> String {
        let lines = file.replacing("01kg338pb07b2tx9bpv7b563we", with: "01KG338PB07B2TX9BPV7B563WE")
            .split(separator: "\n").map(String.init)
        let new = try #require(copy.split(separator: "\n").last.map(String.init))
        // Line 7, with its id in lower case, stands where its time puts it.
        return ([1, 2, 3, 5, 6, 7, 8, 9, 10, 4, 12].map { lines[$0 - 1] } + [new, lines[10]])
            .map { $0 + "\n" }.joined()
    }

    private static let left = [
        "session.json:0 closed-duration-missing", "session.json:0 closed-end-time-missing",
        "timeline.jsonl:0 session-end-missing",
        "markers.jsonl:3 key-unknown", "markers.jsonl:4 tag-malformed",
        "markers.jsonl:5 marker-voice-note-missing",
        "markers.jsonl:7 number-negative", "markers.jsonl:9 nul-bytes",
        "markers.jsonl:10 type-mismatch", "markers.jsonl:13 timestamp-impossible",
        "voice_notes.jsonl:2 media-missing",
        "voice_notes.jsonl:3 id-duplicate",
    ]
}
