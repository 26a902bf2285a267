internal import ArgumentParser
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore

/// `trace session show`
struct SessionShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what a session is.",
        discussion: "On a terminal, with a strip that shows where something was marked.")

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let path = try workplace.session(session)
            let inspection = try Inspection(of: path, settleTime: workplace.settings.settleTime)
            let facts = Self.facts(inspection)
            guard !global.json else {
                return Output.json(
                    .object { object in for (key, value) in facts { object.member(key, value) } })
            }
            for (key, value) in facts where key != "path" { Output.line("\(key): \(value.plain.oneLine)") }
            // For eyes alone: a script gets lines of key and value.
            if Output.isTerminal { try showStrip(inspection, settleTime: workplace.settings.settleTime) }
        }
    }

    private func showStrip(_ inspection: Inspection, settleTime: Duration) throws {
        let digest = try DigestReading(inspection.path, settleTime: settleTime).digest {
            DigestReading.Knowledge(inspection)
        }
        guard let strip = digest.strip else { return }
        Output.line("")
        for row in strip.rows(columns: Output.columns) { Output.line(row) }
    }

    /// Keys and values in the order of the output; a key without a value is left out.
    private static func facts(_ inspection: Inspection) -> [(String, JSONText)] {
        let session = inspection.session
        func name(_ isNamed: Bool, _ name: String) -> JSONText { isNamed ? JSONText(name) : .null }
        let facts: [(String, JSONText?)] = [
            ("path", JSONText(inspection.path.escaped)),
            ("id", session.id.map { JSONText($0) } ?? .null),
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
            ("marker_count", JSONText(Int64(inspection.counts[.marker] ?? 0))),
            ("voice_note_count", JSONText(Int64(inspection.counts[.voiceNote] ?? 0))),
            ("errors", JSONText(Int64(inspection.findings.count { $0.severity == .error }))),
            ("warnings", JSONText(Int64(inspection.findings.count { $0.severity == .warning }))),
        ]
        return facts.compactMap { key, value in value.map { (key, $0) } }
    }
}

extension JSONText {
    /// The value without quotes, for lines of `key: value`.
    var plain: String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("\"") else { return text }
        return bytes.withUnsafeBytes { JSONText.unescaped($0) }
    }
}
