import RecordFormat
import Testing
import TraceFormat

/// Which names are conflict copies, and which only look like it. Source: docs/repair.md#merging-conflict-copies.
struct ConflictCopyTests {
    @Test(
        arguments: [
            // Syncthing, formerly without the device.
            ("markers.sync-conflict-20260204-120000-ABCDEFG.jsonl", "markers.jsonl"),
            ("markers.sync-conflict-20260128-221503-K3JQ2PZ.jsonl", "markers.jsonl"),
            ("markers.sync-conflict-20260204-120000.jsonl", "markers.jsonl"),
            ("session.sync-conflict-20260204-120000-2222222.json", "session.json"),
            ("digest.sync-conflict-20260204-120000-7777777.md", "digest.md"),
            // Nextcloud, with and without the user, and its old form.
            ("timeline (conflicted copy 2026-02-04 120000).jsonl", "timeline.jsonl"),
            ("transcript (conflicted copy anna 2026-02-04 120000).jsonl", "transcript.jsonl"),
            ("voice_notes (conflicted copy Anna B. 2026-02-04 120000).jsonl", "voice_notes.jsonl"),
            ("actions_conflict-20260204-120000.jsonl", "actions.jsonl"),
            ("actions_conflict-anna-maria-20260204-120000.jsonl", "actions.jsonl"),
            // Dropbox.
            ("markers (Anna's conflicted copy 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (Anna’s conflicted copy).jsonl", "markers.jsonl"),
            ("markers (Übersee-Mac's conflicted copy 2026-02-04 (1)).jsonl", nil),
            // iCloud.
            ("markers 2.jsonl", "markers.jsonl"), ("voice_notes 12.jsonl", "voice_notes.jsonl"),
            ("session 3.json", "session.json"), ("digest 99.md", "digest.md"),
            // Copies of copies.
            (
                "markers.sync-conflict-20260204-120000-ABCDEFG.sync-conflict-20260205-080000-BCDEFGH.jsonl",
                "markers.jsonl"
            ),
            ("markers 2 (conflicted copy 2026-02-04 120000).jsonl", "markers.jsonl"),
            ("markers.sync-conflict-20260204-120000-ABCDEFG 2.jsonl", "markers.jsonl"),
        ] as [(String, String?)])
    func `every form of every tool is told`(name: String, original: String?) {
        #expect(JournalLayout.session.original(of: name) == original)
    }

    @Test(arguments: [
        "", ".jsonl", "markers", "markers.jsonl", "markers.jsonl.bak", "markers.jsonl~", ".markers.jsonl.swp",
        ".markers.jsonl.icloud", ".syncthing.markers.jsonl.tmp", ".markers.jsonl.trace-tmp",
        "my markers 2.jsonl", "xmarkers 2.jsonl", "Markers 2.jsonl", "other 2.jsonl", "markers 2.jsonl.bak",
        "markers 2024.txt", "markers 2024.jsonl", "markers 1.jsonl", "markers 0.jsonl", "markers 02.jsonl",
        "markers 2 .jsonl", "markers  2.jsonl", "markers -2.jsonl", "markers 100.jsonl", "markers two.jsonl",
        "markers2.jsonl", "markers .jsonl", "markers 2", "markers 2.json", "markers 2.md", "session 2.jsonl",
        "markers 99999999999999999999.jsonl", "markers copy.jsonl", "markers (copy).jsonl",
        "markers (2).jsonl",
        "markers (conflicted).jsonl", "markers (unconflicted copy).jsonl",
        "markers (conflicted copying).jsonl",
        "markers (conflicted copy 2026-02-04 120000.jsonl", "markers conflicted copy.jsonl",
        "markers.sync-conflict-.jsonl", "markers.sync-conflict-notes.jsonl",
        "markers.sync-conflict-20260204.jsonl", "markers.sync-conflict-20260204-120000-ABC.jsonl",
        "markers.sync-conflict-20260204-120000-abcdefg.jsonl",
        "markers.sync-conflict-20260204-120000-ABCDEFGH.jsonl",
        "markers.sync-conflict-20260204-120000-ABCDEF1.jsonl", "markers_conflict-.jsonl",
        "markers_conflict-anna.jsonl", "markers_conflict-20260204-1200.jsonl",
        "markers.sync-conflict-20260204-120000-ABCDEFG.jsonl.tmp",
    ])
    func `what only looks like one is left alone`(name: String) {
        #expect(JournalLayout.session.original(of: name) == nil)
    }
}
