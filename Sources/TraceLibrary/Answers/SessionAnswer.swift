package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceStore

/// One session: what `session.json` says, and what is in its files.
package struct SessionAnswer: Sendable {
    /// The session's directory.
    package let path: FilePath
    /// What `session.json` says.
    package let session: Session
    /// The number of records of each kind; lines of one id count once.
    package let counts: [RecordKind: Int]
    /// The number of findings of each severity; none of a severity: no entry.
    package let findingCounts: [Rule.Severity: Int]

    init(
        path: FilePath, session: Session, counts: [RecordKind: Int], findingCounts: [Rule.Severity: Int]
    ) {
        self.path = path
        self.session = session
        self.counts = counts
        self.findingCounts = findingCounts
    }

    /// What a reading of all files found.
    package init(_ inspection: Inspection) {
        self.init(
            path: inspection.path, session: inspection.session, counts: inspection.counts,
            findingCounts: inspection.findings.reduce(into: [:]) { $0[$1.severity, default: 0] += 1 })
    }

    /// The keys of docs/cli-json.md and their values, in the order of the output; a key without a value is left out.
    package func facts(_ form: AnswerForm) -> [(String, JSONText)] {
        func name(_ isNamed: Bool, _ name: String) -> JSONText { isNamed ? JSONText(name) : .null }
        let facts: [(String, JSONText?)] = [
            ("session_path", form.place(path)),
            ("handle", form.handle.map { JSONText($0(path, session.id)) }),
            ("session_id", session.id.map { JSONText($0) } ?? .null),
            ("title", session.displayTitle.map { JSONText($0) }),
            ("status", session.status.map { JSONText($0.rawValue) } ?? .null),
            ("start_time", session.startTime.map { JSONText($0) } ?? .null),
            ("end_time", session.endTime.map { JSONText($0) }),
            ("duration_ms", session.duration.map { JSONText($0) }),
            ("timeline_path", JSONText(RecordKind.timeline.fileName)),
            ("markers_path", JSONText(RecordKind.marker.fileName)),
            ("transcript_path", name(session.namesTranscript, RecordKind.transcript.fileName)),
            ("voice_notes_path", name(session.namesVoiceNotes, RecordKind.voiceNote.fileName)),
            ("digest_path", name(session.namesDigest, SessionLayout.digest)),
            ("media_count", JSONText(Int64(session.media.count))),
            ("marker_count", JSONText(Int64(counts[.marker] ?? 0))),
            ("voice_note_count", JSONText(Int64(counts[.voiceNote] ?? 0))),
            ("errors", JSONText(Int64(findingCounts[.error] ?? 0))),
            ("warnings", JSONText(Int64(findingCounts[.warning] ?? 0))),
        ]
        return facts.compactMap { key, value in value.map { (key, $0) } }
    }

    /// The session as an object.
    ///
    /// - Parameter addMore: Adds members behind the facts, for readers that get more.
    package func json(
        _ form: AnswerForm, adding addMore: (inout JSONObjectText) -> Void = { _ in }
    ) -> JSONText {
        .object { object in
            for (key, value) in facts(form) { object.member(key, value) }
            addMore(&object)
        }
    }
}
