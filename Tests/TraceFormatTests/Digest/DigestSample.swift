import Testing

@testable import TraceFormat

/// Sessions as the tests of the digest need them.
enum DigestSample {
    static let start = Timestamp(milliseconds: 1_770_235_200_000)  // 2026-02-04T20:00:00Z

    /// The id with that number, and the same one for the same number.
    static func id(_ number: Int) -> ULID {
        ULID(time: 1, randomHigh: 0, randomLow: UInt64(number))
    }

    static func session(
        title: String? = "Late set", status: Session.Status? = .closed, length: Int64? = 4_320_000
    ) -> Session {
        var session = Session()
        session.id = id(1)
        session.title = title
        session.status = status
        session.startTime = start
        session.duration = length.map(SessionOffset.init(milliseconds:))
        return session
    }

    static func marker(
        _ number: Int, at offset: Int64, _ label: String? = nil, note: String? = nil, tags: [String] = [],
        duration: Int64? = nil, voiceNote: Int? = nil
    ) -> Marker {
        Marker(
            id: id(100 + number), offset: SessionOffset(milliseconds: offset), createdAt: start, label: label,
            note: note, tags: tags, duration: duration.map(SessionOffset.init(milliseconds:)),
            voiceNoteID: voiceNote.map { id(200 + $0) })
    }

    static func voiceNote(_ number: Int, at offset: Int64, _ transcript: String? = nil, marker: Int? = nil)
        -> VoiceNote
    {
        VoiceNote(
            id: id(200 + number), createdAt: start, mediaPath: "media/\(number).m4a",
            offset: SessionOffset(milliseconds: offset), duration: SessionOffset(milliseconds: 4000),
            transcript: transcript, markerID: marker.map { id(100 + $0) })
    }

    static func action(_ number: Int, _ name: String, _ status: ActionRun.Status, error: String? = nil)
        -> ActionRun
    {
        ActionRun(
            id: id(300 + number), action: name,
            createdAt: start + SessionOffset(milliseconds: Int64(number) * 60000),
            status: status, error: error)
    }

    static func finding(_ rule: String, line: Int, _ message: String) throws -> Finding {
        let place = Finding.Place(file: "markers.jsonl", line: line, byteOffset: line * 100)
        return try Finding(#require(Rule.named(rule)), at: place, message)
    }

    static let markers =
        [
            marker(1, at: 15000, "Drone in D", tags: ["structure"], duration: 76000),
            marker(2, at: 63000, tags: ["highlight"]),
            marker(3, at: 720_000, "Theme", tags: ["structure"], voiceNote: 1),
            marker(
                4, at: 1_500_000, "Answer", note: "Rings over the *drone*.", tags: ["highlight", "take-2"]),
            marker(5, at: 2_400_000, "Bass late", note: "Two bars.", tags: ["fix-review"]),
            marker(6, at: 2_401_000, tags: ["texture-sample"], duration: 36000),
            marker(7, at: 3_900_000, "Last chord", tags: ["highlight", "fix-review"]),
            marker(8, at: 4_000_000),
        ] + (9...16).map { marker($0, at: 2_700_000 + Int64($0) * 10000, "Bar \($0)", tags: ["structure"]) }

    static let voiceNotes = [
        voiceNote(1, at: 721_000, "The theme breathes at this tempo. Keep eighty for the record."),
        voiceNote(2, at: 4_000_500, marker: 8),
        voiceNote(3, at: 3_000_000, String(repeating: "again and ", count: 40)),
    ]

    static let actions = [
        action(1, "loudness-report", .succeeded), action(2, "export-chapters", .started),
        action(3, "export-clips", .failed, error: "clip 2 of 5: no room left"),
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
            session: session(), markers: markers, voiceNotes: voiceNotes, actions: actions,
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
        let peaks = (1...20).map { Waveform.Peak(least: Int16(-500 * $0), greatest: Int16(400 * $0)) }
        return PageMedia(
            base: "a%20set/", present: Set(paths),
            waveform: digest.session.media.isEmpty ? nil : Waveform(peaks: peaks, samplesPerPeak: 352_000))
    }

    /// A week with three sessions, one of them untitled and one that runs.
    static func practice() throws -> PracticeDigest {
        var monday = session(title: "Scales & <arpeggios>", length: 1_800_000)
        monday.startTime = start + SessionOffset(milliseconds: -2 * 86_400_000)
        var friday = session(title: nil, status: .active, length: nil)
        friday.startTime = start + SessionOffset(milliseconds: 2 * 86_400_000)
        let digests = [
            Digest(session: friday, markers: [marker(1, at: 60_000, "Groove|", tags: ["highlight"])]),
            try full(),
            Digest(
                session: monday, markers: [marker(1, at: 754_250, "Too fast", tags: ["fix-review"])],
                actions: [action(1, "export", .failed, error: "no room")]),
        ]
        return PracticeDigest(
            digests.enumerated().map { .init($1, path: "/srv/\($0)", media: PageMedia(base: "\($0)/")) })
    }
}
