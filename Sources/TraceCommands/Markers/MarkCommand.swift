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
            Without an offset, it marks now; without a session, in the active one. A word that looks like an offset \
            is one; otherwise the first word is the session, and what follows is the label.

            A marker is never lost: if the session can't be written, it waits in the queue.
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
            let context = try CommandContext(global)
            let typed = try MarkWords(place, offset: offset, label: label, context)
            try TagArgument.check(tags)
            let target = try target(of: typed, context)
            let marker = try marker(typed, in: target, context)
            let isQueued = context.notice(
                of: try context.libraryWriter.mark(marker, in: target, mayQueue: !noQueue))
            let written = WrittenMarker(marker, in: target, isQueued: isQueued)
            Output.done("marker: \(marker.id)", global.json ? written.json(.commandLine) : nil)
            context.noticeNewTags(marker.tags, of: marker.id, in: isQueued ? nil : target.place?.path)
        }
    }

    private func target(of typed: MarkWords, _ context: CommandContext) throws -> WriteTarget {
        do {
            return try context.writeTarget(
                typed.session, mayBeAbsent: !noQueue, offset: typed.offset)
        } catch let error as StoreError
            where error.code == .noSuchSession && offset == nil
        {
            var report = error.report
            // Nothing behind it is an offset, so it may be one with a slip in it.
            if let word = typed.session, typed.offset == "now", word.utf8.first?.isASCIIDigit == true {
                report.message = "'\(word)' is not an offset, and \(report.message)"
                report.cure = Cure(
                    "write an offset such as 12s, 2:00 or 1h2m3s"
                        + (report.hint.map { "; for a session, \($0)" } ?? ""))
                throw CommandFailure(.noSession, report)
            }
            // A single word is a session; if a label was meant, the error says how to write it.
            guard place == [typed.session] else { throw error }
            let label = place[0].asShellWord
            report.cure = Cure(
                (report.hint.map { $0 + ", or " } ?? "")
                    + "for a marker of that name: trace mark now \(label)")
            throw CommandFailure(.noSession, report)
        }
    }

    private func marker(
        _ typed: MarkWords, in target: WriteTarget, _ context: CommandContext
    ) throws -> Marker {
        let now = Clock.now()
        let draft = MarkerDraft(
            offset: typed.offset, label: typed.label, note: note, tags: tags, duration: duration,
            voiceNote: voiceNoteId, isForced: force)
        let resolved = try draft.resolved(for: target, now: now)
        // What is said of a marker that is written comes when nothing of the command line can be wrong any more.
        context.notice(resolved.place.notice)
        for warning in resolved.warnings { context.notice("warning: \(warning)") }
        context.warn(of: resolved.setBack)
        try context.confirmIntended(typed.offset, at: resolved.place.offset, in: target, now: now)
        return resolved.marker
    }
}
