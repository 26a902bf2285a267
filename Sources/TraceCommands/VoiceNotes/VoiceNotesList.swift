internal import ArgumentParser
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// `trace voice-notes list`
struct VoiceNotesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", _superCommandName: "trace voice-notes",
        abstract: "List the voice notes of a session, in the order of their offsets.",
        discussion: """
            One per line, separated by tabs: id, offset and length in milliseconds, text, audio file; what is missing is an \
            empty column. On a terminal, a table with the end of the id. With --json, an array of the records as they are \
            in the file.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(
        parsing: .unconditional, help: "Only voice notes from this offset on.", completion: .offsets)
    var offsetMin: String?
    @Option(parsing: .unconditional, help: "Only voice notes up to this offset.", completion: .offsets)
    var offsetMax: String?
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let path = try context.session(session)
            let resolution = try OffsetResolution(in: path)
            let offsets = try OffsetRange.typed(from: offsetMin, upTo: offsetMax) {
                try resolution.offset($0, force: true)
            }
            let reading = try VoiceNoteReading(in: path, offsets: offsets)
            if reading.unreadable > 0 {
                let what = reading.unreadable == 1 ? "a line" : "\(reading.unreadable) lines"
                context.notice(
                    "warning: \(what) of \(RecordKind.voiceNote.fileName) can't be read; 'trace validate' shows why"
                )
            }
            if global.json { return Output.json(reading.notes.lazy.map { $0.json(.commandLine) }) }
            let table = list.table
            if reading.notes.isEmpty { return table.printNothing("no voice notes", Self.names, context) }
            guard table.isOnScreen else { return table.print(reading.notes, Self.names, Self.fields) }
            Output.paged(context.isPaged) { ListScreen.show(Self.columns, reading.notes.map(Self.cells)) }
        }
    }

    private static let names = ["id", "offset_ms", "duration_ms", "transcript_text", "media_path"]

    private static func fields(_ note: ListedVoiceNote) -> [String] {
        [
            note.id.description, "\(note.offset.milliseconds)",
            note.duration.map { "\($0.milliseconds)" } ?? "", note.transcript ?? "", note.mediaPath ?? "",
        ]
    }

    private static let columns: [TerminalTable.Column] = [
        .number("TIME"), .number("LENGTH", rank: 5), .text("TEXT", least: 14),
        .text("FILE", least: 12, rank: 4), .whole("ID", rank: 8),
    ]

    private static func cells(_ note: ListedVoiceNote) -> [TerminalCell] {
        [
            .time(note.offset), .time(note.duration), TerminalCell(note.transcript ?? "", cut: .afterWord),
            TerminalCell(note.mediaPath ?? ""), .id(note.id),
        ]
    }
}
