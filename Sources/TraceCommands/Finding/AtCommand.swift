internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// `trace at`
struct AtCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "at", abstract: "Show what was happening at a moment, in any session.",
        discussion: """
            The time is in the configured zone (2026-02-04T20:15) unless it has Z or an offset like +01:00. For \
            each session that ran then: the offset, the position in its media, and the markers, voice notes and transcript \
            around it. What other journals hold around the time follows, as of 'trace timeline'.

            One per line, separated by tabs: the kind, the offset as a clock and in milliseconds (of media: the position in \
            the file), and the text. On a terminal, a table for each session. Exit status 1 if nothing is known of the time.
            """)

    @Argument(help: "The time.", completion: .moments)
    var moment: String
    @Option(help: ArgumentHelp("How far before and after to look.", valueName: "duration"))
    var within = "30s"
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let distance = try OffsetExpression.duration(within)
            let context = try CommandContext(global)
            let zone = try context.zone
            let typed = try TimeArgument(moment, in: zone)
            let question = MomentQuestion(at: typed.first, within: distance)
            context.notice("at \(zone.exactText(question.moment))")
            if let warning = typed.warning { context.notice("warning: \(warning)") }
            let fresh = FreshIndex(
                context.library, session: try global.session.map { try context.session($0) })
            let (answer, asksOthers) = try fresh.answer { index -> (MomentAnswer, Bool) in
                let answer = try question.answer(index, in: fresh.scope)
                return (answer, try answer.isEmpty && question.asksOthers(index, in: fresh.scope))
            }
            let found = answer.sessions
            if global.json {
                Output.json(answer.json(.commandLine))
            } else if Output.isTerminal {
                Self.show(found)
            } else {
                Output.lines(found.lazy.flatMap(\.lines))
            }
            if !global.json { Output.lines(answer.otherLines(in: zone)) }
            try fresh.end()
            guard answer.isEmpty else { return }
            context.notice(
                "no session ran then" + (asksOthers ? ", and no other journal has an entry near it" : ""))
            throw CommandFailure(.negative, nil)
        }
    }
}

extension AtCommand {
    /// A table for each session, all with the same columns.
    private static func show(_ found: [MomentAnswer.Surroundings]) {
        let rows = found.map(\.rows)
        guard rows.contains(where: { !$0.isEmpty }) else {
            return Output.lines(found.lazy.map(\.heading))
        }
        let table = ListScreen.table(MomentAnswer.Surroundings.columns, Array(rows.joined()))
        for (number, (session, rows)) in zip(found, rows).enumerated() {
            if number > 0 { Output.line("") }
            Output.lines([session.heading] + (rows.isEmpty ? [] : [table.header]) + rows.map(table.line))
        }
    }
}

extension MomentAnswer.Surroundings {
    fileprivate static let columns: [TerminalTable.Column] = [
        .number("TIME"), .whole("KIND"), .text("WORDS", least: 24), .text("TAGS", least: 9, rank: 5),
        .whole("ID", rank: 4),
    ]

    /// Which session it is, and where in it the moment lies.
    fileprivate var heading: TerminalText {
        var text = TerminalText(session.listName.oneLine, Output.isStyled ? .bold : .plain)
        let directory = session.path.lastComponent?.escaped ?? session.path.escaped
        text += TerminalText(
            " at \(offset.tenths), in \(directory)" + (session.isOnline ? "" : " (offline)"))
        return text
    }

    /// What is below it, in the order of the session.
    fileprivate var rows: [[TerminalCell]] {
        media.map { item, position in
            [
                .time(offset), TerminalCell("media"), TerminalCell("\(item.path) at \(position.tenths)"),
                TerminalCell(), .id(item.id),
            ]
        }
            + records.map { found in
                let record = found.record
                let words = [record.text, record.note, record.mediaPath].compactMap(\.self)
                return [
                    .time(record.offset), TerminalCell(record.kindName.replacing("_", with: " ")),
                    TerminalCell(words.first { !$0.isEmpty } ?? ""), .tags(record.tags), .id(record.id),
                ]
            }
    }

    fileprivate var lines: [String] {
        let head = Self.line(
            "session", offset, session.listName + (session.isOnline ? "" : " (offline)"))
        return [head] + media.map { Self.line("media", $0.position, $0.item.path) }
            + records.map { found in
                let record = found.record
                let words = [record.text, record.note].compactMap(\.self).first { !$0.isEmpty }
                var more = words.map { [$0] } ?? []
                if !record.tags.isEmpty { more.append(record.tags.joined(separator: ",")) }
                if words == nil, let path = record.mediaPath { more.append(path) }
                return Self.line(record.kindName, record.offset ?? .zero, more)
            }
    }

    private static func line(_ what: String, _ offset: SessionOffset, _ more: String...) -> String {
        line(what, offset, more)
    }

    private static func line(_ what: String, _ offset: SessionOffset, _ more: [String]) -> String {
        ([what, offset.clock, "\(offset.milliseconds)"] + more.map(\.oneLine)).joined(separator: "\t")
    }
}
