internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace at`
struct AtCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "at", abstract: "Show what was happening at a moment, in any session.",
        discussion: """
            The time is in the configured zone (2026-02-04T20:15) unless it has Z or an offset like +01:00. For \
            each session that ran then: the offset, the position in its media, and the markers, voice notes and transcript \
            around it.

            One per line, separated by tabs: the kind, the offset as a clock and in milliseconds (of media: the position in \
            the file), and the text. On a terminal, a table for each session. Exit status 1 if no session ran.
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
            let moment = typed.first
            context.notice("at \(zone.exactText(moment))")
            if let warning = typed.warning { context.notice("warning: \(warning)") }
            let fresh = FreshIndex(
                context.library, session: try global.session.map { try context.session($0) })
            let found = try fresh.answer { index in
                let shown = SessionCache(index)
                return try index.sessions(runningAt: moment, in: fresh.scope, now: Clock.now()).map {
                    try OffsetContext($0.session, $0.offset, within: distance, index, shown)
                }
            }
            if global.json {
                Output.json(found.lazy.map(\.json))
            } else if Output.isTerminal {
                Self.show(found)
            } else {
                Output.lines(found.lazy.flatMap(\.lines))
            }
            try fresh.end()
            guard found.isEmpty else { return }
            context.notice("no session ran then")
            throw CommandFailure(.negative, nil)
        }
    }
}

extension AtCommand {
    /// A table for each session, all with the same columns.
    private static func show(_ found: [OffsetContext]) {
        let rows = found.map(\.rows)
        guard rows.contains(where: { !$0.isEmpty }) else {
            return Output.lines(found.lazy.map(\.heading))
        }
        let table = ListScreen.table(OffsetContext.columns, Array(rows.joined()))
        for (number, (session, rows)) in zip(found, rows).enumerated() {
            if number > 0 { Output.line("") }
            Output.lines([session.heading] + (rows.isEmpty ? [] : [table.header]) + rows.map(table.line))
        }
    }
}

/// The records and media around an offset of a session.
private struct OffsetContext {
    let session: IndexedSession
    let offset: SessionOffset
    /// The media that cover it, and where in the file it lies.
    let media: [(item: MediaItem, position: SessionOffset)]
    /// The records around it, with their lines; without them where the root is offline.
    let records: [(record: IndexedRecord, line: [UInt8]?)]

    init(
        _ path: FilePath, _ offset: SessionOffset, within distance: SessionOffset, _ index: SessionIndex,
        _ sessions: SessionCache
    ) throws {
        session = try sessions[path]
        self.offset = offset
        let first = max(
            0, offset.milliseconds.subtractingReportingOverflow(distance.milliseconds).partialValue)
        let (last, overflow) = offset.milliseconds.addingReportingOverflow(distance.milliseconds)
        let range = SessionOffset(milliseconds: first)...SessionOffset(milliseconds: overflow ? .max : last)
        records = try index.records(of: path, during: range).map { ($0, try sessions.line(of: $0)) }
        let items = session.isOnline ? try SessionReader(path).header().session.media : []
        media = items.compactMap { item in
            guard let position = item.position(at: offset) else { return nil }
            return (item, position)
        }
    }

    static let columns: [TerminalTable.Column] = [
        .number("TIME"), .whole("KIND"), .text("WORDS", least: 24), .text("TAGS", least: 9, rank: 5),
        .whole("ID", rank: 4),
    ]

    /// Which session it is, and where in it the moment lies.
    var heading: TerminalText {
        var text = TerminalText(session.listName.oneLine, Output.isStyled ? .bold : .plain)
        let directory = session.path.lastComponent?.escaped ?? session.path.escaped
        text += TerminalText(
            " at \(offset.tenths), in \(directory)" + (session.isOnline ? "" : " (offline)"))
        return text
    }

    /// What is below it, in the order of the session.
    var rows: [[TerminalCell]] {
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

    var lines: [String] {
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

    var json: JSONText {
        .object { object in
            session.addIdentity(to: &object)
            object.member("offset_ms", JSONText(offset))
            object.member(
                "media",
                .array(
                    media.map { item, position in
                        .object { object in
                            object.member("id", item.id.map { JSONText($0) })
                            object.member("path", JSONText(item.path))
                            object.member("position_ms", JSONText(position))
                        }
                    }))
            object.member(
                "records",
                .array(
                    records.map { record, line in
                        .object { object in
                            object.member("kind", JSONText(record.kindName))
                            object.member("offset_ms", JSONText(record.offset ?? .zero))
                            object.member("record", line.map { JSONText(verbatim: $0) })
                        }
                    }))
        }
    }
}

extension MediaItem {
    /// Where in the file an offset of the session lies, or nil if the file does not cover it.
    ///
    /// Source: format.md, "session.json": an offset is file time plus `start_offset_ms`.
    fileprivate func position(at offset: SessionOffset) -> SessionOffset? {
        guard let startOffset else { return nil }
        let (position, overflow) = offset.milliseconds.subtractingReportingOverflow(startOffset.milliseconds)
        guard !overflow, position >= 0, duration.map({ position <= $0.milliseconds }) ?? true else {
            return nil
        }
        return SessionOffset(milliseconds: position)
    }
}
