internal import ArgumentParser
internal import RecordFormat
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// `trace session show`
struct SessionShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a session.",
        discussion: """
            A line for each key, as in session.json. On a terminal: where it is, when it was, what is in it, and a \
            strip that shows where the markers are.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let path = try context.session(session)
            let inspection = try Inspection(of: path, settleTime: context.settings.settleTime)
            let facts = Self.facts(inspection)
            guard !global.json else {
                return Output.json(
                    .object { object in for (key, value) in facts { object.member(key, value) } })
            }
            if Output.isTerminal {
                var digest = try DigestReading(path, settleTime: context.settings.settleTime).digest {
                    DigestReading.Overview(inspection)
                }
                digest.forgotten = context.forgotten(digest.session, in: { try SessionReader(path) })
                Self.show(inspection, state: digest.state, in: try context.zone)
                guard let strip = digest.strip else { return }
                return Output.lines([""] + strip.rows(columns: Output.columns))
            }
            for (key, value) in facts where key != "session_path" {
                // The line has always had this name.
                Output.line("\(key == "session_id" ? "id" : key): \(value.plain.oneLine)")
            }
        }
    }

    /// What a person wants to know, the most important first.
    private static func show(_ inspection: Inspection, state: String, in zone: ZoneRules) {
        let session = inspection.session
        func count(_ kind: RecordKind, _ word: String) -> String? {
            inspection.counts[kind].flatMap { $0 == 0 ? nil : counted($0, word) }
        }
        let contents = [
            counted(inspection.counts[.marker] ?? 0, "marker"), count(.voiceNote, "voice note"),
            count(.transcript, "transcript segment"), count(.action, "action"),
            session.media.isEmpty ? nil : counted(session.media.count, "media file"),
        ]
        let problems = Rule.Severity.allCases.compactMap { severity in
            let count = inspection.findings.count { $0.severity == severity }
            return count == 0 ? nil : counted(count, severity.rawValue)
        }
        let facts: [(String, String?)] = [
            ("directory", inspection.path.escaped), ("title", session.displayTitle),
            ("status", state), ("started", session.startTime.map(zone.minuteText)),
            ("ended", session.endTime.map(zone.minuteText)), ("length", session.duration?.clock),
            ("contents", contents.compactMap(\.self).joined(separator: ", ")),
            ("digest", session.namesDigest ? SessionLayout.digest : nil),
            (
                "problems",
                problems.isEmpty ? nil : problems.joined(separator: ", ") + " ('trace validate' shows them)"
            ),
            ("id", session.id?.description),
        ]
        for case (let name, let value?) in facts {
            var line = TerminalText("\(name):".padded(to: 11), Output.isStyled ? .faint : .plain)
            line += TerminalText(value.oneLine)
            Output.lines(CollectionOfOne(line))
        }
    }

    /// Keys and values in the order of the output; a key without a value is left out.
    private static func facts(_ inspection: Inspection) -> [(String, JSONText)] {
        let session = inspection.session
        func name(_ isNamed: Bool, _ name: String) -> JSONText { isNamed ? JSONText(name) : .null }
        let facts: [(String, JSONText?)] = [
            ("session_path", JSONText(inspection.path.escaped)),
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
