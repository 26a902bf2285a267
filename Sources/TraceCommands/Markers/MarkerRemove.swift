internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore

/// `trace marker remove ID`
struct MarkerRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a marker out of its session.",
        discussion: """
            No entry of the queue brings it back; 'trace undo' does. A marker that a voice note names is removed only with \
            --force, and the voice note then names no marker.
            """)

    @OptionGroup var record: RecordArguments
    @Flag(help: "Drop the references of voice notes to it.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let (target, id) = try record.marker(in: context)
            let removal = MarkerRemoval(
                context.writer(target), queue: context.queue,
                runtimeDirectory: context.settings.runtimeDirectory)
            let outcome = try removal.remove(id, droppingReferences: force)
            for notice in outcome.notices { context.notice("warning: \(notice)") }
            for note in outcome.unlinked { context.notice("voice note \(note) names no marker any more") }
            Output.done("removed: \(id)", asJSON: global.json) { object in
                object.member("id", JSONText(id))
                object.session(target)
                object.member("unlinked", .array(outcome.unlinked.map { JSONText($0) }))
            }
        }
    }
}
