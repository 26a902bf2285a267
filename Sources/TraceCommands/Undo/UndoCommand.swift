internal import ArgumentParser
internal import Glibc
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore

/// `trace undo`
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back what you wrote last.",
        discussion: """
            A mark, a voice note, an edit, a removal, a transcript, a digest, the closing of a session, what was put into the queue. Given again, it \
            takes back what was written before that; there is no redo. It is refused where what was written has been changed \
            since, or something refers to it. What is taken out of a session is kept in the state directory under 'undo'.

            With --session only writes into that session count. Exit status 1 where nothing can be undone.
            """)

    @Flag(name: [.customShort("n"), .long], help: "Only say what would be done.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let session = try global.session.map { try workplace.sessionID($0) }
            let undo = Undo(
                workplace.journal, queue: workplace.queue,
                runtimeDirectory: workplace.settings.runtimeDirectory, locate: workplace.sessionsByID())
            let outcome = try undo.run(sessionID: session, user: UInt32(geteuid()), isDryRun: dryRun)
            for notice in outcome.notices { workplace.notice("warning: \(notice)") }
            let place = outcome.session.map { " in \($0.escaped)" } ?? ""
            let write = "\(outcome.write.operation.rawValue)\(place), \(outcome.write.time)"
            if !dryRun { Output.note(done: "undone: \(write)") }
            if global.json { return Output.json(json(outcome)) }
            Output.line("\(dryRun ? "would undo" : "undone"): \(write)")
            for step in outcome.steps { Output.line("  \(step.oneLine)") }
        }
    }

    private func json(_ outcome: Undo.Outcome) -> JSONText {
        .object { object in
            object.member("operation", JSONText(outcome.write.operation.rawValue))
            object.member("written_at", JSONText(outcome.write.time))
            object.member("session_id", outcome.write.sessionID.map { JSONText($0) })
            object.member("session", outcome.session.map { JSONText($0.escaped) })
            object.member("done", JSONText(!dryRun))
            object.member("steps", .array(outcome.steps.map { JSONText($0) }))
        }
    }
}
