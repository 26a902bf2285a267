import FormatHarness
import RecordFormat
import Testing
import TraceFormat
import TraceMedia

@testable import TraceDigest

/// Sessions as the tests of the digest need them.
enum DigestSample {
    static func finding(_ rule: String, line: Int, _ message: String) throws -> Finding {
        let place = Finding.Place(file: "markers.jsonl", line: line, byteOffset: line * 100)
        return try Finding(#require(Rule.named(rule)), at: place, message)
    }

    static let markers =
        [
            RecordSample.marker(1, at: 15000, "Drone in D", tags: ["structure"], duration: 76000),
            RecordSample.marker(2, at: 63000, tags: ["highlight"]),
            RecordSample.marker(3, at: 720_000, "Theme", tags: ["structure"], voiceNote: 1),
            RecordSample.marker(
                4, at: 1_500_000, "Answer", note: "Rings over the *drone*.", tags: ["highlight", "take-2"]),
            RecordSample.marker(5, at: 2_400_000, "Bass late", note: "Two bars.", tags: ["fix-review"]),
            RecordSample.marker(6, at: 2_401_000, tags: ["texture-sample"], duration: 36000),
            RecordSample.marker(7, at: 3_900_000, "Last chord", tags: ["highlight", "fix-review"]),
            RecordSample.marker(8, at: 4_000_000),
        ]
        + (9...16).map {
            RecordSample.marker($0, at: 2_700_000 + Int64($0) * 10000, "Bar \($0)", tags: ["structure"])
        }

    static let voiceNotes = [
        RecordSample.voiceNote(
            1, at: 721_000, "The theme breathes at this tempo. Keep eighty for the record."),
        RecordSample.voiceNote(2, at: 4_000_500, marker: 8),
        RecordSample.voiceNote(3, at: 3_000_000, String(repeating: "again and ", count: 40)),
    ]

    static let actions = [
        RecordSample.action(1, "loudness-report", .succeeded),
        RecordSample.action(2, "export-chapters", .started),
        RecordSample.action(3, "export-clips", .failed, error: "clip 2 of 5: no room left"),
    ]

    static func findings() throws -> [Finding] {
        try [
            finding("conflict-copy", line: 0, "a sync tool kept two versions"),
            finding(
                "marker-voice-note-missing", line: 3, "voice_note_id '01J' has no entry in voice_notes.jsonl"),
        ]
    }

    static func full() throws -> Digest {
        try Digest(
            session: RecordSample.session(), markers: markers, voiceNotes: voiceNotes, actions: actions,
            findings: findings())
    }

    static func audio(_ path: String, start: Int64 = 1700, length: Int64? = 880_000) -> MediaItem {
        var item = MediaItem(path: path, kind: .audio)
        item.startOffset = SessionOffset(milliseconds: start)
        item.duration = length.map(SessionOffset.init(milliseconds:))
        return item
    }

    /// All media that a session names, and a sound that swells.
    static func media(of digest: Digest) -> PageMedia {
        let paths = digest.session.media.map(\.path) + digest.voiceNotes.items.map(\.mediaPath)
        let peaks = (1...20).map { Waveform.Peak(least: Int8(-5 * $0), greatest: Int8(4 * $0)) }
        return PageMedia(
            base: "a%20set/", present: Set(paths),
            waveform: digest.session.media.isEmpty ? nil : Waveform(peaks: peaks, samplesPerPeak: 352_000))
    }

    /// A week with three sessions, one of them untitled and one that runs.
    static func practice() throws -> CombinedDigest {
        var monday = RecordSample.session(title: "Scales & <arpeggios>", length: 1_800_000)
        monday.startTime = RecordSample.start.adding(SessionOffset(milliseconds: -2 * 86_400_000))
        var friday = RecordSample.session(title: nil, status: .active, length: nil)
        friday.startTime = RecordSample.start.adding(SessionOffset(milliseconds: 2 * 86_400_000))
        let digests = [
            Digest(
                session: friday, markers: [RecordSample.marker(1, at: 60_000, "Groove|", tags: ["highlight"])]
            ),
            try full(),
            Digest(
                session: monday,
                markers: [RecordSample.marker(1, at: 754_250, "Too fast", tags: ["fix-review"])],
                actions: [RecordSample.action(1, "export", .failed, error: "no room")]),
        ]
        return CombinedDigest(
            digests.enumerated().map { .init($1, path: "/srv/\($0)", media: PageMedia(base: "\($0)/")) })
    }
}
