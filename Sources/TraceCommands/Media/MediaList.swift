internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace media list`
struct MediaList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the recordings of a session.",
        discussion: """
            In the order of session.json. A pipe gets a line for each, separated by tabs: start and duration in milliseconds, kind, size in \
            bytes (empty if the file is missing), file and id.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let path = try context.session(session)
            let items = try SessionReader(path).header().session.media.map { ListedMedia($0, in: path) }
            if global.json { return Output.json(.array(items.map(\.json))) }
            guard !items.isEmpty else {
                return list.table.printNothing("no media", ListedMedia.names, context)
            }
            guard list.table.isOnScreen else {
                return list.table.print(items, ListedMedia.names, \.fields)
            }
            Output.paged(context.isPaged) { ListScreen.show(ListedMedia.columns, items.map(\.cells)) }
        }
    }
}

/// A media item, and whether its file is there.
private struct ListedMedia {
    let item: MediaItem
    /// Nil if the file is missing.
    let size: Int64?

    init(_ item: MediaItem, in session: FilePath) {
        self.item = item
        let file = try? SessionReader(session).contents(mediaPaths: [item.path]).media[item.path]
        if case .present = file {
            size = (try? FileStatus(of: session.pushing(FilePath(item.path))))?.identity.size
        } else {
            size = nil
        }
    }

    static let columns: [TerminalTable.Column] = [
        .whole("START"), .number("LENGTH", rank: 6), .whole("KIND", rank: 5), .number("SIZE", rank: 4),
        .text("FILE", least: 20),
    ]

    var cells: [TerminalCell] {
        [
            TerminalCell(item.startOffset?.clock ?? "?"), TerminalCell(item.duration?.clock ?? ""),
            TerminalCell(item.kind?.rawValue ?? "?"),
            size.map { TerminalCell($0 >= 10 << 20 ? "\($0 >> 20) MiB" : "\($0 >> 10) KiB") }
                ?? TerminalCell("missing", .yellow),
            TerminalCell(item.path.oneLine),
        ]
    }

    static let names = ["start_offset_ms", "duration_ms", "kind", "size_bytes", "path", "id"]

    var fields: [String] {
        [
            item.startOffset.map { "\($0.milliseconds)" }, item.duration.map { "\($0.milliseconds)" },
            item.kind?.rawValue, size.map { "\($0)" }, item.path, item.id?.description,
        ].map { $0 ?? "" }
    }

    var json: JSONText {
        .object { object in
            object.member("id", item.id.map { JSONText($0) })
            object.member("kind", (item.kind?.rawValue).map { JSONText($0) })
            object.member("path", item.path)
            object.member("mime", item.mime.map { JSONText($0) })
            object.member("start_offset_ms", item.startOffset.map { JSONText($0) })
            object.member("duration_ms", item.duration.map { JSONText($0) })
            object.member("size_bytes", size.map { JSONText($0) })
        }
    }
}
