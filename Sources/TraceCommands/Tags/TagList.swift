internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// `trace tag list`
struct TagList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List tags and how many markers have each, the most frequent first.",
        discussion: """
            In all sessions below the roots, or in one. One per line, separated by tabs: tag, markers, sessions. 'trace tag \
            rename' corrects a mistyped one.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let named = try (session ?? global.session).map { try context.session($0) }
            let fresh = FreshIndex(
                context.library, session: named, about: [.marker])
            let filter = RecordFilter(fresh.scope)
            let tags = try fresh.answer { try $0.tagCounts(filter) }
            if global.json {
                Output.json(tags.lazy.map(\.json))
            } else if tags.isEmpty {
                // If not everything could be read, that there are none is not known.
                if fresh.isWhole { list.table.printNothing("no tags", TagCount.names, context) }
            } else if list.table.isOnScreen {
                Output.paged(context.isPaged) { ListScreen.show(TagCount.columns, tags.map(\.cells)) }
            } else {
                list.table.print(tags, TagCount.names) { [$0.tag, "\($0.markers)", "\($0.sessions)"] }
            }
            try fresh.end()
        }
    }
}

extension TagCount {
    fileprivate static let columns: [TerminalTable.Column] = [
        .text("TAG", least: 12), .number("MARKERS"), .number("SESSIONS", rank: 5),
    ]

    fileprivate static let names = ["tag", "marker_count", "session_count"]

    fileprivate var cells: [TerminalCell] {
        [.tags([tag]), TerminalCell("\(markers)"), TerminalCell("\(sessions)")]
    }

    /// The tag with the keys of docs/cli-json.md.
    fileprivate var json: JSONText {
        .object { object in
            object.member("tag", JSONText(tag))
            object.member("marker_count", JSONText(Int64(markers)))
            object.member("session_count", JSONText(Int64(sessions)))
        }
    }
}
