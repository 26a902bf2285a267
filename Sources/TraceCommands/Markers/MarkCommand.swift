internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace mark`
struct MarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark", _superCommandName: "trace", abstract: "Add a marker to a session.",
        usage: """
            trace mark [<session>] [<offset>] [<label>] [<options>]
            trace mark [<session>] --offset <offset> [<options>]
            """,
        discussion: """
            Without an offset, it marks now; without a session, in the open one. A word that looks like an offset \
            is one. Otherwise the first word is the session, if it is a path, a whole id or the name of an open session, \
            or of a closed one where an offset or another label is given; else it is the label.

            A marker is never lost: if the session can't be written, it waits in the queue, and if it is not known which \
            session a moment belongs to, 'trace unplaced' keeps it.
            """)

    @Argument(
        help:
            "The session, the offset (120000, 2:00, 90s, now, now-10s, end) and the label; each is optional.",
        completion: .places)
    var place: [String] = []
    @Option(
        parsing: .unconditional,
        help: "The offset: 120000, 2:00, 90s, now, now-10s, end, +5s, -10s; by default now.",
        completion: .offsets)
    var offset: String?
    @Option(parsing: .unconditional, help: "What it is called.", transform: words)
    var label: String?
    @Option(parsing: .unconditional, help: "More words.", transform: words)
    var note: String?
    @Option(
        name: .customLong("tag"),
        help:
            "A tag; may be repeated. highlight, structure, texture-sample and fix-review are the categories.",
        completion: .tags)
    var tags: [String] = []
    @Option(help: "The duration of what it marks.")
    var duration: String?
    @Option(help: "The voice note that belongs to it: its id or a part of it, last, or @1:30.")
    var voiceNoteId: String?
    @Flag(help: "Fail instead of queueing.")
    var noQueue = false
    @Flag(help: "Allow an offset after the session's end.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            // The moment is that of the command, whatever takes time after it.
            let now = Clock.now()
            let context = CommandContext(tolerating: global)
            let typed = try MarkWords(place, offset: offset, label: label, context)
            try TagArgument.check(tags)
            let draft = MarkerDraft(
                offset: typed.offset, label: typed.label, note: note, tags: tags, duration: duration,
                voiceNote: voiceNoteId, isForced: force)
            let marked = MarkedMoment(
                session: typed.session, offset: typed.offset, now: now, mayWait: !noQueue)
            switch try destination(of: marked, context) {
            case .session(let target, let isChosen):
                try write(draft, marked, in: target, isChosen: isChosen, context)
            case .unplaced(let reason): try keep(draft, marked, since: reason, context)
            }
        }
    }

    private func destination(of marked: MarkedMoment, _ context: CommandContext) throws -> Destination {
        do {
            return try context.destination(of: marked)
        } catch let error as StoreError
            where error.code == .noSuchSession && offset == nil
        {
            guard let word = marked.session else { throw error }
            var report = error.report
            // Nothing behind it is an offset, so it may be one with a slip in it.
            if marked.offset == "now", word.utf8.first?.isASCIIDigit == true {
                report.message = "'\(word)' is not an offset, and \(report.message)"
                report.cure = Cure(
                    "write an offset such as 12s, 2:00 or 1h2m3s"
                        + (report.hint.map { "; for a session, \($0)" } ?? ""))
                throw CommandFailure(.noSession, report)
            }
            // A single word with a slash is a session; if a label was meant, the error says how to write it.
            guard place == [word] else { throw error }
            report.cure = Cure(
                (report.hint.map { $0 + ", or " } ?? "")
                    + "for a marker of that name: trace mark now \(word.asShellWord)")
            throw CommandFailure(.noSession, report)
        }
    }

    private func write(
        _ draft: MarkerDraft, _ marked: MarkedMoment, in target: WriteTarget, isChosen: Bool,
        _ context: CommandContext
    ) throws {
        let resolved = try draft.resolved(for: target, now: marked.now)
        if !isChosen,
            let reason = try context.reasonToKeep(marked, at: resolved.place.offset, in: target)
        {
            return try keep(draft, marked, since: { _ in reason }, context)
        }
        // What is said of a marker that is written comes when nothing of the command line can be wrong any more.
        context.notice(resolved.place.notice + otherSpelling(of: marked.offset))
        for warning in resolved.warnings { context.notice("warning: \(warning)") }
        context.warn(of: resolved.setBack)
        let marker = resolved.marker
        let isQueued = context.notice(
            of: try context.libraryWriter.mark(marker, in: target, mayQueue: !noQueue))
        let written = WrittenMarker(marker, in: target, isQueued: isQueued)
        Output.done("marker: \(marker.id)", global.json ? written.json(.commandLine) : nil)
        context.noticeNewTags(marker.tags, of: marker.id, in: isQueued ? nil : target.place?.path)
    }

    /// How to write as long before now where an offset counts back from the last marker, which not everybody expects.
    private func otherSpelling(of offset: String) -> String {
        guard case .fromLastMarker(let distance)? = try? OffsetExpression(offset), distance < 0 else {
            return ""
        }
        return " ('now\(offset)' counts from now)"
    }

    private func keep(
        _ draft: MarkerDraft, _ marked: MarkedMoment, since reason: (ULID) -> UnplacedReason,
        _ context: CommandContext
    ) throws {
        let marker = try draft.kept(now: marked.now)
        let moment = marked.moment ?? marked.now
        try context.libraryWriter.keep(
            marker, at: moment, typedSession: context.typedSession(marked.session),
            isUnconfigured: context.isUnconfigured)
        context.notice(kept: marker.id, since: reason(marker.id))
        Output.done(
            "marker: \(marker.id)",
            global.json ? KeptRecord(id: marker.id, moment: moment).json : nil)
    }
}
