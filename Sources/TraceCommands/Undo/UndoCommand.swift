internal import ArgumentParser
internal import Glibc
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace undo`
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo your last write.",
        discussion: """
            A mark, voice note, edit, removal, transcript, digest, repair of a session, the making, closing or deleting of one, a declined \
            request, a write into another journal, or a queue entry: one for a session also after it was drained, one for another \
            journal only before that. \
            What one command wrote is undone together, such as 'tag rename --all' in all sessions. \
            Run again, it undoes the write before that; 'trace redo' does it again. It fails if what was written \
            has been changed since, or something refers to it; --skip skips such a write. What is removed from a \
            session is kept in the state directory under 'undo'.

            With --session, only writes into that session or other journal count. Exit status 1 if nothing can be undone.
            """)

    @Flag(name: [.customShort("n"), .long], help: "Only show what would be done.")
    var dryRun = false
    @Flag(name: .customLong("list"), help: "Show what can be undone, the latest first, and change nothing.")
    var isList = false
    @Flag(help: "Leave the last write as it is; the next undo then undoes the one before.")
    var skip = false
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func validate() throws {
        if isList, skip || dryRun {
            throw ValidationError("--list can't be combined with --\(skip ? "skip" : "dry-run")")
        }
        if !isList, list.header || list.format != nil {
            throw ValidationError("--\(list.header ? "header" : "format") is for --list")
        }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let session = try global.session.map { try context.journalID($0) }
            let undo = context.libraryWriter.undo
            let user = UInt32(geteuid())
            if isList { return try show(undo.list(sessionID: session, user: user), context) }
            let outcome =
                skip
                ? try undo.skip(sessionID: session, user: user, isDryRun: dryRun)
                : try undo.run(sessionID: session, user: user, isDryRun: dryRun)
            try Self.report(
                outcome, verb: skip ? ("skip", "skipped") : ("undo", "undone"), isDryRun: dryRun,
                isJSON: global.json, context)
        }
    }

    /// Takes back the last write into a journal.
    static func undo(in journal: ULID, isDryRun: Bool, isJSON: Bool, _ context: CommandContext) throws {
        let outcome = try context.libraryWriter.undo.run(
            sessionID: journal, user: UInt32(geteuid()), isDryRun: isDryRun)
        try report(
            outcome, verb: ("undo", "undone"), isDryRun: isDryRun, isJSON: isJSON, context)
    }

    /// - Parameter verb: As it is planned, and as it is done.
    static func report(
        _ outcome: Undo.Outcome, verb: (planned: String, done: String), isDryRun: Bool, isJSON: Bool,
        _ context: CommandContext
    ) throws {
        for notice in outcome.notices { context.notice("warning: \(notice)") }
        let zone = try context.zone
        let write = text(of: outcome.parts, in: zone)
        if !isDryRun { Output.note(done: "\(verb.done): \(write)") }
        if isJSON {
            return Output.json(
                .object { object in
                    describe(outcome.parts, in: &object)
                    object.member("done", JSONText(!isDryRun))
                    object.member("steps", .array(outcome.parts.flatMap(\.steps).map { JSONText($0) }))
                })
        }
        Output.line("\(isDryRun ? "would \(verb.planned)" : verb.done): \(write)")
        for part in outcome.parts {
            let isOneOfSeveral = outcome.parts.count > 1
            let place = isOneOfSeveral ? part.session.map { "\($0.escaped): " } ?? "" : ""
            for step in part.steps { Output.line("  \(place)\(step.oneLine)") }
        }
    }

    private func show(_ commands: [[Undo.Outcome.Part]], _ context: CommandContext) throws {
        guard !global.json else {
            return Output.json(
                .array(commands.map { parts in .object { Self.describe(parts, in: &$0) } }))
        }
        let writes = commands.map(ListedWrite.init)
        guard !writes.isEmpty else {
            return list.table.printNothing("there is nothing to undo", ListedWrite.names, context)
        }
        guard list.table.isOnScreen else { return list.table.print(writes, ListedWrite.names, \.fields) }
        let zone = try context.zone
        Output.paged(context.isPaged) {
            ListScreen.show(ListedWrite.columns, writes.map { $0.cells(in: zone) })
        }
    }

    /// The writes of one command in a line.
    private static func text(of parts: [Undo.Outcome.Part], in zone: ZoneRules) -> String {
        guard let last = parts.first else { return "" }
        let what = WrittenSubject(together: parts.map(\.subject)).text.map { " \($0)" } ?? ""
        let sessions = Set(parts.compactMap(\.session))
        let noun = parts.contains(where: \.write.isInOtherJournal) ? "journal" : "session"
        let place =
            sessions.count > 1
            ? " in \(counted(sessions.count, noun))"
            : sessions.first.map { " in \($0.escaped)" } ?? ""
        let file = last.write.source?.name.map { " from '\($0)'" } ?? ""
        return
            "\(last.write.operation.rawValue)\(what)\(place)\(file), written \(zone.secondText(last.write.time))"
            .oneLine
    }

    private static func describe(_ parts: [Undo.Outcome.Part], in object: inout JSONObjectText) {
        guard let last = parts.first else { return }
        let ids = Set(parts.compactMap(\.write.sessionID))
        let sessions = Set(parts.compactMap { $0.session?.escaped }).sorted()
        let subject = WrittenSubject(together: parts.map(\.subject))
        object.member("operation", JSONText(last.write.operation.rawValue))
        if let file = last.write.source {
            object.member("import_id", JSONText(last.write.id))
            object.member("imported_file", file.path.map { JSONText($0) })
        }
        object.member("written_at", JSONText(last.write.time))
        object.member("session_id", ids.count == 1 ? ids.first.map { JSONText($0) } : nil)
        object.member("session_path", sessions.count == 1 ? JSONText(sessions[0]) : nil)
        object.member(
            "session_paths", sessions.count > 1 ? .array(sessions.map { JSONText($0) }) : nil)
        object.member("records", .array(subject.records.map(\.json)))
        object.member(
            "other_records", subject.otherCount > 0 ? JSONText(Int64(subject.otherCount)) : nil)
    }
}

/// The writes of one command, as a row.
private struct ListedWrite {
    private let last: UndoableWrite
    private let subject: WrittenSubject
    /// The directories and the ids of the journals that it wrote into.
    private let paths: [FilePath]
    private let ids: [ULID]

    /// - Parameter parts: The last write first; at least one.
    init(_ parts: [Undo.Outcome.Part]) {
        last = parts[0].write
        subject = WrittenSubject(together: parts.map(\.subject))
        paths = Set(parts.compactMap(\.session)).sorted { $0.escaped < $1.escaped }
        ids = Set(parts.compactMap(\.write.sessionID)).sorted()
    }

    private var recordCount: Int { subject.records.count + subject.otherCount }

    /// The record, if it is the only one.
    private var record: WrittenSubject.Record? { recordCount == 1 ? subject.records.first : nil }

    static let names = [
        "written_at", "operation", "record_count", "kind", "id", "offset_ms", "label", "session_count",
        "session_id", "session_path", "import_id", "imported_file",
    ]

    var fields: [String] {
        [
            last.time.description, last.operation.rawValue, "\(recordCount)", record?.kindName,
            record?.id.description, record?.offset.map { "\($0.milliseconds)" }, record?.label,
            "\(paths.count)", ids.count == 1 ? ids[0].description : nil,
            paths.count == 1 ? paths[0].escaped : nil, last.source.map { _ in last.id.description },
            last.source?.path,
        ].map { $0 ?? "" }
    }

    static let columns: [TerminalTable.Column] = [
        .whole("WRITTEN"), .whole("COMMAND"), .text("RECORD", least: 12), .text("IN", least: 12, rank: 6),
        .text("FROM", least: 8, rank: 4),
    ]

    func cells(in zone: ZoneRules) -> [TerminalCell] {
        let noun = last.isInOtherJournal ? "journal" : "session"
        let place = paths.count > 1 ? counted(paths.count, noun) : paths.first?.lastComponent?.escaped
        let count = recordCount > 1 ? counted(recordCount, "record") : nil
        return [
            TerminalCell(zone.secondText(last.time)), TerminalCell(last.operation.rawValue),
            TerminalCell((record?.text ?? count ?? "").oneLine), TerminalCell(place ?? ""),
            TerminalCell(last.source?.name ?? ""),
        ]
    }
}

extension WrittenSubject {
    /// The one record, or how many there are; nil if there is none.
    var text: String? {
        let count = records.count + otherCount
        if count == 1 { return records.first?.text }
        return count == 0 ? nil : "of \(counted(count, "record"))"
    }
}

extension WrittenSubject.Record {
    /// Where it is and what it is called, e.g. `2:00 "Too fast"`; nil if neither is known.
    var text: String? {
        let time = offset.map { $0.milliseconds % 1000 == 0 ? $0.clock : "\($0)" }
        let words = [time, label.map { "\"\($0)\"" }].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    fileprivate var json: JSONText {
        .object { object in
            object.member("kind", JSONText(kindName))
            object.member("id", JSONText(id))
            object.member("offset_ms", offset.map { JSONText($0) })
            object.member("label", label.map { JSONText($0) })
        }
    }
}
