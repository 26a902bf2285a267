package import RecordFormat
package import TraceFormat

/// Records of a session as a test needs them, by few words.
package enum RecordSample {
    package static let start = Timestamp(milliseconds: 1_770_235_200_000)  // 2026-02-04T20:00:00Z

    /// The id with that number, and the same one for the same number.
    package static func id(_ number: Int) -> ULID {
        ULID(time: 1, randomHigh: 0, randomLow: UInt64(number))
    }

    package static func session(
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

    package static func marker(
        _ number: Int, at offset: Int64, _ label: String? = nil, note: String? = nil, tags: [String] = [],
        duration: Int64? = nil, voiceNote: Int? = nil
    ) -> Marker {
        Marker(
            id: id(100 + number), offset: SessionOffset(milliseconds: offset), createdAt: start, label: label,
            note: note, tags: tags, duration: duration.map(SessionOffset.init(milliseconds:)),
            voiceNoteID: voiceNote.map { id(200 + $0) })
    }

    package static func voiceNote(
        _ number: Int, at offset: Int64, _ transcript: String? = nil, marker: Int? = nil
    )
        -> VoiceNote
    {
        VoiceNote(
            id: id(200 + number), createdAt: start, mediaPath: "media/\(number).m4a",
            offset: SessionOffset(milliseconds: offset), duration: SessionOffset(milliseconds: 4000),
            transcript: transcript, markerID: marker.map { id(100 + $0) })
    }

    package static func action(
        _ number: Int, _ name: String, _ status: ActionRun.Status, error: String? = nil
    )
        -> ActionRun
    {
        ActionRun(
            id: id(300 + number), action: name,
            createdAt: start.adding(SessionOffset(milliseconds: Int64(number) * 60000)),
            status: status, error: error)
    }
}
