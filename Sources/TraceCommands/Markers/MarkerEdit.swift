internal import ArgumentParser
internal import TraceLibrary
internal import TraceStore

/// `trace marker edit ID`
struct MarkerEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a marker.",
        discussion: """
            What is not given stays unchanged, byte for byte. +5s and -10s count from the marker's offset.
            """)

    @OptionGroup var record: RecordArguments
    @Option(
        parsing: .unconditional, help: "Where: 120000, 2:00, 90s, now, end, +5s, -10s.", completion: .offsets)
    var offset: String?
    @Option(parsing: .unconditional, help: "What it is called.", transform: words)
    var label: String?
    @Option(parsing: .unconditional, help: "More words.", transform: words)
    var note: String?
    @Option(name: .customLong("tag"), help: "A tag to add; may be repeated.", completion: .tags)
    var tags: [String] = []
    @Option(name: .customLong("untag"), help: "A tag to remove; may be repeated.", completion: .tags)
    var untags: [String] = []
    @Option(help: "The duration of what it marks.")
    var duration: String?
    @Option(help: "A field to clear: label, note, tags or duration; may be repeated.")
    var clear: [MarkerChange.Field] = []
    @Flag(help: "Allow an offset after the session's end.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            try TagArgument.check(tags)
            let (target, id) = try record.marker(in: context)
            let edited = try context.libraryWriter.editMarker(id, in: target, change) { notice in
                context.notice(notice.place.notice)
                for warning in notice.warnings { context.notice("warning: \(warning)") }
            }
            context.notice(of: edited.editing)
            Output.done("marker: \(id)", global.json ? edited.markerJSON(.commandLine) : nil)
            context.noticeNewTags(tags, of: id, in: target.path)
        }
    }

    private var change: MarkerChange {
        var change = MarkerChange()
        change.offset = offset
        change.label = label
        change.note = note
        change.duration = duration
        change.tags = tags
        change.untags = untags
        change.cleared = clear
        change.isForced = force
        return change
    }
}

extension MarkerChange.Field: ExpressibleByArgument {}
