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
            ("markers (In Konflikt stehende Kopie von Ann 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (Anns in Konflikt stehende Kopie 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (Copie en conflit de Ann 2026-02-04).jsonl", "markers.jsonl"),
            ("timeline (Copia en conflicto de Ann 2026-02-04).jsonl", "timeline.jsonl"),
            ("markers (Copia conflictiva de Ann 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (Copia in conflitto di Ann 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (C\u{F3}pia em conflito de Ann 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (Co\u{301}pia em conflito de Ann 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (Ann の競合コピー 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (Ann 的冲突副本 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (Case Conflict).jsonl", "markers.jsonl"),
            // Maestral, Nextcloud, Seafile, Synology Drive, rclone.
            ("markers (conflicting copy 2026-02-04).jsonl", "markers.jsonl"),
            ("markers (conflicting copy).jsonl", "markers.jsonl"),
            ("markers (case clash from anna 2026-02-04 120000).jsonl", "markers.jsonl"),
            ("session (SFConflict anna@example.org 2026-02-04-12-00-00).json", "session.json"),
            ("markers_HOMESERVER_Feb-04-120000-2026_Conflict.jsonl", "markers.jsonl"),
            ("voice_notes_Anna_s_Mac_Feb-04-1200-2026_CaseConflict.jsonl", "voice_notes.jsonl"),
            ("markers.conflict1.jsonl", "markers.jsonl"), ("markers.jsonl.conflict2", "markers.jsonl"),
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
        // OneDrive's, which people write, too; browsers' and Google Drive's.
        "markers-HOMESERVER.jsonl", "markers-OLD.jsonl", "markers (1).jsonl",
        "markers_HOMESERVER_Conflict.jsonl", "markers_Feb-04-120000-2026_Conflict.jsonl",
        "markers.conflict.jsonl",
        "markers.jsonl.conflict", "markers.jsonl.conflict1.tmp", "markers (Konflikt).jsonl",
        "markers (in Konflikt stehende).jsonl",
    ])
    func `what only looks like one is left alone`(name: String) {
        #expect(JournalLayout.session.original(of: name) == nil)
    }

    // MARK: - Names by which nothing is read

    @Test(arguments: [
        ("Markers.jsonl", "markers.jsonl"), ("MARKERS.JSONL", "markers.jsonl"),
        ("markers.JSONL", "markers.jsonl"),
        ("Voice_Notes.jsonl", "voice_notes.jsonl"), ("Digest.md", "digest.md"),
        ("Session.json", "session.json"),
        ("markers.jsonl", nil), ("Other.jsonl", nil), ("Markers 2.jsonl", nil),
    ])
    func `case counts in names`(name: String, original: String?) {
        #expect(JournalLayout.session.fileInOtherCase(name) == original)
    }

    @Test(arguments: [
        ("markers-HOMESERVER.jsonl", true), ("markers (1).jsonl", true), ("session-HOMESERVER.json", true),
        ("Markers 2.jsonl", true), ("take.jsonl", true), ("old/markers", false), ("markers.jsonl", false),
        ("Markers.jsonl", false), ("markers 2.jsonl", false), ("markers.jsonl.bak", false),
        ("notes.txt", false),
        (".markers-x.jsonl", false), ("settings.json", false), ("digest-HOMESERVER.md", false),
    ])
    func `a file may hold records if its name is made of that of such a file, or it is one of lines`(
        name: String, mayHoldRecords: Bool
    ) {
        #expect(JournalLayout.session.mayHoldRecords(name) == mayHoldRecords)
        #expect(JournalLayout.session.matters(name) || !mayHoldRecords)
    }

    @Test(arguments: [
        (#"{"id":"01KGN6Z5BM0000000000000010"}"# + "\n{", true),
        ("{\n  \"id\": \"01KGN6Z5BM0000000000000001\"\n}\n", true),
        (#"{"id":"x"}"#, false), ("", false), ("\n\n", false), ("{", false), ("[1]", false),
        ("{\"line\":1}\n", false),
    ])
    func `a record is an object with an id`(text: String, isRecord: Bool) {
        #expect(JournalLayout.holdsRecord(Array(text.utf8)) == isRecord)
    }
}
