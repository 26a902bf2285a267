internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace position`
struct PositionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "position", abstract: "Show or note where a person stopped listening to a session.",
        discussion: """
            Printed in a pipe as columns separated by tabs: offset in milliseconds, moment, media item. Exit status 1 if no \
            position is known.

            Of all devices of a person, the position of the latest moment counts: an earlier one is refused, with exit \
            status 1. Positions are kept in the state directory; nothing is written into the session.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Note this offset: 120000, 2:00, 90s, end.", valueName: "offset"),
        completion: .offsets)
    var set: String?
    @Option(help: ArgumentHelp("With --set, the id of the media item that was playing.", valueName: "id"))
    var media: String?
    @Option(
        help: ArgumentHelp("With --set, when it stopped there; by default, now.", valueName: "time"),
        completion: .moments)
    var at: String?
    @Option(
        help: ArgumentHelp("The person; by default, the user's login name.", valueName: "name"),
        transform: words)
    var person: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard set == nil else { return }
        if media != nil { throw ValidationError("--media needs --set") }
        if at != nil { throw ValidationError("--at needs --set") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try SessionTarget(reading: context.session(session))
            let positions = try SessionPositions(context.libraryWriter.positions, of: target)
            let person = try person.map { try Person($0) } ?? Person.current
            if let set {
                let wanted = try position(set, in: target, context)
                let position = try positions.set(wanted, of: person).position
                let answer = PositionAnswer(position, of: person, in: target)
                return Output.done(
                    "position: \(position.offset)", global.json ? answer.json(.commandLine) : nil)
            }
            let position = try positions.position(of: person)
            if global.json {
                Output.json(PositionAnswer(position, of: person, in: target).json(.commandLine))
            } else {
                Output.line(try position.map { try Self.text($0, context) } ?? "no position")
            }
            if position == nil { throw CommandFailure(.negative, nil) }
        }
    }

    private func position(
        _ typed: String, in target: SessionTarget, _ context: CommandContext
    ) throws -> ListeningPosition {
        let resolution = OffsetResolution(in: target)
        // A recording may be longer than its session.
        let offset = try resolution.offset(typed, force: true)
        for warning in resolution.warnings(typed, offset) { context.notice("warning: \(warning)") }
        let item = try media.map { text in
            guard let id = ULID(text.uppercased()) else {
                throw CommandFailure(
                    .usage, "--media '\(text)' is not the id of a media item",
                    cure: "write its 26 characters; session.json lists the ids under media")
            }
            return id
        }
        let moment = try at.map { try context.past($0, "--at") }
        return ListeningPosition(offset: offset, media: item, at: moment ?? resolution.now)
    }

    private static func text(_ position: ListeningPosition, _ context: CommandContext) throws -> String {
        guard Output.isTerminal else {
            let cells = ["\(position.offset.milliseconds)", "\(position.at)", position.media?.description]
            return cells.compactMap(\.self).joined(separator: "\t")
        }
        let media = position.media.map { ", media item \($0)" } ?? ""
        return "\(position.offset), \(try context.zone.secondText(position.at))\(media)"
    }
}
