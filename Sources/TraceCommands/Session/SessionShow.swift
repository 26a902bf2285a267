internal import ArgumentParser
internal import RecordFormat
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
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
            let inspection = try SessionQuestion(path, settleTime: context.settings.settleTime).inspection()
            let answer = SessionAnswer(inspection)
            if global.json { return Output.json(answer.json(.commandLine)) }
            if Output.isTerminal {
                var digest = try DigestReading(path, settleTime: context.settings.settleTime).digest {
                    DigestReading.Overview(inspection)
                }
                digest.forgotten = context.forgotten(digest.session, in: { try SessionReader(path) })
                Self.show(answer, state: digest.state, in: try context.zone)
                guard let strip = digest.strip else { return }
                let columns = Output.columns
                Output.lines([""] + strip.rows(columns: columns))
                return Output.lines(
                    strip.legend(columns: columns).map { TerminalText($0, Output.isStyled ? .faint : .plain) }
                )
            }
            for (key, value) in answer.facts(.commandLine) where key != "session_path" {
                // The line has always had this name.
                Output.line("\(key == "session_id" ? "id" : key): \(value.plain.oneLine)")
            }
        }
    }

    /// What a person wants to know, the most important first.
    private static func show(_ answer: SessionAnswer, state: String, in zone: ZoneRules) {
        let session = answer.session
        func count(_ kind: RecordKind, _ word: String) -> String? {
            answer.counts[kind].flatMap { $0 == 0 ? nil : counted($0, word) }
        }
        let contents = [
            counted(answer.counts[.marker] ?? 0, "marker"), count(.voiceNote, "voice note"),
            count(.transcript, "transcript segment"), count(.action, "action"),
            session.media.isEmpty ? nil : counted(session.media.count, "media file"),
        ]
        let problems = Rule.Severity.allCases.compactMap { severity in
            answer.findingCounts[severity].map { counted($0, severity.rawValue) }
        }
        let facts: [(String, String?)] = [
            ("directory", answer.path.escaped), ("title", session.displayTitle),
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
}

extension JSONText {
    /// The value without quotes, for lines of `key: value`.
    var plain: String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("\"") else { return text }
        return bytes.withUnsafeBytes { JSONText.unescaped($0) }
    }
}
