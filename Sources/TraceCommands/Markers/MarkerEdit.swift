internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
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
    var clear: [Clearable] = []
    @Flag(help: "Allow an offset after the session's end.")
    var force = false
    @OptionGroup var global: GlobalOptions

    /// The fields of a marker that can be cleared.
    enum Clearable: String, ExpressibleByArgument, CaseIterable {
        case label, note, tags, duration
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            try TagArgument.check(tags)
            let (target, id) = try record.marker(in: context)
            let decoder = try RecordDecoder(.marker) { Marker($0) }
            let editing = try context.writer(target).editMarker(id) { line in
                let place = decoder.decode(line)?.value.offset
                return try edit(of: target, standingAt: place, context)
            }
            context.notice(of: editing)
            Output.done("marker: \(id)", asJSON: global.json) { object in
                object.member("id", JSONText(id))
                object.member("changed", JSONText(editing.isChanged))
                object.session(target)
                object.member("marker", JSONText(verbatim: editing.line))
            }
            context.noticeNewTags(tags, of: id, in: target.path)
        }
    }

    private func edit(
        of target: SessionTarget, standingAt place: SessionOffset?, _ context: CommandContext
    ) throws -> RecordEdit {
        var edit = RecordEdit()
        if let offset {
            let resolution = OffsetResolution(in: target, lastMarker: { place.map { .init(offset: $0) } })
            let read = try resolution.place(offset, force: force)
            context.notice(read.notice)
            let new = read.offset
            for warning in resolution.warnings(offset, new) { context.notice("warning: \(warning)") }
            // A number that means the same keeps its spelling.
            if new != place { edit.values.append(("offset_ms", JSONText(new))) }
        }
        if let label { edit.values.append(("label", JSONText(label))) }
        if let note { edit.values.append(("note", JSONText(note))) }
        if let duration {
            edit.values.append(("duration_ms", JSONText(try OffsetExpression.duration(duration))))
        }
        edit.cleared = clear.map { $0 == .duration ? "duration_ms" : $0.rawValue }
        edit.addedTags = tags.filter { !$0.isEmpty }
        edit.removedTags = untags.filter { !$0.isEmpty }.flatMap(MarkerCategory.spellings(of:)).filter {
            !tags.contains($0) || untags.contains($0)
        }
        guard
            !edit.values.isEmpty || !edit.cleared.isEmpty || offset != nil || !edit.addedTags.isEmpty
                || !edit.removedTags.isEmpty
        else {
            throw CommandFailure(
                .usage, "there is nothing to change",
                hint: "give --offset, --label, --note, --tag, --untag, --duration or --clear")
        }
        return edit
    }
}
