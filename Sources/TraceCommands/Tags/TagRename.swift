internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace tag rename OLD NEW`
struct TagRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a tag.",
        discussion: """
            In every marker of the session that has it, or of all sessions with --all. Each marker gets a new last line, as \
            with every edit; a marker that has both tags keeps one. 'trace undo' undoes it in all sessions.
            """)

    @Argument(help: "The current tag.", completion: .tags, transform: words)
    var old: String
    @Argument(help: "The new tag.", transform: words)
    var new: String
    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Flag(help: "In all sessions.")
    var all = false
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be done.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if all, session != nil || global.session != nil {
            throw ValidationError("--all can't be combined with a session")
        }
        if old == new { throw ValidationError("both tags are '\(old)'") }
    }

    /// A session in which the tag stands.
    private struct Change {
        var path: FilePath
        var id: ULID?
        var markers: [ULID]
    }

    func run() throws {
        try CommandFailure.explaining {
            try TagArgument.check([new])
            let context = try CommandContext(global)
            var changes: [Change] = []
            var failures: [CommandFailure] = []
            let sessions =
                all
                ? context.roots.paths.flatMap { root in
                    context.roots.sessions(of: root) { failures.append(CommandFailure($0)) }
                }
                : [try target(context).path]
            for path in sessions {
                do {
                    let target = try SessionTarget(reading: path)
                    let (markers, notices) = try context.writer(target).renameTag(
                        old, to: new, isDryRun: dryRun)
                    for notice in notices { context.notice("warning: \(notice)") }
                    if markers.isEmpty { continue }
                    changes.append(Change(path: path, id: target.session.id, markers: markers))
                } catch  where all {
                    failures.append(CommandFailure(error))
                }
            }
            // Whether the tag stands where it could not be looked for is not known.
            report(changes, isAll: failures.isEmpty)
            if changes.isEmpty, !all, !global.json {
                context.notice("only this session was searched; --all renames it in all")
            }
            try failures.end()
            if changes.isEmpty { throw CommandFailure(.negative, nil) }
        }
    }

    /// The session in which it is renamed.
    private func target(_ context: CommandContext) throws -> SessionTarget {
        do { return try context.target(session) } catch let error as StoreError
            where context.selector(session) == nil
            && [.noSuchSession, .ambiguousSession].contains(error.code) && error.cure != .openSession
        {
            var error = error
            error.cure = "rename it in all sessions with \(option: "all"), or give a session"
            throw error
        }
    }

    private func report(_ changes: [Change], isAll: Bool) {
        let verb = dryRun ? "would rename" : "renamed"
        let lines = changes.map { change in
            "\(verb): \(counted(change.markers.count, "marker")) in \(change.path.escaped)"
        }
        if !dryRun, !lines.isEmpty { Output.note(done: lines.joined(separator: ", ")) }
        guard !global.json else {
            return Output.json(
                .array(
                    changes.map { change in
                        .object { object in
                            object.session(at: change.path, change.id)
                            object.member("markers", .array(change.markers.map { JSONText($0) }))
                            object.member("done", JSONText(!dryRun))
                        }
                    }))
        }
        Output.lines(lines)
        if changes.isEmpty, isAll { Output.line("no marker has the tag '\(old)'") }
    }
}
