internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace restore`
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore records of yours that another program has overwritten.",
        discussion: """
            Every marker and voice note that your commands wrote is kept in the state directory for a while. A program \
            that writes into a session regardless of others, or a sync tool that brings an older copy, can remove such \
            a line; 'trace status' and 'trace doctor' report it, and this restores it at the end of its file. What you \
            removed or undid is not restored, nor is a record that still exists with different values.

            With --forget, the lines stay removed and are no longer reported. Without a session, all sessions are checked.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Flag(name: [.customShort("n"), .long], help: "Only show what is missing.")
    var dryRun = false
    @Flag(help: "Stop reporting the missing lines.")
    var forget = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let named = session ?? global.session
            let writer = context.libraryWriter
            let found = try writer.missingLines(in: named.map { try context.sessionID($0) })
            var lines = found
            let journals = named == nil && !forget ? try self.journals(context) : []
            if !dryRun, !found.isEmpty {
                if forget {
                    try writer.lostLines().forget(
                        found, context.queue, runtimeDirectory: context.settings.runtimeDirectory)
                } else {
                    let done = try writer.putBack(found)
                    for notice in done.notices { context.notice("warning: \(notice)") }
                    lines = done.lines
                }
                Output.note(done: "\(verb): \(counted(lines.count, "line"))")
            }
            guard !global.json else {
                let records = journals.flatMap { path, records in records.map { json($0, in: path) } }
                return Output.json(.array(lines.map(json) + records))
            }
            let zone = try context.zone
            Output.lines(lines.map { text($0, in: zone) })
            for (path, records) in journals {
                Output.lines(records.map { "\(verb): \($0.text) in \(path.escaped)".oneLine })
            }
            if found.isEmpty, journals.isEmpty { Output.line("nothing is missing") }
        }
    }

    /// What other programs have saved over in other journals, which is there again unless this is a dry run.
    private func journals(
        _ context: CommandContext
    ) throws -> [(path: FilePath, records: [OverwrittenRecord])] {
        var writer = context.libraryWriter
        let found = writer.overwrittenJournals()
        guard !dryRun else { return found }
        // It is the answer, and no news beside another.
        writer.onPutBack = nil
        for (path, _) in found { _ = try writer.journalWriter(at: path).takeUp() }
        return found
    }

    private func json(_ record: OverwrittenRecord, in journal: FilePath) -> JSONText {
        .object { object in
            object.member("kind", record.container)
            object.member("id", record.id)
            object.member("text", record.text)
            object.member("journal", journal.escaped)
            object.member("done", JSONText(!dryRun))
        }
    }

    private var verb: String {
        switch (forget, dryRun) {
        case (false, true): "would restore"
        case (false, false): "restored"
        case (true, true): "would forget"
        case (true, false): "forgotten"
        }
    }

    private func text(_ line: LostLines.Line, in zone: ZoneRules) -> String {
        let what = line.subject.text.map { " \($0)" } ?? ""
        return
            "\(verb): \(line.kind.noun)\(what) in \(line.session.escaped), \(zone.secondText(line.written))"
            .oneLine
    }

    private func json(_ line: LostLines.Line) -> JSONText {
        .object { object in
            object.member("kind", JSONText(line.kind.rawValue))
            object.member("id", JSONText(line.id))
            object.member("operation", JSONText(line.operation.rawValue))
            object.member("written_at", JSONText(line.written))
            object.session(at: line.session, line.sessionID)
            object.member("done", JSONText(!dryRun))
            object.member("record", JSONText(verbatim: line.text))
        }
    }
}
